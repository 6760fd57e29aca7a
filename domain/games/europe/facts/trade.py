"""Trade between players (E-30)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import Terms, counts_of
from kontor_games.domain.games.europe.state import EuropeState, Offer


@record
class OfferMade(Fact):
    """A player offered a trade; everybody sees that the maker holds the offered cards."""

    offer: int
    seat: int
    to: tuple[int, ...]
    give: Terms
    want: Terms
    answers: int | None
    """The offer to which this one is a counter-offer."""

    def fold(self, state: EuropeState) -> None:
        state.offers += (Offer(self.offer, self.seat, self.to, self.give, self.want),)
        state.offer_count = self.offer
        state.offers_made[self.seat] += 1
        state.show(self.seat, counts_of(self.give))


@record
class OfferDeclined(Fact):
    """A player declined an offer; when the last one has, it is closed."""

    offer: int
    seat: int

    def fold(self, state: EuropeState) -> None:
        state.offers = tuple([left for offer in state.offers if (left := self._left(offer)).to])

    def _left(self, offer: Offer) -> Offer:
        if offer.number != self.offer:
            return offer
        return offer._replace(to=tuple([seat for seat in offer.to if seat != self.seat]))


@record
class OfferWithdrawn(Fact):
    """The maker of an offer withdrew it."""

    offer: int
    seat: int

    def fold(self, state: EuropeState) -> None:
        _close(state, (self.offer,))


@record
class OffersLapsed(Fact):
    """Offers lapsed because their makers gave away, or may have lost, offered cards."""

    offers: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        _close(state, self.offers)


@record
class TradeMade(Fact):
    """A player accepted an offer, and the trade was made."""

    offer: int
    maker: int
    taker: int
    give: Terms
    want: Terms

    def fold(self, state: EuropeState) -> None:
        _close(state, (self.offer,))
        state.hand_over(self.maker, self.taker, counts_of(self.give), self.give.gold)
        state.hand_over(self.taker, self.maker, counts_of(self.want), self.want.gold)


def _close(state: EuropeState, offers: tuple[int, ...]) -> None:
    state.offers = tuple([offer for offer in state.offers if offer.number not in offers])
