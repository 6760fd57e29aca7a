"""Trade: with the supply for gold or for three cards of one kind, and between players (E-30, E-31, E-32).

An offer shows that its maker holds the offered cards. It lapses as soon as its maker gives away a card of an
offered kind, or is stolen from. So anybody who holds the wanted cards can accept an open offer, and neither
its lapse nor its staying open reveals other cards of a hand.
"""

from collections.abc import Sequence
from functools import cache
from itertools import compress
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import GOLD, TERMS, Terms, counts_of
from kontor_games.domain.games.europe.facts.buying import ResourceBought, SupplyTraded
from kontor_games.domain.games.europe.facts.trade import (
    OfferDeclined,
    OfferMade,
    OffersLapsed,
    OfferWithdrawn,
    TradeMade,
)
from kontor_games.domain.games.europe.moves import (
    AcceptOffer,
    BuyResource,
    CounterOffer,
    DeclineOffer,
    OfferTrade,
    TradeWithSupply,
    WithdrawOffer,
)
from kontor_games.domain.games.europe.refusals import (
    BadTermsError,
    CannotPayError,
    NoSuchOfferError,
    NotTradingPartnersError,
    OncePerTurnError,
    SameKindError,
    SupplyEmptyError,
    TooManyOffersError,
)
from kontor_games.domain.games.europe.rules.base import EuropeRule, M, Situation, lacks_cards, lacks_gold
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState, Offer
from kontor_games.domain.games.europe.state.phases import ACTION

BUY_RESOURCE = tuple(BuyResource(resource) for resource in RESOURCES)
SUPPLY_TRADES = tuple(
    tuple(TradeWithSupply(give, take) for take in TERMS if take != give) for give in RESOURCES
)
"""For each resource given, the moves that take something else for it."""
_supply_traded = cache(SupplyTraded)
_resource_bought = cache(ResourceBought)


def not_in_supply(state: EuropeState, take: str) -> Refusal | None:
    """Return the refusal if the supply holds none of it; it always has gold (E-5, E-32)."""
    if take == GOLD or state.supply[RESOURCES.index(take)]:
        return None
    return SupplyEmptyError(f"The supply holds no {take}.", rule="E-32")


