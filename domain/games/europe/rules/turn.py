"""The course of a turn: whose turn it is, what the match waits for, what moves have in common, and the end of the turn (E-20, E-49)."""

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import ge
from typing import Any, ClassVar, NamedTuple, TypeVar

from kontor_games.domain.game import Move, MoveRule, NotYourTurnError, Refusal, WrongPhaseError
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import Cards, counts_of, kind_of
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.facts.routes import RouteForgone
from kontor_games.domain.games.europe.facts.turn import TurnBegan, TurnEnded
from kontor_games.domain.games.europe.moves import EndTurn
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchPlaceError,
    PieceNotThereError,
)
from kontor_games.domain.games.europe.rules.ending import places_of
from kontor_games.domain.games.europe.rules.steps import EuropeLedger, Steps
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state import phases as p
from kontor_games.domain.toolkit.sentences import listed

M = TypeVar("M", bound=Move)
_WAITING = {
    p.DEALING: ("E-13", "The match has not been set up yet."),
    p.SET_UP_POST: ("E-12", "The first posts are being placed now."),
    p.SET_UP_NEUTRAL: ("E-12", "The neutral posts are being placed now."),
    p.SET_UP_ROUTE: ("E-12", "The first routes are being placed now."),
    p.ROLL: ("E-20", "The dice must be rolled first."),
    p.DISCARD: ("E-24", "Players who hold too many cards must give cards back first."),
    p.ROBBER: ("E-24", "The robber must be moved first."),
    p.THEFT: ("E-24", "The player on turn must first choose whom to steal from."),
    p.ACTION: ("E-20", "The dice have been rolled already, and nothing of this kind is to be chosen now."),
    p.CHAIN: ("E-41", "One of the equally short chains must be chosen first."),
    p.BONUS_ROUTE: ("E-42", "The free route of the double arrow must be built or given up first."),
    p.FREE_ROUTE: ("E-60", "The free routes of the safe conduct must be built or given up first."),
    p.TOKEN: ("E-45", "The number token of the new post must be chosen first."),
    p.GO_ON: ("E-46", "The caravan can't stay where two others stand: it must go on first."),
    p.OVER: ("E-70", "The match is over."),
}
"""Phase to the rule and the sentence with which a move of another phase is refused."""


class Situation(NamedTuple):
    """What decides which kinds of move are worth listing for a seat."""

    phase: int
    on_turn: bool
    moving: bool
    """Whether a caravan of the player on turn has begun to move."""
    offers: bool
    """Whether offers are open."""
    cards: frozenset[int] = frozenset()
    """The kinds of development cards that the seat may play."""
    hand: bytes = b""
    """The resource cards of the player on turn, in the action phase, each kind counted up to MOST_COUNTED."""


