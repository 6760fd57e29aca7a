"""What follows from a data set: its cards by the ids that views name them by."""

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet


def derive(data: DataSet) -> dict[str, Plain]:
    """Card to its value."""
    return {"cards": {str(card): {"value": value} for card, value in enumerate(data.document["values"])}}
