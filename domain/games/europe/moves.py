"""What a seat can do. Places are named by their ids, caravans and merchants by their number (0 or 1) among one's own."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Length
from kontor_games.domain.game import Move, record
from kontor_games.domain.games.europe.data.components import Cards, Resource, Terms

Id = Annotated[str, Length(1, 40)]
Piece = Annotated[int, Between(0, 1)]
Seat = Annotated[int, Between(0, 3)]
Price = Annotated[int, Between(0, 19)]
OfferNumber = Annotated[int, Between(1, 100_000)]

LONGEST_WALK = 62
"""All 19 salt move a caravan 57 routes; five more may be left of the move before."""


@record
class PlaceStartPost(Move):
    """Puts one of the first three posts on a starting site (E-12)."""

    city: Id


@record
class PlaceNeutralPost(Move):
    """Puts a neutral post on a violet city, with three players (E-12)."""

    city: Id


@record
class PlaceStartRoute(Move):
    """Puts the first route, with a caravan on it, beside a post of one's own (E-12)."""

    path: Id


@record
class RollDice(Move):
    """Rolls for production (E-20)."""


@record
class DiscardCard(Move):
    """Gives back one resource card after a 7 (E-24)."""

    resource: Resource


@record
class DiscardCards(Move):
    """Gives back, as one set, all cards that are due after a 7 (E-24)."""

    cards: Cards


@record
class MoveRobber(Move):
    """Moves the robber to another hex that bears a number (E-24)."""

    hex: Id


@record
class StealCard(Move):
    """Takes a random resource card from a player beside the robber (E-24)."""

    victim: Seat


@record
class ForgoTheft(Move):
    """Takes nothing from anybody (E-24)."""


@record
class BuyResource(Move):
    """Buys one resource from the supply for 2 gold (E-31)."""

    resource: Resource


@record
class TradeWithSupply(Move):
    """Gives 3 alike to the supply for another resource or for 1 gold (E-32)."""

    give: Resource
    take: Literal["lumber", "wool", "grain", "ore", "salt", "gold"]


@record
class BuyCard(Move):
    """Buys a development card (E-40)."""


@record
class HireMerchant(Move):
    """Puts a merchant on a post of one's own; with both on the board already, `moved` says which of them (E-40)."""

    city: Id
    moved: Piece | None = None


@record
class FormCaravan(Move):
    """Puts a caravan on a route of one's own beside one's post; with both on the board already, `moved` says which of them (E-40)."""

    path: Id
    moved: Piece | None = None


@record
class BuildRoute(Move):
    """Lays a route: paid (E-40), by a double arrow (E-42) or by a safe conduct (E-60), whichever it is time for."""

    path: Id


@record
class ForgoRoute(Move):
    """Does without a free route that is due (E-42, E-60)."""


@record
class ChooseChain(Move):
    """Picks which of several equally short chains pays its owners (E-41)."""

    chain: Annotated[tuple[Id, ...], Length(1, 200)]


@record
class MoveMerchant(Move):
    """Moves a merchant to a crossroads, 1 grain for every 3 steps begun; where `grain` is given, that must be the price (E-43)."""

    merchant: Piece
    to: Id
    grain: Price | None = None


@record
class PlaceToken(Move):
    """Has a random token from the sea put on an unnumbered hex beside the new post (E-45)."""

    hex: Id


@record
class ShiftToken(Move):
    """Moves a token from another hex of the same terrain to one beside the new post, the sea holding none (E-45)."""

    source: Id
    hex: Id


@record
class LeaveHexEmpty(Move):
    """Leaves a hex beside the new post without number, the sea holding no token of its colour (E-45)."""


@record
class MoveCaravan(Move):
    """Moves a caravan along routes; where `salt` and `toll` are given, these must be the price (E-46, E-47)."""

    caravan: Piece
    path: Annotated[tuple[Id, ...], Length(1, LONGEST_WALK)]
    salt: Price | None = None
    toll: Price | None = None


@record
class Halt(Move):
    """Gives up the steps that a caravan has left (E-46)."""


@record
class Deliver(Move):
    """Leaves a good at a post beside one's caravan (E-48)."""

    city: Id


@record
class PlaySafeConduct(Move):
    """Plays the card for up to two free routes (E-60)."""


@record
class PlayTreatyForGold(Move):
    """Plays a trade treaty and takes 3 gold (E-61)."""


@record
class PlayTreatyForMerchant(Move):
    """Plays a trade treaty and moves a merchant up to 7 crossroads (E-61)."""

    merchant: Piece
    to: Id


@record
class PlayLancer(Move):
    """Plays a lancer: 2 gold, and the robber moves (E-62)."""


@record
class PlayBribe(Move):
    """Plays a bribe: up to 5 routes free and without tolls for one caravan (E-63)."""

    caravan: Piece


@record
class OfferTrade(Move):
    """Offers a trade: the player on turn to some others (or to all, where `to` is empty), another to the player on turn (E-30)."""

    give: Terms
    want: Terms
    to: Annotated[tuple[Seat, ...], Length(0, 3)] = ()


@record
class CounterOffer(Move):
    """Declines an offer and makes another one to its maker instead (E-30)."""

    offer: OfferNumber
    give: Terms
    want: Terms


@record
class AcceptOffer(Move):
    """Takes an offer: the trade is made at once (E-30)."""

    offer: OfferNumber


@record
class DeclineOffer(Move):
    """Turns an offer down (E-30)."""

    offer: OfferNumber


@record
class WithdrawOffer(Move):
    """Takes one's own offer back (E-30)."""

    offer: OfferNumber


@record
class EndTurn(Move):
    """Ends the turn (E-49)."""
