"""Small parts of English sentences."""

from typing import Any

from kontor_games.domain.games.europe.data.components import TERMS
from kontor_games.domain.toolkit.sentences import counted, listed

_NUMBERS = (
    *(
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
    ),
)


def number_of(number: int, noun: str) -> str:
    """Return a number of things, in words up to twelve: `no cards`, `one card`, `13 cards`."""
    return counted(_NUMBERS[number] if number < len(_NUMBERS) else number, noun)


def cards(held: Any) -> str:
    """Return what cards or terms hold: `1 wool and 2 ore`, with gold last."""
    parts = [f"{count} {name}" for name in TERMS if (count := getattr(held, name, 0))]
    return listed(parts) if parts else "nothing"


def whose(name: str) -> str:
    """Return the genitive of a name: `Anna's`, `Klaus'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def a_number(number: int) -> str:
    """Return a number with its article: `a 5`, `an 8`, `an 11`."""
    return f"an {number}" if number in (8, 11) else f"a {number}"
