"""The rules of the Fair: one file a chapter, and the table of every version."""

from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import (
    DataSet,
    Fact,
    Move,
    NoSuchSeatError,
    Rules,
    Ruleset,
    View,
)
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase
from tests.domain.toy.games.fair.facts import FACTS
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.domain.toy.games.fair.options import FairOptions
from tests.domain.toy.games.fair.resample import resample
from tests.domain.toy.games.fair.rules.end import end, result
from tests.domain.toy.games.fair.rules.rounds import LayCardRule, begin_round, take_round
from tests.domain.toy.games.fair.rules.set_up import draw, set_up
from tests.domain.toy.games.fair.rules.steps import Steps
from tests.domain.toy.games.fair.rules.trade import CloseFairRule, OfferCardRule, TakeOfferRule
from tests.domain.toy.games.fair.state import Fair
from tests.domain.toy.games.fair.text import MESSAGES
from tests.domain.toy.games.fair.text.labels import label
from tests.domain.toy.games.fair.text.scene import scene
from tests.domain.toy.games.fair.text.sentences import sentence
from tests.domain.toy.games.fair.view import view
from tests.domain.toy.games.fair.view_schema import VIEW_SCHEMA


class FairRules(Rules[Fair]):
    """A version of the rules, played with one data set."""

    seat_counts = (2, 3, 4)
    view_schema = VIEW_SCHEMA
    cites: ClassVar = {"seats": "T-8", "moves": "T-8", "end": "T-8"}
    messages: ClassVar = MESSAGES
    result = staticmethod(result)
    resample = staticmethod(resample)

    def __init__(self, ruleset: Ruleset[Steps], data: DataSet) -> None:
        """Read the values of the cards."""
        super().__init__(ruleset, data)
        self.values = tuple(data.document["values"])

    def table(self, seats: int, chosen: FairOptions) -> Fair:
        """Lay an empty table (T-1, T-2)."""
        if seats not in self.seat_counts:
            raise NoSuchSeatError("The Fair is for 2 to 4 players.", rule="T-1")
        return Fair(seats, chosen.rounds, chosen.coins, self.values)

    def to_act(self, state: Fair) -> Sequence[int]:
        """While cards are laid, all who have not laid one (T-3); then the holder of the fair (T-5)."""
        if state.result is not None:
            return ()
        if state.holder is not None:
            return (state.holder,)
        return [seat for seat, card in enumerate(state.laid) if card is None]

    def may_act(self, state: Fair) -> Sequence[int]:
        """Also those who may take an offer (T-6)."""
        waited_for = self.to_act(state)
        if state.offer is None:
            return waited_for
        return [seat for seat in range(state.seats) if seat in waited_for or self.legal_moves(state, seat)]

    def view(self, state: Fair, viewer: int) -> View:
        """Everything that a viewer may know."""
        return view(state, viewer, self.to_act(state))

    def sentence(self, state: Fair, fact: Fact, names: Sequence[str]) -> Phrase:
        """The sentence about a fact."""
        return sentence(state.values, fact, names)

    def label(self, state: Fair, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        """A label for a legal move."""
        return label(state, move)

    def scene(self, state: Fair, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE) -> str:
        """The table as a few lines of text."""
        return scene(self.view(state, viewer), state.values, names, self.messages[language])


VERSION_1 = Ruleset(
    version=1,
    apply=FairRules,
    moves={
        LayCard: LayCardRule(),
        OfferCard: OfferCardRule(limit=3),
        TakeOffer: TakeOfferRule(),
        CloseFair: CloseFairRule(),
    },
    steps=Steps(set_up=set_up, draw=draw, begin_round=begin_round, take_round=take_round, end=end),
    facts=FACTS,
    options=FairOptions,
)
RULESETS = (VERSION_1,)
