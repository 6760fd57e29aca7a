"""The refusals of this game, besides those that all games share."""

from kontor_games.domain.game import Refusal


class NotYourCardError(Refusal):
    """The card is not in the player's hand."""


class TooManyOffersError(Refusal):
    """The player has made all the offers that a fair allows."""


class NoOfferError(Refusal):
    """No card is offered."""


class NotEnoughCoinsError(Refusal):
    """The price is higher than the player's coins."""
