"""The facts of a game, a match or a tournament, collected from the modules that define them."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from kontor_games.domain.game import Fact


def facts_in(*chapters: ModuleType) -> tuple[type[Fact], ...]:
    """Return the facts that these modules define, in order, without base classes, which are not records."""
    return tuple([fact for chapter in chapters for fact in facts_among(vars(chapter))])


def facts_among(names: Mapping[str, Any]) -> tuple[type[Fact], ...]:
    """Return the facts that one module defines, given its global names."""
    facts = [one for one in names.values() if isinstance(one, type) and issubclass(one, Fact)]
    own = [fact for fact in facts if fact.__module__ == names["__name__"]]
    return tuple([fact for fact in own if "__dataclass_fields__" in vars(fact)])
