"""Small parts of sentences."""

from typing import Any

from kontor_games.domain.games.europe.data.components import amounts
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def amount(name: str, count: int = 1) -> Phrase:
    """Return an amount of a resource or of gold: `2 ore`."""
    return phrase(f"amounts.{name}", n=count)


def cards(held: Any) -> Value:
    """Return the contents of cards or terms: `1 wool and 2 ore`, with gold last."""
    return tuple(amount(name, count) for name, count in amounts(held).items()) or phrase("nothing")


def word(name: str) -> Phrase:
    """Return the name of something."""
    return phrase(f"words.{name}")
