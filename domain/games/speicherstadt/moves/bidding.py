"""Moves of demand and purchase: put a worker on a card; buy it or let it go."""

from typing import ClassVar

from kontor_games.domain.game import Fact, Refusal, record
from kontor_games.domain.games.speicherstadt.cards import CARDS
from kontor_games.domain.games.speicherstadt.cubes import unpack
from kontor_games.domain.games.speicherstadt.facts.purchase import card_bought, card_declined, worker_placed
from kontor_games.domain.games.speicherstadt.moves.action import Action
from kontor_games.domain.games.speicherstadt.refusals import CardNotInRowError, LineFullError
from kontor_games.domain.games.speicherstadt.state import Phase, Table

LONGEST_LINE = 8
"""Workers that a line can hold (S-13)."""


@record
class PlaceWorker(Action):
    """Put a worker at the end of the line of a card in the row (S-13)."""

    phase: ClassVar[Phase] = "demand"
    rule: ClassVar[str] = "S-13"
    card: str

    def check(self, state: Table, seat: int) -> Refusal | None:
        """The card must lie in the row, and its line have room."""
        row = state.row
        if self.card not in row:
            return CardNotInRowError(f"{self.card} does not lie in the row", rule="S-13")
        if len(state.lines[row.index(self.card)]) >= LONGEST_LINE:
            return LineFullError(f"{LONGEST_LINE} workers stand in that line already", rule="S-13")
        return None

    def outcome(self, state: Table, seat: int) -> Fact:
        """The worker stands in line."""
        return worker_placed(seat, self.card)


@record
class Buy(Action):
    """Buy the card that is offered, for as many coins as there are workers in its line (S-14)."""

    phase: ClassVar[Phase] = "purchase"
    rule: ClassVar[str] = "S-14"

    def outcome(self, state: Table, seat: int) -> Fact:
        """The card changes hands; who could not pay was never asked (S-15)."""
        return card_bought(seat, state.row[0], len(state.lines[0]), unpack(state.cargo[0]))


@record
class Decline(Action):
    """Let the card that is offered go to the next in line (S-14)."""

    phase: ClassVar[Phase] = "purchase"
    rule: ClassVar[str] = "S-14"

    def outcome(self, state: Table, seat: int) -> Fact:
        """The worker goes home."""
        return card_declined(seat, state.row[0], len(state.lines[0]))


PLACE_WORKER = {card.id: PlaceWorker(card.id) for card in CARDS}
"""The move for each card: immutable, so made once."""
BUY = Buy()
DECLINE = Decline()
