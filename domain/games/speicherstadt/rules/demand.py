"""Demand: S-13."""

from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.speicherstadt.data.cards import CARDS
from kontor_games.domain.games.speicherstadt.facts.demand import worker_placed
from kontor_games.domain.games.speicherstadt.moves import PlaceWorker
from kontor_games.domain.games.speicherstadt.refusals import CardNotInRowError, LineFullError
from kontor_games.domain.games.speicherstadt.rules.turn import ALONE, TableLedger, TurnRule
from kontor_games.domain.games.speicherstadt.state import NOBODY, Phase, Table

_MOVES = {card.id: PlaceWorker(card.id) for card in CARDS}
"""The move for each card: immutable, so made once."""
_move_of = _MOVES.__getitem__


class PlaceWorkerRule(TurnRule[PlaceWorker]):
    """A worker joins the line of a card; after the last worker comes the purchase."""

    phase: ClassVar[Phase] = "demand"
    rule: ClassVar[str] = "S-13"
    turn_rule: ClassVar[str] = "S-13"
    every_move = tuple(_MOVES.values())

    def to_act(self, state: Table) -> Sequence[int]:
        """From the first player clockwise, until all workers are placed."""
        placed, seats = state.placed, state.seats
        return ALONE[(state.first + placed) % seats if placed < state.numbers.workers * seats else NOBODY]

    def objection(self, state: Table, seat: int, move: PlaceWorker) -> Refusal | None:
        """The card must be in the row, and its line must have room."""
        try:
            line = state.lines[state.row.index(move.card)]
        except ValueError:
            return CardNotInRowError(f"The card {move.card} is not in the row.", rule="S-13")
        most = state.numbers.line
        if len(line) >= most:
            return LineFullError(f"You can't join this line: it is full with {most} workers.", rule="S-13")
        return None

    def facts(self, ledger: TableLedger, seat: int, move: PlaceWorker) -> None:
        """The worker joins the line; after the last one the first card is sold."""
        state = ledger.state
        ledger.emit(worker_placed(seat, move.card))
        if state.placed >= state.numbers.workers * state.seats:
            ledger.steps.purchase(ledger)

    def fast_listing(self, state: Table, seat: int) -> list[PlaceWorker]:
        """All cards of the row whose line has room, for the seat whose turn it is."""
        most, moves = state.numbers.line, list(map(_move_of, state.row))
        if state.placed < most or max(map(len, state.lines)) < most:
            return moves  # No line is full, so every move is allowed.
        return [move for move in moves if self.objection(state, seat, move) is None]
