"""The rules of The Speicherstadt behind the seam: who acts, what is refused, what a move leads to, what a viewer may know."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, ClassVar

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import Between
from kontor_games.domain.game import (
    DataSet,
    Fact,
    Ledger,
    MatchOverError,
    Move,
    NoSuchSeatError,
    NotYourTurnError,
    Options,
    Refusal,
    Result,
    Rules,
    UnknownMoveError,
    View,
    WrongPhaseError,
    record,
)
from kontor_games.domain.games.speicherstadt import flow, viewing
from kontor_games.domain.games.speicherstadt.cards import Deck
from kontor_games.domain.games.speicherstadt.facts import FACTS
from kontor_games.domain.games.speicherstadt.moves import MOVES, Action
from kontor_games.domain.games.speicherstadt.moves.bidding import DECLINE
from kontor_games.domain.games.speicherstadt.moves.listing import legal_moves
from kontor_games.domain.games.speicherstadt.moves.loading import FINISH_LOADING
from kontor_games.domain.games.speicherstadt.refusals import SeatCountError
from kontor_games.domain.games.speicherstadt.scene import scene
from kontor_games.domain.games.speicherstadt.state import NOBODY, WORKERS, Table
from kontor_games.domain.games.speicherstadt.telling import Teller

_ALONE = ((0,), (1,), (2,), (3,), (4,), ())
"""Each seat alone; the last stands for nobody."""
_TURN_RULES = {"demand": "S-13", "purchase": "S-14", "loading": "S-18"}
"""Who is asked when."""


@record
class SpeicherstadtOptions(Options):
    """What the creator of a match may choose."""

    simultaneous_loading: bool = False
    first_seat: Annotated[int, Between(0, 4)] | None = None


class Speicherstadt(Rules[Table]):
    """The first version of our statement of the rules."""

    version: ClassVar[int] = 1
    moves: ClassVar[tuple[type[Move], ...]] = MOVES
    facts: ClassVar[tuple[type[Fact], ...]] = FACTS
    options: ClassVar[type[Options]] = SpeicherstadtOptions
    seat_counts = (2, 3, 4, 5)

    def __init__(self, data: DataSet) -> None:
        """Reads what is printed on the cards."""
        super().__init__(data)
        self.deck = Deck(data.document)
        self._teller = Teller(self.deck)

    def table(self, seats: int, chosen: SpeicherstadtOptions) -> Table:
        """The empty table (S-1, S-3)."""
        if seats not in self.seat_counts:
            raise SeatCountError("the game is for 2 to 5 players", rule="S-1")
        first = chosen.first_seat
        if first is not None and first >= seats:
            raise NoSuchSeatError(
                f"seat {first} cannot be first player where there are {seats} seats", rule="S-7"
            )
        return Table(seats, self.deck, simultaneous=chosen.simultaneous_loading, named_first=first)

    def deal(self, state: Table, chance: Chance) -> list[Fact]:
        """Set-up and first supply."""
        ledger = Ledger(state, chance)
        flow.set_up(ledger, self.deck)
        return ledger.facts

    def to_act(self, state: Table) -> Sequence[int]:
        """One seat; in simultaneous loading all that have not finished (S-18)."""
        phase = state.phase
        if phase == "demand":
            placed, seats = state.placed, state.seats
            return _ALONE[(state.first + placed) % seats if placed < WORKERS * seats else NOBODY]
        if phase == "purchase":
            return _ALONE[state.asked]
        return state.loaders if state.simultaneous else state.loaders[:1]

    def verify(self, state: Table, seat: int, wanted: Move) -> None:
        """Who and when first, then the move's own check."""
        if isinstance(wanted, Action) and wanted.phase == state.phase and seat in self.to_act(state):
            refusal = wanted.check(state, seat)
        else:
            refusal = self._untimely(state, seat, wanted)
        if refusal is not None:
            raise refusal

    def _untimely(self, state: Table, seat: int, wanted: Move) -> Refusal:
        """Why this is no move for this seat now, whatever it says."""
        if not isinstance(wanted, Action):
            return UnknownMoveError(
                "The Speicherstadt has no such move; its moves are those of S-13, S-14 and S-19", rule="S-13"
            )
        if state.phase == "over":
            return MatchOverError("the match is over", rule="S-30")
        if not 0 <= seat < state.seats:
            return NoSuchSeatError(f"there is no seat {seat} at this table", rule="S-1")
        if wanted.phase != state.phase:
            return WrongPhaseError(
                f"{wanted.type} belongs to the phase {wanted.phase}; this is {state.phase}", rule=wanted.rule
            )
        return NotYourTurnError("others are to move now", rule=_TURN_RULES[state.phase])

    def decide(self, state: Table, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """The move's own fact, then what follows from it."""
        action: Action = verified  # type: ignore[assignment]  # verify lets no other move through
        done = action.outcome(state, seat)
        done.fold(state)
        if flow.nothing_follows(state, seat):
            return [done]
        ledger = Ledger(state, chance)
        ledger.facts.append(done)
        flow.follow(ledger, self.deck, seat)
        return ledger.facts

    def legal_moves(self, state: Table, seat: int) -> list[Move]:
        """Nothing for a seat that is not to act."""
        return legal_moves(state, seat) if seat in self.to_act(state) else []

    def quiet_moves(self, state: Table, seat: int) -> list[Move]:
        """An absent player spends no coin and no cube on purpose."""
        legal = self.legal_moves(state, seat)
        return [move for move in legal if move in (DECLINE, FINISH_LOADING)] or legal

    def result(self, state: Table) -> Result | None:
        """The score by category, with its sum."""
        if state.phase != "over":
            return None
        return Result(tuple(asdict(score) for score in state.scores), state.places)

    def view(self, state: Table, viewer: int) -> View:
        """Everything but the order of the pile and of the bag (S-9)."""
        return viewing.view(self.deck, state, viewer)

    def resample(self, state: Table, viewer: int, chance: Chance) -> Table:
        """The unseen cards of each season and the cubes in the bag in another order."""
        return viewing.resample(state, viewer, chance)

    def tell(self, state: Table, happened: Fact, viewer: int, names: Sequence[str]) -> str:
        """The fact as a sentence; there is nothing in it that a viewer may not know."""
        return self._teller.tell(state, happened, names)

    def scene(self, state: Table, viewer: int, names: Sequence[str]) -> str:
        """The row with its lines, and a line for each player."""
        return scene(self.deck, self._teller, state, names)
