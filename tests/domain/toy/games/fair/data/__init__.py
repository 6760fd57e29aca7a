"""The cards (T-1): the data sets that come with the game, and the check of a user's own."""

from typing import Annotated

from kontor_games.domain.codec import Between, Fault, Length, MalformedError, Plain, Record, Shape, record
from kontor_games.domain.data import read_json
from kontor_games.domain.game import DataSet


@record
class Cards(Record):
    """The document of a data set: the value of each card. A card's id is its index."""

    values: Annotated[tuple[Annotated[int, Between(1, 99)], ...], Length(20, 999)]


def admit(name: str, document: Plain) -> DataSet:
    """Return the data set that a document describes; raise MalformedError with every fault."""
    shape, faults = Shape(Cards), list[Fault]()
    cards = shape.parse(document, "", faults)
    if faults:
        raise MalformedError(faults)
    return DataSet(name, shape.encode(cards))


DATA_SETS = tuple(admit(name, read_json(__name__, f"{name}.json")) for name in ("plain", "steep"))
