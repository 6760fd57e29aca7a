"""Small parts of English sentences."""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.games.europe.board import RESOURCES

_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def listed(things: Sequence[str]) -> str:
    """One, one and another, or one, another and a third."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def counted(number: int, noun: str) -> str:
    """Three goods, one good, 14 goods."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def cards(held: Any) -> str:
    """What cards, terms or counts hold: 2 ore and 1 wool, with gold last."""
    parts = [f"{count} {name}" for name in (*RESOURCES, "gold") if (count := getattr(held, name, 0))]
    return listed(parts) if parts else "nothing"


def whose(name: str) -> str:
    """Anna's, Klaus'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def a_number(number: int) -> str:
    """A 5, an 8, an 11."""
    return f"an {number}" if number in (8, 11) else f"a {number}"
