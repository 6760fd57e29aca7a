"""The moves."""

from typing import Annotated

from kontor_games.domain.codec import Between
from kontor_games.domain.game import Move, record

Card = Annotated[int, Between(0, 999)]
Coins = Annotated[int, Between(0, 1000)]


@record
class LayCard(Move):
    """Lay a card of your hand face down (T-3)."""

    card: Card


@record
class OfferCard(Move):
    """Offer a card of your hand for a price (T-5)."""

    card: Card
    price: Coins


@record
class TakeOffer(Move):
    """Buy the card that is offered (T-6)."""


@record
class CloseFair(Move):
    """Close the fair (T-5)."""
