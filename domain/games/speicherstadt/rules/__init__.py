"""The rules of The Speicherstadt, one file for each chapter. `VERSION_1` is the table of all of them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from domain.chance import Chance
from domain.game import DataSet, Fact, Ledger, Move, Result, Rules, Ruleset, View
from domain.games.speicherstadt import moves as m
from domain.games.speicherstadt.data.cards import Deck
from domain.games.speicherstadt.facts import FACTS
from domain.games.speicherstadt.options import SpeicherstadtOptions
from domain.games.speicherstadt.resample import resample
from domain.games.speicherstadt.rules import demand, ending, income, loading, purchase, set_up, supply
from domain.games.speicherstadt.rules import loading_steps as steps
from domain.games.speicherstadt.rules.turn import Steps, TurnRule
from domain.games.speicherstadt.state import PLACES, Table
from domain.games.speicherstadt.state.cubes import kinds
from domain.games.speicherstadt.text.scene import scene
from domain.games.speicherstadt.text.sentences import tell
from domain.games.speicherstadt.view import view

__all__ = ["RULESETS", "VERSION_1", "Speicherstadt", "Steps"]


class Speicherstadt(Rules[Table]):
    """Plays The Speicherstadt by one version of its rules."""

    seat_counts: ClassVar[tuple[int, ...]] = set_up.SEAT_COUNTS
    cites: ClassVar[dict[str, str]] = {"seats": "S-1", "moves": "S-13", "end": "S-30"}

    def __init__(self, ruleset: Ruleset[Steps], data: DataSet) -> None:
        """Read what is printed on the cards, and sort the kinds of move by phase."""
        super().__init__(ruleset, data)
        self.deck = Deck(data.document)
        rules: dict[Any, Any] = self.move_rules
        turns: list[TurnRule[Any]] = list(rules.values())
        self._phases = {
            phase: [rule for rule in turns if rule.phase == phase] for phase in ("demand", "purchase")
        }
        self._turns = {rule.phase: rule.to_act for rule in reversed(turns)}
        one_cube = [rule for rule in turns if isinstance(rule, steps.OneCubeRule)]
        self._one_cube = [
            (place, [r.choices_from for r in one_cube if place in r.origins]) for place in PLACES
        ]
        self._other_steps = [rules[kind].choices for kind in (m.SellTwo, m.Convert, m.FinishLoading)]

    def table(self, seats: int, chosen: SpeicherstadtOptions) -> Table:
        """The empty table (S-1, S-3, S-7)."""
        first = chosen.first_seat
        if refusal := set_up.table_refusal(seats, first):
            raise refusal
        return Table(
            seats, self.deck, self.steps.numbers(seats), simultaneous=chosen.simultaneous_loading, first=first
        )

    def deal(self, state: Table, chance: Chance) -> list[Fact]:
        """Set-up and first supply."""
        ledger = Ledger(state, chance, self.steps)
        self.steps.set_up(ledger)
        return ledger.facts

    def to_act(self, state: Table) -> Sequence[int]:
        """One seat; in simultaneous loading all that have not finished (S-18)."""
        turn = self._turns.get(state.phase)
        return turn(state) if turn else ()

    def is_over(self, state: Table) -> bool:
        """Whether the last fire has been carried out and the score counted."""
        return state.phase == "over"

    def verify(self, state: Table, seat: int, move: Move) -> None:
        """The shared check, after the usual case: a move to which its own rule has no objection."""
        rule = self.move_rules.get(type(move))
        if rule is None or rule.refusal(state, seat, move) is not None:
            super().verify(state, seat, move)

    def legal_moves(self, state: Table, seat: int) -> list[Move]:
        """In table order, but steps of loading with one cube place by place, then those with several."""
        if seat not in self.to_act(state):
            return []
        moves: list[Move] = []
        if state.phase != "loading":
            for rule in self._phases[state.phase]:
                moves += rule.choices(state, seat)
            return moves
        for place, choices_from in self._one_cube:
            if goods := kinds(state.heaps(place)[seat]):
                for choices in choices_from:
                    moves += choices(state, seat, place, goods)
        for choices in self._other_steps:
            moves += choices(state, seat)
        return moves

    def result(self, state: Table) -> Result | None:
        """The score by category, with its total."""
        if state.phase != "over":
            return None
        return Result(tuple(asdict(score) for score in state.scores), state.places)

    def view(self, state: Table, viewer: int) -> View:
        """Everything but the order of the pile and of the bag (S-9)."""
        return view(self.steps, state, viewer)

    def resample(self, state: Table, viewer: int, chance: Chance) -> Table:
        """The unseen cards of each season and the cubes in the bag in another order."""
        return resample(state, viewer, chance)

    def tell(self, state: Table, fact: Fact, viewer: int, names: Sequence[str]) -> str:
        """The fact as a sentence; no fact has anything to hide in it."""
        return tell(state, fact, names)

    def scene(self, state: Table, viewer: int, names: Sequence[str]) -> str:
        """A line for each player, and the row with its lines of workers."""
        return scene(self.steps, state, names)


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
        go_on_loading=loading.go_on_loading,
        income=income.income,
        score=ending.score,
        end=ending.end,
    ),
    facts=FACTS,
    options=SpeicherstadtOptions,
)
RULESETS = (VERSION_1,)
"""Every version that matches were played under, the current one last."""
