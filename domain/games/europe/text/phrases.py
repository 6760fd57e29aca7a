"""Small parts of sentences."""

from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def amount(name: str, count: int = 1) -> Phrase:
    """Return an amount of a resource or of gold: `2 ore`."""
    return phrase(f"amounts.{name}", n=count)


def cards(held: Cards) -> Value:
    """Return the contents of cards or terms: `1 wool and 2 ore`, with gold last."""
    return tuple(amount(name, count) for name, count in held.amounts().items()) or phrase("nothing")


def word(name: str) -> Phrase:
    """Return the name of something."""
    return phrase(f"words.{name}")
