"""Small parts of English sentences."""

from collections.abc import Sequence

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def listed(things: Sequence[str]) -> str:
    """One, one and another, or one, another and a third."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def goods(cubes: Sequence[str]) -> str:
    """Cubes by good, in the order in which they are named first: tea and 2 saffron."""
    counted = [(good, cubes.count(good)) for good in dict.fromkeys(cubes)]
    return listed([good if count == 1 else f"{count} {good}" for good, count in counted])


def they(who: Sequence[str], one: str, several: str) -> str:
    """The verb that fits one or several people."""
    return one if len(who) == 1 else several


def coins(number: int) -> str:
    """A number of coins."""
    return _counted(number, "coin")


def points(number: int) -> str:
    """A number of points."""
    return _counted(number, "point")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """First to eighth: no line is longer (S-13)."""
    return _ORDINALS[number - 1]