class BuyResourceRule(EuropeRule[BuyResource]):
    """Gold buys a resource from the supply, a limited number of times a turn (E-31)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = 2
    times_a_turn: ClassVar = 2

    def blocked(self, state: EuropeState, seat: int, move: BuyResource) -> Refusal | None:
        if state.gold_buys >= self.times_a_turn:
            return OncePerTurnError(f"Gold buys at most {self.times_a_turn} resources a turn.", rule="E-31")
        return lacks_gold(state, seat, self.price, "E-31") or not_in_supply(state, move.resource)

    def facts(self, ledger: EuropeLedger, seat: int, move: BuyResource) -> None:
        ledger.emit(_resource_bought(seat, move.resource, self.price))

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[BuyResource]:
        if state.gold[seat] < self.price or state.gold_buys >= self.times_a_turn:
            return ()
        return (
            BUY_RESOURCE
            if all(state.supply)
            else [move for move in BUY_RESOURCE if not not_in_supply(state, move.resource)]
        )


class TradeWithSupplyRule(EuropeRule[TradeWithSupply]):
    """Several cards alike buy another resource, or gold, any number of times (E-32)."""

    phases: ClassVar = (ACTION,)
    alike: ClassVar = 3

    def __init__(self) -> None:
        """Start with an empty cache of trades, by the kinds that are held often enough."""
        self._enough = bytes(count >= self.alike for count in range(256))
        self._trades = cache(self._find_trades)

    def _find_trades(self, enough: bytes) -> list[TradeWithSupply]:
        return [move for trades in compress(SUPPLY_TRADES, enough) for move in trades]

    def blocked(self, state: EuropeState, seat: int, move: TradeWithSupply) -> Refusal | None:
        if move.give == move.take:
            return SameKindError("You must take something other than you give.", rule="E-32")
        if state.held(seat, RESOURCES.index(move.give)) < self.alike:
            return CannotPayError(f"This costs {self.alike} {move.give}.", rule="E-32")
        return not_in_supply(state, move.take)

    def fits(self, now: Situation) -> bool:
        return max(now.hand) >= self.alike

    def counts(self) -> tuple[int, ...]:
        return (self.alike,)

    def facts(self, ledger: EuropeLedger, seat: int, move: TradeWithSupply) -> None:
        ledger.emit(_supply_traded(seat, move.give, self.alike, move.take))

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[TradeWithSupply]:
        found = self._trades(bytes(state.hand(seat)).translate(self._enough))
        return found if all(state.supply) else [move for move in found if not not_in_supply(state, move.take)]


class TradeRule(EuropeRule[M]):
    """After production, the player on turn and one other trade; a caravan keeps its steps (E-30, E-46)."""

    phases: ClassVar = (ACTION,)
    off_turn: ClassVar = True
    steps_stay: ClassVar = True


class NewOfferRule(TradeRule[M]):
    """An offer keeps to the limits, so that nobody is flooded, and its maker holds what it gives (E-30)."""

    on_turn: ClassVar = 6
    """How many offers the player on turn may make in a turn."""
    others: ClassVar = 2
    """How many offers everybody else may make in a turn."""
    at_once: ClassVar = 3
    """How many offers of one player may be open at once."""

    def too_many(self, state: EuropeState, seat: int) -> Refusal | None:
        """Return a refusal if the player has reached a limit."""
        quota = self.on_turn if seat == state.active else self.others
        if state.offers_made[seat] >= quota:
            return TooManyOffersError(f"You can make at most {quota} offers in this turn.", rule="E-30")
        if sum([offer.maker == seat for offer in state.offers]) >= self.at_once:
            return TooManyOffersError(
                f"You can have at most {self.at_once} offers open at once.", rule="E-30"
            )
        return None

    def bad_terms(self, state: EuropeState, seat: int, give: Terms, want: Terms) -> Refusal | None:
        """Return a refusal if a side is empty, a kind is on both sides, or the maker lacks what is given."""
        given, wanted = give.amounts().keys(), want.amounts().keys()
        if not given or not wanted:
            return BadTermsError("Each side of a trade must give something.", rule="E-30")
        if given & wanted:
            return BadTermsError("The same kind can't stand on both sides of a trade.", rule="E-30")
        return lacks_terms(state, seat, give)

    def is_open(self, state: EuropeState, seat: int) -> bool:
        """Return whether the player has anything to offer and no limit is reached."""
        return bool(state.sizes[seat] or state.gold[seat]) and self.too_many(state, seat) is None


class OfferTradeRule(NewOfferRule[OfferTrade]):
    """The player on turn offers to some others or to all, another player to the one on turn (E-30)."""

    def partners(self, state: EuropeState, seat: int) -> tuple[int, ...]:
        """Return with whom a player can trade."""
        if seat != state.active:
            return (state.active,)
        return tuple([other for other in range(state.seats) if other != seat])

    def blocked(self, state: EuropeState, seat: int, move: OfferTrade) -> Refusal | None:
        if len(set(move.to)) != len(move.to) or not set(move.to) <= set(self.partners(state, seat)):
            return NotTradingPartnersError(
                "Only the player on turn and one other player can trade.", rule="E-30"
            )
        return self.too_many(state, seat) or self.bad_terms(state, seat, move.give, move.want)

    def facts(self, ledger: EuropeLedger, seat: int, move: OfferTrade) -> None:
        state = ledger.state
        to = tuple(other for other in self.partners(state, seat) if not move.to or other in move.to)
        ledger.emit(OfferMade(state.offer_count + 1, seat, to, move.give, move.want, None))


class CounterOfferRule(NewOfferRule[CounterOffer]):
    """An offer is declined, and another one is made to its maker (E-30)."""

    def blocked(self, state: EuropeState, seat: int, move: CounterOffer) -> Refusal | None:
        return (
            not_offered(state, seat, move.offer)
            or self.too_many(state, seat)
            or self.bad_terms(state, seat, move.give, move.want)
        )

    def facts(self, ledger: EuropeLedger, seat: int, move: CounterOffer) -> None:
        state = ledger.state
        maker = state.offer(move.offer).maker
        ledger.emit(OfferDeclined(move.offer, seat))
        ledger.emit(OfferMade(state.offer_count + 1, seat, (maker,), move.give, move.want, move.offer))

    def is_open(self, state: EuropeState, seat: int) -> bool:
        return any(seat in offer.to for offer in state.offers) and super().is_open(state, seat)


class AnswerRule(TradeRule[M]):
    """A move about an open offer; such moves are listed offer by offer."""

    about_offers: ClassVar = True


class AcceptOfferRule(AnswerRule[AcceptOffer]):
    """The first who accepts and can pay trades at once (E-30). An offer lapses when its maker can't pay."""

    def blocked(self, state: EuropeState, seat: int, move: AcceptOffer) -> Refusal | None:
        if refusal := not_offered(state, seat, move.offer):
            return refusal
        return lacks_terms(state, seat, state.offer(move.offer).want)

    def facts(self, ledger: EuropeLedger, seat: int, move: AcceptOffer) -> None:
        offer = ledger.state.offer(move.offer)
        ledger.emit(TradeMade(offer.number, offer.maker, seat, offer.give, offer.want))

    def candidates(self, state: EuropeState, seat: int) -> list[AcceptOffer]:
        return [AcceptOffer(offer.number) for offer in state.offers]


