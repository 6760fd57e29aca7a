"""The facts of a game, collected from the modules of its chapters."""

from types import ModuleType

from kontor_games.domain.game import Fact


def facts_in(*chapters: ModuleType) -> tuple[type[Fact], ...]:
    """Return the facts that these modules define, in order, without base classes, which are not records."""
    found = [one for chapter in chapters for one in vars(chapter).values() if _is_defined_in(chapter, one)]
    return tuple(found)


def _is_defined_in(chapter: ModuleType, one: object) -> bool:
    is_fact = isinstance(one, type) and issubclass(one, Fact) and "__dataclass_fields__" in vars(one)
    return is_fact and one.__module__ == chapter.__name__
