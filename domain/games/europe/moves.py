"""The moves. Places are named by their ids, a player's caravans and merchants by their number (0 or 1)."""

from typing import Annotated

from kontor_games.domain.codec import Between, Length
from kontor_games.domain.game import Move, record
from kontor_games.domain.games.europe.data.board import Resource
from kontor_games.domain.games.europe.data.components import Cards, Term, Terms

Id = Annotated[str, Length(1, 40)]
Piece = Annotated[int, Between(0, 1)]
Seat = Annotated[int, Between(0, 3)]
Price = Annotated[int, Between(0, 19)]
OfferNumber = Annotated[int, Between(1, 100_000)]

MAX_WALK_LENGTH = 62
"""All 19 salt move a caravan 57 routes; up to five steps may be left from the move before."""


@record
class PlaceStartPost(Move):
    """Place one of your first three posts on a city that the set-up allows (E-12)."""

    city: Id


@record
class PlaceNeutralPost(Move):
    """Place a neutral post on a violet city, with three players (E-12)."""

    city: Id


@record
class PlaceStartRoute(Move):
    """Place the first route, with a caravan on it, beside a post of your own (E-12)."""

    path: Id


@record
class RollDice(Move):
    """Roll for production (E-20)."""


@record
class DiscardCard(Move):
    """Give back one resource card after a 7 (E-24)."""

    resource: Resource


@record
class DiscardCards(Move):
    """Give back, as one set, all cards that are due after a 7 (E-24)."""

    cards: Cards


@record
class MoveRobber(Move):
    """Move the robber to another hex that bears a number (E-24)."""

    hex: Id


@record
class StealCard(Move):
    """Steal a random resource card from a player beside the robber (E-24)."""

    victim: Seat


@record
class ForgoTheft(Move):
    """Steal from nobody (E-24)."""


@record
class BuyResource(Move):
    """Buy one resource from the supply for 2 gold (E-31)."""

    resource: Resource


@record
class TradeWithSupply(Move):
    """Give the supply 3 cards of one kind for another resource or for 1 gold (E-32)."""

    give: Resource
    take: Term


@record
class BuyCard(Move):
    """Buy a development card (E-40)."""


@record
class HireMerchant(Move):
    """Place a merchant on a post of your own; if both are on the board, `moved` says which to move (E-40)."""

    city: Id
    moved: Piece | None = None


@record
class FormCaravan(Move):
    """Place a caravan on your route beside your post; if both are on the board, `moved` says which (E-40)."""

    path: Id
    moved: Piece | None = None


@record
class BuildRoute(Move):
    """Build a route: paid (E-40), by a double arrow (E-42) or by a safe conduct (E-60), as the phase says."""

    path: Id


@record
class ForgoRoute(Move):
    """Decline a free route (E-42, E-60)."""


@record
class ChooseChain(Move):
    """Choose which of several equally short chains pays its owners (E-41)."""

    chain: Annotated[tuple[Id, ...], Length(1, 200)]


@record
class MoveMerchant(Move):
    """Move a merchant for 1 grain per 3 steps begun; a `grain` that is given must be the price (E-43)."""

    merchant: Piece
    to: Id
    grain: Price | None = None


@record
class PlaceToken(Move):
    """Place a random token from the sea on a hex without number beside the new post (E-45)."""

    hex: Id


@record
class ShiftToken(Move):
    """Move a token from another hex of the terrain to one beside the new post if the sea has none (E-45)."""

    source: Id
    hex: Id


@record
class LeaveHexEmpty(Move):
    """Leave a hex beside the new post without number, if the sea holds no token of its colour (E-45)."""


@record
class MoveCaravan(Move):
    """Move a caravan along routes; if `salt` and `toll` are given, they must be the price (E-46, E-47)."""

    caravan: Piece
    path: Annotated[tuple[Id, ...], Length(1, MAX_WALK_LENGTH)]
    salt: Price | None = None
    toll: Price | None = None


@record
class Halt(Move):
    """Give up the remaining steps of a caravan (E-46)."""


@record
class Deliver(Move):
    """Deliver a good to a post beside your caravan (E-48)."""

    city: Id


@record
class PlaySafeConduct(Move):
    """Play a safe conduct for up to two free routes (E-60)."""


@record
class PlayTreatyForGold(Move):
    """Play a trade treaty and take 3 gold (E-61)."""


@record
class PlayTreatyForMerchant(Move):
    """Play a trade treaty and move a merchant up to 7 crossroads (E-61)."""

    merchant: Piece
    to: Id


@record
class PlayLancer(Move):
    """Play a lancer: take 2 gold and move the robber (E-62)."""


@record
class PlayBribe(Move):
    """Play a bribe: one caravan moves up to 5 routes without salt and tolls (E-63)."""

    caravan: Piece


@record
class OfferTrade(Move):
    """Offer a trade: on your turn to the players in `to` or to all, else to the player on turn (E-30)."""

    give: Terms
    want: Terms
    to: Annotated[tuple[Seat, ...], Length(0, 3)] = ()


@record
class CounterOffer(Move):
    """Decline an offer and make another one to its maker (E-30)."""

    offer: OfferNumber
    give: Terms
    want: Terms


@record
class AcceptOffer(Move):
    """Accept an offer; the trade is made at once (E-30)."""

    offer: OfferNumber


@record
class DeclineOffer(Move):
    """Decline an offer (E-30)."""

    offer: OfferNumber


@record
class WithdrawOffer(Move):
    """Withdraw your own offer (E-30)."""

    offer: OfferNumber


@record
class EndTurn(Move):
    """End the turn (E-49)."""
