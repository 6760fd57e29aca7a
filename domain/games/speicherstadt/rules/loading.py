"""Loading: S-18, S-20 and S-21. The steps of S-19 are in `loading_steps.py`."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from domain.game import Fact
from domain.games.speicherstadt.facts.loading import cubes_lost, loading_begun, loading_finished
from domain.games.speicherstadt.moves import FINISH_LOADING, FinishLoading
from domain.games.speicherstadt.rules.turn import Book, M, TurnRule
from domain.games.speicherstadt.state import Phase, Table
from domain.games.speicherstadt.state.cubes import unpack


def loading(ledger: Book) -> None:
    """Let all who have cubes load, from the first player on (S-18); if nobody has any, pay the income."""
    state = ledger.state
    loaders = tuple([seat for seat in state.clockwise() if state.held(seat)])
    if loaders:
        ledger.emit(loading_begun(loaders))
    else:
        ledger.steps.income(ledger)


def go_on_loading(ledger: Book, seat: int) -> None:
    """After a step, wait for the seat's next one or end its loading (S-18, S-20); after the last seat, pay the income."""
    state = ledger.state
    if seat in state.loaders:
        held = state.held(seat)
        if held and state.steps[seat] < state.numbers.steps:
            return
        ledger.emit(loading_finished(seat, "step_limit" if held else "no_cubes"))
    if state.quay[seat]:
        ledger.emit(cubes_lost(seat, unpack(state.quay[seat])))
    if not state.loaders:
        ledger.steps.income(ledger)


class LoadingRule(TurnRule[M]):
    """A step of loading."""

    phase: ClassVar[Phase] = "loading"
    rule: ClassVar[str] = "S-19"
    turn_rule: ClassVar[str] = "S-18"

    def to_act(self, state: Table) -> Sequence[int]:
        """One seat after the other, or all at once (option `simultaneous_loading`)."""
        return state.loaders if state.simultaneous else state.loaders[:1]

    @abstractmethod
    def fact(self, state: Table, seat: int, move: Any) -> Fact:
        """The fact of this step alone."""

    def facts(self, ledger: Book, seat: int, move: M) -> None:
        """The step, and what follows if it was the seat's last."""
        ledger.emit(self.fact(ledger.state, seat, move))
        ledger.steps.go_on_loading(ledger, seat)


class FinishLoadingRule(LoadingRule[FinishLoading]):
    """The seat finishes loading and can't resume in this round."""

    rule: ClassVar[str] = "S-20"
    quiet = True

    def fact(self, state: Table, seat: int, move: FinishLoading) -> Fact:
        """The seat chose to finish."""
        return loading_finished(seat, "done")

    def choices(self, state: Table, seat: int) -> Sequence[FinishLoading]:
        """Always possible."""
        return (FINISH_LOADING,)
