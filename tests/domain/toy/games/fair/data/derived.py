"""Derived data of a data set: its cards by the ids that views use."""

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet


def derive(data: DataSet) -> dict[str, Plain]:
    """Return the value of each card by its id."""
    return {"cards": {str(card): {"value": value} for card, value in enumerate(data.document["values"])}}