class EuropeRule(MoveRule[EuropeState, M, Steps]):
    """How one kind of move works. It can be made in some phases; a subclass says by whom, and what else it takes."""

    phases: ClassVar[tuple[int, ...]]
    """The phases in which such a move can be made."""
    off_turn: ClassVar[bool] = False
    """Whether other players than the one on turn can make it."""
    card: ClassVar[int | None] = None
    """The development card that it plays."""
    about_offers: ClassVar[bool] = False
    """Whether it takes an open offer."""
    ready: ClassVar[Sequence[Any]] = ()
    """All moves of this kind, if they are few."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def refusal(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        """Return why the move can't be made now, or None."""
        if seat != state.active and not self.off_turn:
            return NotYourTurnError("It is another player's turn.", rule="E-13")
        return self.blocked(state, seat, move) if state.phase in self.phases else wrong_phase(state)

    def blocked(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        """Return why this move can't be made although it is time for such moves, or None."""
        return None

    def fits(self, now: Situation) -> bool:
        """Return whether any such move may be legal in a situation."""
        if now.phase not in self.phases or not (now.on_turn or self.off_turn):
            return False
        return (self.card is None or self.card in now.cards) and (now.offers or not self.about_offers)

    def choices(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return the moves that are not blocked in a situation that fits: all that are ready, or a subclass says which."""
        return self.ready

    def listed(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return all moves of this kind that `refusal` allows."""
        return self.choices(state, seat) if self.fits(Situation(*situation(state, seat))) else ()

    def keeps_steps(self, state: EuropeState, move: M) -> bool:
        """Return whether a caravan keeps the steps it has left when this move is made (E-46)."""
        return False


class PurchaseRule(EuropeRule[M]):
    """A move that is paid for with resource cards."""

    price: ClassVar[Cards]

    def fits(self, now: Situation) -> bool:
        """Return also whether the hand holds the price."""
        return super().fits(now) and all(map(ge, now.hand, counts_of(self.price)))

    def unpaid(self, state: EuropeState, seat: int) -> Refusal | None:
        """Return the refusal if the player does not hold the price."""
        return lacks_cards(state, seat, counts_of(self.price), "E-40")


MOST_COUNTED = 3
"""Nothing costs more cards of one kind, so situations need not be told apart by more."""
_COUNTED = bytes(min(count, MOST_COUNTED) for count in range(256))
_NO_CARDS: frozenset[int] = frozenset()


@lru_cache(maxsize=1 << 12)
def _kinds(cards: tuple[int, ...]) -> frozenset[int]:
    return frozenset(map(kind_of, cards))


def situation(state: EuropeState, seat: int) -> tuple[Any, ...]:
    """Return the fields of the seat's situation; the phases in which nothing is bought come without a hand."""
    phase = state.phase
    if seat != state.active:
        return phase, False, False, bool(state.offers)
    cards = _NO_CARDS if state.card_played else _kinds(state.cards[seat])
    if phase != p.ACTION:
        return phase, True, state.moving >= 0, False, cards
    hand = bytes(state.hands[seat * 5 : seat * 5 + 5]).translate(_COUNTED)
    return phase, True, state.moving >= 0, bool(state.offers), cards, hand


def wrong_phase(state: EuropeState) -> Refusal:
    """Return the refusal of a move that belongs to another phase."""
    rule, sentence = _WAITING[state.phase]
    return WrongPhaseError(sentence, rule=rule)


def no_such_place(kind: str, name: str) -> Refusal:
    """Return the refusal of a move that names a place which is not on the board."""
    return NoSuchPlaceError(f"The board has no {kind} {name!r}.", rule="E-2")


def lacks_cards(state: EuropeState, seat: int, counts: Sequence[int], rule: str) -> Refusal | None:
    """Return the refusal if a hand does not hold so many cards."""
    hand = state.hand(seat)
    if all(map(ge, hand, counts)):
        return None
    lacking = [
        resource for resource, held, count in zip(RESOURCES, hand, counts, strict=True) if held < count
    ]
    return CannotPayError(f"You do not have enough {listed(lacking)}.", rule=rule)


def lacks_gold(state: EuropeState, seat: int, gold: int, rule: str) -> Refusal | None:
    """Return the refusal if a player has less gold than that."""
    return CannotPayError(f"This costs {gold} gold.", rule=rule) if state.gold[seat] < gold else None


# --- merchants and caravans come to the board in the same way (E-40) --------------------------------------------------------


def wrong_piece(pieces: list[int], moved: int | None, kind: str) -> Refusal | None:
    """Return the refusal if a piece that moves is not named although both are on the board, or named although one is left."""
    both = NOBODY not in pieces
    if both and moved is None:
        return NoPieceLeftError(f"Both your {kind}s are on the board: say which one to move.", rule="E-40")
    if moved is not None and not both:
        return PieceNotThereError(f"You have a {kind} left, so you can't move one.", rule="E-40")
    return None


def new_piece(pieces: list[int], moved: int | None) -> int:
    """Return the number of the piece that comes to the board."""
    return pieces.index(NOBODY) if moved is None else moved


def movable(pieces: list[int]) -> tuple[int | None, ...]:
    """Return what `moved` can be: nothing while a piece is left, else either of them."""
    return (None,) if NOBODY in pieces else (0, 1)


# --- the end of a turn -------------------------------------------------------------------------------------------------------

END_TURN = (EndTurn(),)
_turn_ended = cache(TurnEnded)
_turn_began = cache(TurnBegan)


class EndTurnRule(EuropeRule[EndTurn]):
    """After production a turn can be ended at any time, unless something but a free route is still to be chosen (E-49)."""

    phases: ClassVar = (p.ACTION, p.BONUS_ROUTE, p.FREE_ROUTE)
    quiet: ClassVar = True

    def blocked(self, state: EuropeState, seat: int, move: EndTurn) -> Refusal | None:
        """Return a refusal before the roll."""
        return None if state.rolled else wrong_phase(state)

    def facts(self, ledger: EuropeLedger, seat: int, move: EndTurn) -> None:
        """Give up free routes and end the turn."""
        if ledger.state.phase == p.BONUS_ROUTE:
            ledger.emit(RouteForgone(seat, "double_arrow"))
        if ledger.state.phase == p.FREE_ROUTE:
            ledger.emit(RouteForgone(seat, "safe_conduct"))
        ledger.emit(_turn_ended(seat))
        ledger.steps.begin_turn(ledger, seat)

    def choices(self, state: EuropeState, seat: int) -> Sequence[EndTurn]:
        """Return the move, after the roll."""
        return END_TURN if state.rolled else ()


def begin_turn(ledger: EuropeLedger, seat: int) -> None:
    """Begin the next player's turn, or end a match that has reached its limit (E-70)."""
    state = ledger.state
    if state.turn >= state.setting.turn_limit:
        ledger.emit(GameEnded("turn_limit", places_of(ledger)))
    else:
        ledger.emit(_turn_began((seat + 1) % state.seats, state.turn + 1))


def find_phase(state: EuropeState) -> int:
    """Return the phase by what is still to be chosen, the most urgent first."""
    if state.chains:
        return p.CHAIN
    if state.bonus >= 0:
        return p.BONUS_ROUTE
    if state.free_routes:
        return p.FREE_ROUTE
    if state.token_hexes:
        return p.TOKEN
    if state.robber_due:
        return p.DISCARD if any(state.due) else p.ROBBER
    if state.victims:
        return p.THEFT
    if state.index.full and must_go_on(state):
        return p.GO_ON
    return p.ACTION if state.rolled else p.ROLL


def must_go_on(state: EuropeState) -> bool:
    """Return whether the caravan that moves stands where it may not stay (E-46)."""
    if state.moving < 0:
        return False
    return state.caravans.count(state.caravan(state.active, state.moving)) > state.index.CARAVANS_ON_A_ROUTE
