"""The rules of The Speicherstadt, one file for each chapter. `VERSION_1` is the table of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, get_args

from kontor_games.domain.game import (
    DataSet,
    Move,
    NoSuchSeatError,
    Result,
    Rules,
    Ruleset,
    View,
)
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.data.cards import Deck
from kontor_games.domain.games.speicherstadt.facts import FACTS
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.refusals import SeatCountError
from kontor_games.domain.games.speicherstadt.resample import resample
from kontor_games.domain.games.speicherstadt.rules import (
    demand,
    ending,
    income,
    loading,
    purchase,
    set_up,
    supply,
)
from kontor_games.domain.games.speicherstadt.rules import loading_steps as steps
from kontor_games.domain.games.speicherstadt.rules.turn import Steps, Turn
from kontor_games.domain.games.speicherstadt.state import Phase, Table
from kontor_games.domain.games.speicherstadt.text import MESSAGES
from kontor_games.domain.games.speicherstadt.text.labels import label
from kontor_games.domain.games.speicherstadt.text.scene import scene
from kontor_games.domain.games.speicherstadt.text.sentences import sentence
from kontor_games.domain.games.speicherstadt.view import view
from kontor_games.domain.games.speicherstadt.view_schema import VIEW_SCHEMA
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase

__all__ = ["RULESETS", "VERSION_1", "Speicherstadt", "Steps"]


def _nobody(state: Table) -> Sequence[int]:
    return ()


def _no_moves(state: Table, seat: int) -> list[Move]:
    return []


class Speicherstadt(Rules[Table]):
    """Plays The Speicherstadt by one version of its rules."""

    seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)
    view_schema = VIEW_SCHEMA
    cites: ClassVar[dict[str, str]] = {"seats": "S-1", "moves": "S-13", "end": "S-30"}
    messages: ClassVar = MESSAGES
    resample = staticmethod(resample)
    sentence = staticmethod(sentence)

    def __init__(self, ruleset: Ruleset[Steps], data: DataSet) -> None:
        """Read the printed cards, and sort the kinds of move by phase."""
        super().__init__(ruleset, data)
        self.deck = Deck(data.document)
        rules: dict[type[Move], Any] = self.move_rules
        turns: dict[Phase, Turn] = {rule.phase: rule.to_act for rule in rules.values()}
        answers = [move for rule in rules.values() if rule.phase == "purchase" for move in rule.every_move]
        fast_listings: dict[Phase, Callable[[Table, int], list[Move]]] = {
            "demand": rules[m.PlaceWorker].fast_listing,
            "purchase": lambda state, seat: answers.copy(),  # Both answers are always legal.
            "loading": steps.FastLoadingList(rules).moves_of,
        }
        self._turns: dict[Phase, Turn] = {phase: turns.get(phase, _nobody) for phase in get_args(Phase)}
        self._fast_listings = {
            phase: (turn, fast_listings.get(phase, _no_moves)) for phase, turn in self._turns.items()
        }

    def table(self, seats: int, chosen: SpeicherstadtOptions) -> Table:
        """The empty table (S-1, S-3, S-7)."""
        if seats not in self.seat_counts:
            raise SeatCountError("The game is for 2 to 5 players.", rule="S-1")
        first = chosen.first_seat
        if first is not None and first >= seats:
            raise NoSuchSeatError(f"The first player must be one of the seats 0 to {seats - 1}.", rule="S-7")
        numbers, at_once = self.steps.numbers(seats), chosen.simultaneous_loading
        return Table(seats, self.deck, numbers, simultaneous=at_once, first=first)

    def to_act(self, state: Table) -> Sequence[int]:
        """One seat; in simultaneous loading all that have not finished (S-18)."""
        return self._turns[state.phase](state)

    def legal_moves(self, state: Table, seat: int) -> list[Move]:
        """The fast listing of the phase, in the order of the table of rules, except in loading."""
        turn, listing = self._fast_listings[state.phase]
        return listing(state, seat) if seat in turn(state) else []

    def is_over(self, state: Table) -> bool:
        """Whether the score has been counted."""
        return state.phase == "over"

    def result(self, state: Table) -> Result | None:
        """The score by category, with its total."""
        if not self.is_over(state):
            return None
        return Result(tuple(asdict(score) for score in state.scores), state.places)

    def view(self, state: Table, viewer: int) -> View:
        """Everything but the order of the pile and of the bag (S-9)."""
        return view(self.steps, state, viewer)

    def label(self, state: Table, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        """A label for a legal move."""
        return label(self.steps, state, seat, move)

    def scene(self, state: Table, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE) -> str:
        """A line for each player, and the row with its lines of workers."""
        return scene(self.steps, state, names, self.messages[language])


VERSION_1 = Ruleset(
    version=1,
    apply=Speicherstadt,
    moves={
        m.PlaceWorker: demand.PlaceWorkerRule(),
        m.Buy: purchase.BuyRule(),
        m.Decline: purchase.DeclineRule(),
        m.PutOnContract: steps.PutOnContractRule(),
        m.SellToMerchant: steps.SellToMerchantRule(),
        m.StoreCube: steps.StoreCubeRule(),
        m.KeepCube: steps.KeepCubeRule(),
        m.TakeOut: steps.TakeOutRule(),
        m.Convert: steps.ConvertRule(),
        m.SellTwo: steps.SellTwoRule(),
        m.FinishLoading: loading.FinishLoadingRule(),
    },
    steps=Steps(
        numbers=set_up.numbers,
        set_up=set_up.set_up,
        supply=supply.supply,
        fire=supply.fire,
        price=purchase.price,
        purchase=purchase.purchase,
        loading=loading.loading,
        can_go_on=loading.can_go_on,
        end_loading=loading.end_loading,
        income=income.income,
        wages=income.wages,
        score=ending.score,
        end=ending.end,
    ),
    facts=FACTS,
    options=SpeicherstadtOptions,
)
RULESETS = (VERSION_1,)
"""Every version that matches were played under, the current one last."""
