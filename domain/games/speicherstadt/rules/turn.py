"""Code that all chapters share: the automatic steps, and moves with a phase and a turn."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, TypeVar, final

from kontor_games.domain.game import (
    Ledger,
    Move,
    MoveRule,
    NotYourTurnError,
    Refusal,
    WrongPhaseError,
    whose_turn,
)
from kontor_games.domain.games.speicherstadt.state import Numbers, Phase, Score, Table

M = TypeVar("M", bound=Move)
TableLedger: TypeAlias = "Ledger[Table, Steps]"
Turn = Callable[[Table], Sequence[int]]

ALONE = ((0,), (1,), (2,), (3,), (4,), ())
"""Each seat as the only one to act; the last entry is for NOBODY."""


@dataclass(frozen=True)
class Steps:
    """The automatic steps, and values that all parts of the game share. A later version replaces an entry."""

    numbers: Callable[[int], Numbers]
    """The constants for a number of seats."""
    set_up: Callable[[TableLedger], None]
    supply: Callable[[TableLedger], None]
    fire: Callable[[TableLedger, str], None]
    price: Callable[[Sequence[int]], int]
    """The price of a card for the first in this line."""
    purchase: Callable[[TableLedger], None]
    loading: Callable[[TableLedger], None]
    can_go_on: Callable[[Table, int], bool]
    """Whether a seat that is loading may take another step."""
    end_loading: Callable[[TableLedger, int], None]
    income: Callable[[TableLedger], None]
    wages: Callable[[int, tuple[int, ...], int | None], tuple[int, ...]]
    """The income of each seat, given the seats that bought no card and the owner of the bank."""
    score: Callable[[Table, int], Score]
    end: Callable[[TableLedger], None]


class TurnRule(MoveRule[Table, M, Steps]):
    """A move of one phase, made in turn."""

    phase: ClassVar[Phase]
    rule: ClassVar[str]
    """The rule that allows the move."""
    turn_rule: ClassVar[str]
    """The rule that says whose turn it is."""
    every_move: Sequence[M]
    """All moves of this kind, in a fixed order."""

    @abstractmethod
    def to_act(self, state: Table) -> Sequence[int]:
        """The seats whose turn it is in this phase."""

    @final
    def refusal(self, state: Table, seat: int, move: M) -> Refusal | None:
        """Check the phase and the turn first, then the conditions of the move."""
        if state.phase == self.phase and seat in self.to_act(state):
            return self.objection(state, seat, move)
        if state.phase == self.phase:
            return NotYourTurnError(whose_turn(self.to_act(state)), rule=self.turn_rule)
        when = f"only in the {self.phase} phase; this is the {state.phase} phase"
        return WrongPhaseError(f"You can make this move {when}.", rule=self.rule)

    def objection(self, state: Table, seat: int, move: M) -> Refusal | None:
        """Why a seat whose turn it is can't make this move, or None if it can."""
        return None

    def candidates(self, state: Table, seat: int) -> Sequence[M]:
        """All moves of this kind."""
        return self.every_move
