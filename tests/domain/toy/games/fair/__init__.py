"""The Fair: a toy game with everything that is hard about games, and the model for a new one."""

from typing import Annotated

from kontor_games.domain.codec import Between, Fault, Length, MalformedError, Plain, Record, Shape, record
from kontor_games.domain.data import read_json, read_text
from kontor_games.domain.game import DataSet, Game
from tests.domain.toy.games.fair.bots import GreedyBot, RandomBot
from tests.domain.toy.games.fair.rules import FairRules


@record
class Cards(Record):
    """What a data set holds (T-1)."""

    values: Annotated[tuple[Annotated[int, Between(1, 99)], ...], Length(20, 999)]


def admit(name: str, document: Plain) -> DataSet:
    """A data set from a document of a user's own."""
    shape, faults = Shape(Cards), list[Fault]()
    cards = shape.parse(document, "", faults)
    if faults:
        raise MalformedError(faults)
    return DataSet(name, shape.encode(cards))


GAME = Game(
    id="fair",
    titles={"en": "The Fair", "de": "Der Markt", "fr": "La Foire", "it": "La Fiera"},
    rulesets=(FairRules,),
    data_sets=tuple(admit(name, document) for name, document in read_json(__name__, "cards.json").items()),
    data_option="cards",
    rules_text=read_text(__name__, "rules.md"),
    words=read_json(__name__, "words.json"),
    bots={"random": RandomBot, "greedy": GreedyBot},
    admit=admit,
)
