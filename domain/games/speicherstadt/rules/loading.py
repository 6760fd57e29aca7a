"""Loading: S-18, S-20 and S-21. The steps of S-19 are in `loading_steps.py`."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.facts.loading import cubes_lost, loading_begun, loading_finished
from kontor_games.domain.games.speicherstadt.moves import FINISH_LOADING, FinishLoading
from kontor_games.domain.games.speicherstadt.rules.turn import M, TableLedger, TurnRule
from kontor_games.domain.games.speicherstadt.state import Phase, Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack


def loading(ledger: TableLedger) -> None:
    """Start loading for all seats with cubes, from the first player on (S-18); without any, pay income."""
    state = ledger.state
    loaders = tuple([seat for seat in state.clockwise() if state.held(seat)])
    if loaders:
        ledger.emit(loading_begun(loaders))
    else:
        ledger.steps.income(ledger)


def can_go_on(state: Table, seat: int) -> bool:
    """Whether the seat has not finished, has a cube, and has not made the last step allowed (S-18, S-20)."""
    return seat in state.loaders and state.held(seat) > 0 and state.steps[seat] < state.numbers.steps


def end_loading(ledger: TableLedger, seat: int) -> None:
    """End a seat's loading; the cubes on its quay are lost (S-20). After the last seat, pay the income."""
    state = ledger.state
    if seat in state.loaders:
        ledger.emit(loading_finished(seat, "step_limit" if state.held(seat) else "no_cubes"))
    if state.quay[seat]:
        ledger.emit(cubes_lost(seat, unpack(state.quay[seat])))
    if not state.loaders:
        ledger.steps.income(ledger)


class LoadingRule(TurnRule[M]):
    """A move of a seat that is loading (S-18, S-19)."""

    phase: ClassVar[Phase] = "loading"
    rule: ClassVar[str] = "S-19"
    turn_rule: ClassVar[str] = "S-18"

    def to_act(self, state: Table) -> Sequence[int]:
        """One seat at a time, or all together (option `simultaneous_loading`)."""
        return state.loaders if state.simultaneous else state.loaders[:1]

    def facts(self, ledger: TableLedger, seat: int, move: M) -> None:
        """The step; the seat's loading ends unless it can go on."""
        ledger.emit(self.fact(ledger.state, seat, move))
        if not ledger.steps.can_go_on(ledger.state, seat):
            ledger.steps.end_loading(ledger, seat)

    @abstractmethod
    def fact(self, state: Table, seat: int, move: M) -> Fact:
        """The fact of the step itself."""


class FinishLoadingRule(LoadingRule[FinishLoading]):
    """The seat finishes loading and can't resume in this round."""

    rule: ClassVar[str] = "S-20"
    quiet = True
    every_move = (FINISH_LOADING,)

    def fact(self, state: Table, seat: int, move: FinishLoading) -> Fact:
        return loading_finished(seat, "done")
