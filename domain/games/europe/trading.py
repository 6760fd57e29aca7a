"""Trade between players: offers, answers, and why an offer can always be kept (E-30).

An offer shows that its maker holds what it gives. It lapses as soon as its maker gives away anything of a kind it gives, or is stolen from;
so an open offer can be accepted by whoever has what it wants, and neither its lapse nor its staying open tells what else is in a hand.
"""

from collections.abc import Sequence

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.checks import afford, afford_gold, in_phase
from kontor_games.domain.games.europe.facts_trade import (
    OfferDeclined,
    OfferMade,
    OffersLapsed,
    OfferWithdrawn,
    TradeMade,
)
from kontor_games.domain.games.europe.moves import (
    AcceptOffer,
    CounterOffer,
    DeclineOffer,
    OfferTrade,
    WithdrawOffer,
)
from kontor_games.domain.games.europe.refusals import (
    BadTermsError,
    NoSuchOfferError,
    NotTradingPartnersError,
    TooManyOffersError,
)
from kontor_games.domain.games.europe.resources import Terms, counts_of
from kontor_games.domain.games.europe.state import ACTION, EuropeState, Offer

OFFERS_ON_TURN = 6
OFFERS_OFF_TURN = 2
OPEN_OFFERS = 3
"""What each seat may do in one turn: with four players never more than 12 offers, and nobody can use up another's share."""


def quota(state: EuropeState, seat: int) -> int:
    """How many offers the seat may make in this turn."""
    return OFFERS_ON_TURN if seat == state.active else OFFERS_OFF_TURN


def may_offer(state: EuropeState, seat: int) -> bool:
    """Whether one more offer is within the limits, from somebody who has anything."""
    if state.offers_made[seat] >= quota(state, seat) or not (state.sizes[seat] or state.gold[seat]):
        return False
    return sum([offer.maker == seat for offer in state.offers]) < OPEN_OFFERS


def verify_limits(state: EuropeState, seat: int) -> None:
    """So that nobody is flooded."""
    if state.offers_made[seat] >= quota(state, seat):
        raise TooManyOffersError(f"You may make {quota(state, seat)} offers in this turn.", rule="E-30")
    if sum(offer.maker == seat for offer in state.offers) >= OPEN_OFFERS:
        raise TooManyOffersError(f"You may have {OPEN_OFFERS} offers open at once.", rule="E-30")


def verify_terms(state: EuropeState, seat: int, give: Terms, want: Terms) -> None:
    """Neither side empty, no kind on both, and the maker holds what is given."""
    given, wanted = (*counts_of(give), give.gold), (*counts_of(want), want.gold)
    if not any(given) or not any(wanted):
        raise BadTermsError("Each side of a trade gives something.", rule="E-30")
    if any(there and here for there, here in zip(given, wanted, strict=True)):
        raise BadTermsError("No kind may stand on both sides.", rule="E-30")
    afford(state, seat, counts_of(give), "E-30")
    afford_gold(state, seat, give.gold, "E-30")


def partners(state: EuropeState, seat: int, to: Sequence[int]) -> tuple[int, ...]:
    """To whom an offer goes: to the player on turn, or from that player to some others or to all."""
    others = (
        [other for other in range(state.seats) if other != seat] if seat == state.active else [state.active]
    )
    return tuple(other for other in others if not to or other in to)


def verify_offer(state: EuropeState, seat: int, wanted: OfferTrade) -> None:
    """After production, by or to the player on turn."""
    in_phase(state, ACTION)
    if len(set(wanted.to)) != len(wanted.to) or not set(wanted.to) <= set(partners(state, seat, ())):
        raise NotTradingPartnersError(
            "Trades are made between the player on turn and the others.", rule="E-30"
        )
    verify_limits(state, seat)
    verify_terms(state, seat, wanted.give, wanted.want)


def decide_offer(ledger: Ledger[EuropeState], seat: int, wanted: OfferTrade) -> None:
    """It is open to all it goes to."""
    state = ledger.state
    ledger.emit(
        OfferMade(
            state.offer_count + 1, seat, partners(state, seat, wanted.to), wanted.give, wanted.want, None
        )
    )


def find_offer(state: EuropeState, number: int) -> Offer | None:
    """The open offer with this number."""
    return next((offer for offer in state.offers if offer.number == number), None)


