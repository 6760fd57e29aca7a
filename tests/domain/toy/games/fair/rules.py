"""The rules of the Fair: one check per kind of move, one decision per kind of move."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import (
    DataSet,
    Fact,
    Ledger,
    MatchOverError,
    Move,
    NoSuchSeatError,
    NotYourTurnError,
    Refusal,
    Result,
    Rules,
    UnknownMoveError,
    View,
    WrongPhaseError,
)
from tests.domain.toy.games.fair import records as r
from tests.domain.toy.games.fair.state import Fair
from tests.domain.toy.games.fair.story import sentence


class NotYourCardError(Refusal):
    """The card is not in the seat's hand."""


class TooManyOffersError(Refusal):
    """The holder of the fair has offered often enough."""


class NoOfferError(Refusal):
    """There is nothing to take."""


class NotEnoughCoinsError(Refusal):
    """The price is more than the seat has."""


class FairRules(Rules[Fair]):
    """Rules T-1 to T-8."""

    version = 1
    moves = r.MOVES
    facts = r.FACTS
    options = r.FairOptions
    seat_counts = (2, 3, 4)

    def __init__(self, data: DataSet) -> None:
        """Reads the values of the cards."""
        super().__init__(data)
        self.values = tuple(data.document["values"])

    def table(self, seats: int, chosen: Any) -> Fair:
        """T-1, T-2."""
        if seats not in self.seat_counts:
            raise NoSuchSeatError(f"{seats} seats cannot play; 2 to 4 can", rule="T-1")
        return Fair(seats, chosen.rounds, chosen.coins, self.values)

    def deal(self, state: Fair, chance: Chance) -> list[Fact]:
        """T-2, and the beginning of the first round."""
        ledger = Ledger(state, chance)
        ledger.emit(r.DeckShuffled(tuple(chance.draws("deck", 0).shuffled(range(len(self.values))))))
        for _ in range(2):
            _everybody_draws(ledger)
        _begin_round(ledger, 1)
        return ledger.facts

    def to_act(self, state: Fair) -> Sequence[int]:
        """In T-3 all who have not laid, in T-5 the holder of the fair."""
        if state.result is not None:
            return ()
        if state.holder is not None:
            return (state.holder,)
        return [seat for seat, card in enumerate(state.laid) if card is None]

    def may_act(self, state: Fair) -> Sequence[int]:
        """T-6: whoever can pay may answer an offer, out of turn."""
        if state.offer is None or state.result is not None:
            return self.to_act(state)
        return [seat for seat, coins in enumerate(state.coins) if seat == state.holder or coins >= state.offer[1]]

    def verify(self, state: Fair, seat: int, wanted: Move) -> None:
        """T-8, then what the kind of move asks for."""
        if state.result is not None:
            raise MatchOverError("the match is over", rule="T-8")
        if not 0 <= seat < len(state.hands):
            raise NoSuchSeatError(f"there is no seat {seat}", rule="T-8")
        check = _CHECKS.get(type(wanted))
        if check is None:
            raise UnknownMoveError(f"the Fair has no move {wanted.type}", rule="T-8")
        check(state, seat, wanted)

    def decide(self, state: Fair, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """What the move does, and what follows by itself."""
        ledger = Ledger(state, chance)
        match verified:
            case r.LayCard(card):
                ledger.emit(r.CardLaid(seat, card))
                if None not in state.laid:
                    _take_round(ledger)
            case r.OfferCard(card, price):
                ledger.emit(r.OfferMade(seat, price, card))
            case r.TakeOffer():
                seller, card, price = _standing_offer(state)
                ledger.emit(r.CardSold(seller, seat, price, card))
            case r.CloseFair():
                ledger.emit(r.FairClosed(seat))
                _go_on(ledger)
        return ledger.facts

    def legal_moves(self, state: Fair, seat: int) -> list[Move]:
        """Candidates that pass the check; offers are open."""
        candidates = [*map(r.LayCard, sorted(state.hands[seat])), r.TakeOffer(), r.CloseFair()]
        return [move for move in candidates if self._passes(state, seat, move)]

    def open_moves(self, state: Fair, seat: int) -> Sequence[type[Move]]:
        """T-5: prices are too many to list."""
        hand = state.hands[seat]
        return (r.OfferCard,) if hand and self._passes(state, seat, r.OfferCard(hand[0], 0)) else ()

    def _passes(self, state: Fair, seat: int, move: Move) -> bool:
        try:
            self.verify(state, seat, move)
        except Refusal:
            return False
        return True

    def view(self, state: Fair, viewer: int) -> View:
        """Hands are their owners' to see, and the offered card its owner's."""
        seen = range(len(state.hands)) if viewer == ARBITER else (viewer,)
        turned_up = state.holder is not None
        view: View = {
            "round": state.round,
            "rounds": state.rounds,
            "pile": list(state.pile) if viewer == ARBITER else len(state.pile),
            "holder": state.holder,
            "offers": state.offers,
            "offer": state.offer and {"price": state.offer[1], **({"card": state.offer[0]} if state.holder in seen else {})},
            "waits_for": list(self.to_act(state)),
            "seats": [],
        }
        for seat, hand in enumerate(state.hands):
            public = {"cards": len(hand), "coins": state.coins[seat], "points": state.points[seat], "laid": state.laid[seat] is not None}
            own = {"hand": sorted(hand)} if seat in seen else {}
            table = {"card": state.laid[seat]} if turned_up or seat in seen else {}
            view["seats"].append({**public, **own, **table})
        return view

    def result(self, state: Fair) -> Result | None:
        """T-7."""
        if state.result is None:
            return None
        scores = [{"points": points, "coins": coins} for points, coins in zip(state.points, state.coins, strict=True)]
        return Result(tuple(scores), state.result[1])

    def resample(self, state: Fair, viewer: int, chance: Chance) -> Fair:
        """The pile, the others' hands and what they laid face down, dealt anew."""
        other = state.copy()
        if viewer == ARBITER:
            return other
        hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
        covered = {seat: card for seat in hidden if (card := state.laid[seat]) is not None and state.holder is None}
        unseen = [*state.pile, *covered.values(), *(card for seat in hidden for card in state.hands[seat])]
        other.pile = chance.draws("resample", 0).shuffled(sorted(unseen))
        for seat in hidden:
            other.hands[seat] = [other.pile.pop() for _ in state.hands[seat]]
        for seat in covered:
            other.laid[seat] = other.pile.pop()
        if state.offer is not None and state.holder in hidden:
            place = state.hands[state.holder].index(state.offer[0])
            other.offer = (other.hands[state.holder][place], state.offer[1])
        return other

    def tell(self, state: Fair, happened: Fact, viewer: int, names: Sequence[str]) -> str:
        """One sentence per fact."""
        return sentence(self.fact_codec.redacted(happened, viewer), state.values, names)


def _everybody_draws(ledger: Ledger[Fair]) -> None:
    for seat in range(len(ledger.state.hands)):
        ledger.emit(r.CardDrawn(seat, ledger.state.pile[-1]))


def _begin_round(ledger: Ledger[Fair], number: int) -> None:
    ledger.emit(r.RoundBegun(number))
    _everybody_draws(ledger)


def _take_round(ledger: Ledger[Fair]) -> None:
    """T-4."""
    state = ledger.state
    ledger.emit(r.CardsTurnedUp(tuple(card for card in state.laid if card is not None)))
    shown = [state.values[card] for card in state.laid if card is not None]
    best = tuple(seat for seat, value in enumerate(shown) if value == max(shown))
    winner = best[0]
    if len(best) > 1:
        winner = best[ledger.chance.draws("tie", state.round - 1).below(len(best))]
        ledger.emit(r.TieBroken(best, winner))
    ledger.emit(r.RoundTaken(winner, 3))


def _go_on(ledger: Ledger[Fair]) -> None:
    """T-3, T-7."""
    state = ledger.state
    if state.round < state.rounds:
        return _begin_round(ledger, state.round + 1)
    totals = [points + coins for points, coins in zip(state.points, state.coins, strict=True)]
    places = tuple(1 + sum(other > total for other in totals) for total in totals)
    return ledger.emit(r.MatchScored(tuple(state.points), tuple(state.coins), places))


def _check_lay(state: Fair, seat: int, wanted: r.LayCard) -> None:
    if state.holder is not None:
        raise WrongPhaseError("cards are laid before the fair opens", rule="T-3")
    if state.laid[seat] is not None:
        raise NotYourTurnError("you have laid your card", rule="T-3")
    if wanted.card not in state.hands[seat]:
        raise NotYourCardError(f"card {wanted.card} is not in your hand", rule="T-3")


def _check_holds_the_fair(state: Fair, seat: int) -> None:
    if state.holder is None:
        raise WrongPhaseError("the fair opens when all have laid a card", rule="T-5")
    if seat != state.holder:
        raise NotYourTurnError("another seat holds the fair", rule="T-5")


def _check_offer(state: Fair, seat: int, wanted: r.OfferCard) -> None:
    _check_holds_the_fair(state, seat)
    if wanted.card not in state.hands[seat]:
        raise NotYourCardError(f"card {wanted.card} is not in your hand", rule="T-5")
    if state.offers >= 3:
        raise TooManyOffersError("you have offered three times", rule="T-5")


def _standing_offer(state: Fair) -> tuple[int, int, int]:
    """Who offers which card for how much."""
    if state.holder is None or state.offer is None:
        raise NoOfferError("nothing is offered", rule="T-6")
    return state.holder, *state.offer


def _check_take(state: Fair, seat: int, wanted: r.TakeOffer) -> None:
    seller, _, price = _standing_offer(state)
    if seat == seller:
        raise NotYourTurnError("you cannot take your own offer", rule="T-6")
    if state.coins[seat] < price:
        raise NotEnoughCoinsError(f"the card costs {price} coins", rule="T-6")


def _check_close(state: Fair, seat: int, wanted: r.CloseFair) -> None:
    _check_holds_the_fair(state, seat)


_CHECKS: dict[type[Move], Callable[[Fair, int, Any], None]] = {
    r.LayCard: _check_lay,
    r.OfferCard: _check_offer,
    r.TakeOffer: _check_take,
    r.CloseFair: _check_close,
}
