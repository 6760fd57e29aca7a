"""The robber: cards given back on a 7, the robber's move, and the theft (E-24, E-62)."""

from typing import ClassVar

from kontor_games.domain.game import NotYourTurnError, Refusal
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import SINGLE, SINGLES, counts_of
from kontor_games.domain.games.europe.facts.robber import (
    CardsDiscarded,
    CardStolen,
    RobberMoved,
    RobberWoken,
    TheftForgone,
)
from kontor_games.domain.games.europe.facts.trade import OffersLapsed
from kontor_games.domain.games.europe.moves import (
    DiscardCard,
    DiscardCards,
    ForgoTheft,
    MoveRobber,
    StealCard,
)
from kontor_games.domain.games.europe.refusals import NoVictimError, RobberStaysError, WrongCountError
from kontor_games.domain.games.europe.rules.base import EuropeRule, M, lacks_cards
from kontor_games.domain.games.europe.rules.conditions import no_such_place
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import DISCARD, ROBBER, THEFT
from kontor_games.domain.toolkit.draws import weighted

HAND_LIMIT = 7
"""A player who holds more gives half of them back on a 7 (E-24)."""

_CARD_DISCARDED = tuple(tuple(CardsDiscarded(seat, single) for single in SINGLE) for seat in range(4))


def wake_robber(ledger: EuropeLedger) -> None:
    """Ask for half the cards of everybody who holds too many; then the robber has to move (E-24)."""
    due = [size // 2 if size > HAND_LIMIT else 0 for size in ledger.state.sizes]
    ledger.emit(RobberWoken(tuple(due)))


class DiscardRule(EuropeRule[M]):
    """The players who owe cards give them back, in any order (E-24)."""

    phases: ClassVar = (DISCARD,)
    off_turn: ClassVar = True

    def blocked(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        if not state.due[seat]:
            return NotYourTurnError("You do not have to give back any cards.", rule="E-24")
        return None


class DiscardCardRule(DiscardRule[DiscardCard]):
    """Cards are given back one by one (E-24)."""

    ready: ClassVar = tuple(DiscardCard(resource) for resource in RESOURCES)

    def blocked(self, state: EuropeState, seat: int, move: DiscardCard) -> Refusal | None:
        return super().blocked(state, seat, move) or lacks_cards(
            state, seat, SINGLES[RESOURCES.index(move.resource)], "E-24"
        )

    def facts(self, ledger: EuropeLedger, seat: int, move: DiscardCard) -> None:
        ledger.emit(_CARD_DISCARDED[seat][RESOURCES.index(move.resource)])


class DiscardCardsRule(DiscardRule[DiscardCards]):
    """All cards that are due are given back as one set (E-24)."""

    def blocked(self, state: EuropeState, seat: int, move: DiscardCards) -> Refusal | None:
        """Return a refusal unless the set is exactly what is due, and in the hand."""
        counts = counts_of(move.cards)
        if refusal := super().blocked(state, seat, move):
            return refusal
        if sum(counts) != state.due[seat]:
            return WrongCountError(f"You have to give back {state.due[seat]} cards.", rule="E-24")
        return lacks_cards(state, seat, counts, "E-24")

    def facts(self, ledger: EuropeLedger, seat: int, move: DiscardCards) -> None:
        ledger.emit(CardsDiscarded(seat, move.cards))

    def is_open(self, state: EuropeState, seat: int) -> bool:
        return state.phase == DISCARD and state.due[seat] > 0


class MoveRobberRule(EuropeRule[MoveRobber]):
    """The robber moves to another hex that bears a number (E-24)."""

    phases: ClassVar = (ROBBER,)

    def blocked(self, state: EuropeState, seat: int, move: MoveRobber) -> Refusal | None:
        hexagon = state.tables.board.hex_index.get(move.hex)
        if hexagon is None:
            return no_such_place("hex", move.hex)
        if hexagon == state.robber or not state.number[hexagon]:
            return RobberStaysError("The robber must move to another hex that has a number.", rule="E-24")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: MoveRobber) -> None:
        state, board = ledger.state, ledger.state.tables.board
        owners = {state.post[city] for city in board.posts_beside[board.hex_index[move.hex]]}
        victims = [
            other for other in range(state.seats) if other != seat and other in owners and state.sizes[other]
        ]
        ledger.emit(RobberMoved(seat, move.hex, tuple(victims)))

    def fast_listing(self, state: EuropeState, seat: int) -> list[MoveRobber]:
        """Return a move for each other hex with a number, by number."""
        ready, hexes_with = state.tables.move_robber, state.index.hexes_with
        return [ready[h] for hexes in hexes_with[1:] for h in hexes if h != state.robber]


class StealCardRule(EuropeRule[StealCard]):
    """A random card is stolen from a player beside the robber (E-24)."""

    phases: ClassVar = (THEFT,)
    ready: ClassVar = tuple(StealCard(seat) for seat in range(4))

    def blocked(self, state: EuropeState, seat: int, move: StealCard) -> Refusal | None:
        if move.victim not in state.victims:
            return NoVictimError("You can't steal from that player.", rule="E-24")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: StealCard) -> None:
        """Draw the card; since nobody else sees which it is, all offers of the victim lapse."""
        state, victim = ledger.state, move.victim
        resource = weighted(ledger.chance.draws("theft", state.theft_draws), state.hand(victim))
        ledger.emit(CardStolen(seat, victim, RESOURCES[resource]))
        lapsed = tuple([offer.number for offer in state.offers if offer.maker == victim])
        if lapsed:
            ledger.emit(OffersLapsed(lapsed))


class ForgoTheftRule(EuropeRule[ForgoTheft]):
    """Nobody has to steal (E-24)."""

    phases: ClassVar = (THEFT,)
    quiet: ClassVar = True
    ready: ClassVar = (ForgoTheft(),)

    def facts(self, ledger: EuropeLedger, seat: int, move: ForgoTheft) -> None:
        ledger.emit(TheftForgone(seat))