def offer_to(state: EuropeState, seat: int, number: int) -> Offer:
    """The open offer with this number, if it waits for this seat's answer."""
    in_phase(state, ACTION)
    offer = find_offer(state, number)
    if offer is None or seat not in offer.to:
        raise NoSuchOfferError(
            "No such offer is open to you: it was answered, withdrawn, or has lapsed.", rule="E-30"
        )
    return offer


def verify_counter(state: EuropeState, seat: int, wanted: CounterOffer) -> None:
    """An answer with terms of one's own."""
    offer_to(state, seat, wanted.offer)
    verify_limits(state, seat)
    verify_terms(state, seat, wanted.give, wanted.want)


def decide_counter(ledger: Ledger[EuropeState], seat: int, wanted: CounterOffer) -> None:
    """It declines the first offer."""
    state = ledger.state
    maker = offer_to(state, seat, wanted.offer).maker
    ledger.emit(OfferDeclined(wanted.offer, seat))
    ledger.emit(OfferMade(state.offer_count + 1, seat, (maker,), wanted.give, wanted.want, wanted.offer))


def verify_accept(state: EuropeState, seat: int, wanted: AcceptOffer) -> None:
    """The taker holds what is wanted; the maker holds what is given, else the offer had lapsed."""
    offer = offer_to(state, seat, wanted.offer)
    afford(state, seat, counts_of(offer.want), "E-30")
    afford_gold(state, seat, offer.want.gold, "E-30")


def decide_accept(ledger: Ledger[EuropeState], seat: int, wanted: AcceptOffer) -> None:
    """Both sides change hands at once."""
    offer = offer_to(ledger.state, seat, wanted.offer)
    ledger.emit(TradeMade(offer.number, offer.maker, seat, offer.give, offer.want))


def verify_decline(state: EuropeState, seat: int, wanted: DeclineOffer) -> None:
    """It waits for this seat's answer."""
    offer_to(state, seat, wanted.offer)


def decide_decline(ledger: Ledger[EuropeState], seat: int, wanted: DeclineOffer) -> None:
    """The others may still accept."""
    ledger.emit(OfferDeclined(wanted.offer, seat))


def verify_withdraw(state: EuropeState, seat: int, wanted: WithdrawOffer) -> None:
    """One's own offer."""
    in_phase(state, ACTION)
    offer = find_offer(state, wanted.offer)
    if offer is None or offer.maker != seat:
        raise NoSuchOfferError("You have no such offer open.", rule="E-30")


def decide_withdraw(ledger: Ledger[EuropeState], seat: int, wanted: WithdrawOffer) -> None:
    """Nobody can accept it any more."""
    ledger.emit(OfferWithdrawn(wanted.offer, seat))


def has_terms(state: EuropeState, seat: int, terms: Terms) -> bool:
    """Whether the player holds that."""
    at = seat * 5
    return state.gold[seat] >= terms.gold and all(
        state.hands[at + r] >= count for r, count in enumerate(counts_of(terms))
    )


def answer_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Every answer to an offer, and the offers one can take back."""
    for offer in state.offers:
        if seat in offer.to:
            if has_terms(state, seat, offer.want):
                found.append(AcceptOffer(offer.number))
            found.append(DeclineOffer(offer.number))
        elif offer.maker == seat:
            found.append(WithdrawOffer(offer.number))


def open_trades(state: EuropeState, seat: int) -> tuple[type[Move], ...]:
    """Offers can't be listed."""
    if not may_offer(state, seat):
        return ()
    return (OfferTrade, CounterOffer) if any(seat in offer.to for offer in state.offers) else (OfferTrade,)


def lapse_offers(ledger: Ledger[EuropeState], hands: list[int]) -> None:
    """After a move: the offers whose maker gave away something of a kind they give, or has not the gold any more."""
    state = ledger.state
    lapsed = tuple([offer.number for offer in state.offers if lost(state, offer, hands)])
    if lapsed:
        ledger.emit(OffersLapsed(lapsed))


def lost(state: EuropeState, offer: Offer, hands: list[int]) -> bool:
    """Whether the maker has less than before of a kind that is offered."""
    at = offer.maker * 5
    if state.gold[offer.maker] < offer.give.gold:
        return True
    return any(count and state.hands[at + r] < hands[at + r] for r, count in enumerate(counts_of(offer.give)))