class DeclineOfferRule(AnswerRule[DeclineOffer]):
    """An offer is declined; others may still accept it (E-30)."""

    def blocked(self, state: EuropeState, seat: int, move: DeclineOffer) -> Refusal | None:
        return not_offered(state, seat, move.offer)

    def facts(self, ledger: EuropeLedger, seat: int, move: DeclineOffer) -> None:
        ledger.emit(OfferDeclined(move.offer, seat))

    def candidates(self, state: EuropeState, seat: int) -> list[DeclineOffer]:
        return [DeclineOffer(offer.number) for offer in state.offers]


class WithdrawOfferRule(AnswerRule[WithdrawOffer]):
    """An offer is withdrawn by its maker (E-30)."""

    def blocked(self, state: EuropeState, seat: int, move: WithdrawOffer) -> Refusal | None:
        if (move.offer, seat) in [(offer.number, offer.maker) for offer in state.offers]:
            return None
        return NoSuchOfferError("You have no such offer open.", rule="E-30")

    def facts(self, ledger: EuropeLedger, seat: int, move: WithdrawOffer) -> None:
        ledger.emit(OfferWithdrawn(move.offer, seat))

    def candidates(self, state: EuropeState, seat: int) -> list[WithdrawOffer]:
        return [WithdrawOffer(offer.number) for offer in state.offers]


def not_offered(state: EuropeState, seat: int, number: int) -> Refusal | None:
    """Return a refusal unless an offer with this number waits for this seat's answer."""
    if any(offer.number == number and seat in offer.to for offer in state.offers):
        return None
    return NoSuchOfferError(
        "No such offer is open to you: it was answered or withdrawn, or has lapsed.", rule="E-30"
    )


def lacks_terms(state: EuropeState, seat: int, terms: Terms) -> Refusal | None:
    """Return a refusal unless the player holds these cards and this gold."""
    return lacks_cards(state, seat, counts_of(terms), "E-30") or lacks_gold(state, seat, terms.gold, "E-30")


def lapse_offers(ledger: EuropeLedger, hands: list[int]) -> None:
    """Close the offers whose maker gave away cards of an offered kind, or no longer has the gold."""
    lapsed = tuple([offer.number for offer in ledger.state.offers if _lost(ledger.state, offer, hands)])
    if lapsed:
        ledger.emit(OffersLapsed(lapsed))


def _lost(state: EuropeState, offer: Offer, hands: Sequence[int]) -> bool:
    """Return whether the maker has less than before of a kind that is offered."""
    at = offer.maker * 5
    if state.gold[offer.maker] < offer.give.gold:
        return True
    return any(count and state.hands[at + r] < hands[at + r] for r, count in enumerate(counts_of(offer.give)))
