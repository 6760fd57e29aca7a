"""Trade between players (E-30)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.resources import Terms, counts_of
from kontor_games.domain.games.europe.state import EuropeState, Offer


@record
class OfferMade(Fact):
    """A trade is offered; everybody sees that its maker holds what it gives."""

    offer: int
    seat: int
    to: tuple[int, ...]
    give: Terms
    want: Terms
    answers: int | None
    """The offer to which this one is a counter-offer."""

    def fold(self, state: EuropeState) -> None:
        """It stays open until it is answered or lapses."""
        state.offers += (Offer(self.offer, self.seat, self.to, self.give, self.want),)
        state.offer_count = self.offer
        state.offers_made[self.seat] += 1
        state.show(self.seat, counts_of(self.give))


@record
class OfferDeclined(Fact):
    """One player turned an offer down; when the last has, it is gone."""

    offer: int
    seat: int

    def fold(self, state: EuropeState) -> None:
        """Those who have not answered still may."""
        state.offers = tuple([left for offer in state.offers if (left := self._left(offer)).to])

    def _left(self, offer: Offer) -> Offer:
        if offer.number != self.offer:
            return offer
        return offer._replace(to=tuple([seat for seat in offer.to if seat != self.seat]))


@record
class OfferWithdrawn(Fact):
    """An offer's maker took it back."""

    offer: int
    seat: int

    def fold(self, state: EuropeState) -> None:
        """Nobody can accept it any more."""
        _close(state, (self.offer,))


@record
class OffersLapsed(Fact):
    """Offers whose maker gave away, or may have lost, something of what they give."""

    offers: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        """Nobody can accept them any more."""
        _close(state, self.offers)


@record
class TradeMade(Fact):
    """An offer was accepted, and both sides changed hands."""

    offer: int
    maker: int
    taker: int
    give: Terms
    want: Terms

    def fold(self, state: EuropeState) -> None:
        """What the maker gives, the taker gets, and the other way round."""
        _close(state, (self.offer,))
        state.hand_over(self.maker, self.taker, counts_of(self.give), self.give.gold)
        state.hand_over(self.taker, self.maker, counts_of(self.want), self.want.gold)


def _close(state: EuropeState, offers: tuple[int, ...]) -> None:
    state.offers = tuple([offer for offer in state.offers if offer.number not in offers])


TRADE_FACTS: tuple[type[Fact], ...] = (OfferMade, OfferDeclined, OfferWithdrawn, OffersLapsed, TradeMade)
