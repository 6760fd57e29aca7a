"""The refusals of this game: one class for each condition, raised with the number of its rule."""

from kontor_games.domain.game import Refusal


class BadOptionsError(Refusal):
    """The options of a match do not fit together."""


class NoSuchPlaceError(Refusal):
    """The board has no such city, path, crossroads or hex."""


class NotVioletError(Refusal):
    """In this match, first posts go to violet cities only."""


class VioletError(Refusal):
    """In this match, first posts cannot go to violet cities."""


class CityTakenError(Refusal):
    """A post stands there already."""


class PathTakenError(Refusal):
    """A route lies there already."""


class NotBesideError(Refusal):
    """The place is not beside the required one."""


class JoinsCitiesError(Refusal):
    """In the set-up no chain of routes may join two cities."""


class CannotPayError(Refusal):
    """You cannot pay this price."""


class SupplyEmptyError(Refusal):
    """The supply holds no such card."""


class WrongCountError(Refusal):
    """That is not the required number of cards."""


class RobberStaysError(Refusal):
    """The robber must move, and to a hex that bears a number."""


class NoVictimError(Refusal):
    """There is nothing to steal from that player."""


class OncePerTurnError(Refusal):
    """That has been done as often as a turn allows."""


class SameKindError(Refusal):
    """A kind can't be given for itself."""


class NoPieceLeftError(Refusal):
    """No such piece is left."""


class PieceNotThereError(Refusal):
    """That piece is not on the board, or the move names the wrong one."""


class PlaceOccupiedError(Refusal):
    """Other pieces stand there, so the move can't end there."""


class NoSuchChoiceError(Refusal):
    """That is not one of the choices."""


class OutOfReachError(Refusal):
    """That is farther than the move can go."""


class PriceDiffersError(Refusal):
    """The move states a wrong price."""


class NothingToDeliverError(Refusal):
    """None of your goods is free."""


class CannotDeliverError(Refusal):
    """No good can be left there now."""


class NoSuchCardError(Refusal):
    """You hold no such card that may be played this turn."""


class NothingLeftError(Refusal):
    """There is nothing left to give up."""


class NoSuchOfferError(Refusal):
    """No such offer is open to you."""


class BadTermsError(Refusal):
    """The exchange is not a valid trade."""


class NotTradingPartnersError(Refusal):
    """Trades are made with the player on turn only."""


class TooManyOffersError(Refusal):
    """You have made as many offers as a turn allows."""
