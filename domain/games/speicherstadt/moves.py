"""The moves of The Speicherstadt. Cubes can be named in any order, and are stored in one order."""

from typing import Literal

from kontor_games.domain.game import Move, record
from kontor_games.domain.games.speicherstadt.data.cards import GOODS, Good
from kontor_games.domain.games.speicherstadt.state import Place


@record
class PlaceWorker(Move):
    """Put a worker at the end of the line of a card in the row (S-13)."""

    card: str


@record
class Buy(Move):
    """Buy the card that is offered, for as many coins as there are workers in its line (S-14)."""


@record
class Decline(Move):
    """Do not buy the card that is offered; the next worker in line is asked (S-14)."""


@record
class PutOnContract(Move):
    """Put a cube on an open place of a contract of your own (S-19)."""

    contract: str
    good: Good
    origin: Place


@record
class SellToMerchant(Move):
    """Sell a cube for 1 coin to a merchant of your own who buys that good (S-19)."""

    good: Good
    origin: Place


@record
class StoreCube(Move):
    """Put a cube into your warehouse (S-19)."""

    good: Good
    origin: Literal["quay", "market_hall"]


@record
class KeepCube(Move):
    """Put a cube into your market hall to keep it (S-19)."""

    good: Good
    origin: Literal["quay", "warehouse"]


@record
class TakeOut(Move):
    """Take a cube out of your market hall or warehouse, back to the quay (S-19)."""

    good: Good
    origin: Literal["market_hall", "warehouse"]


@record
class Convert(Move):
    """Exchange three cubes for one from the stock; they come from the quay first (S-19)."""

    give: tuple[Good, Good, Good]
    take: Good

    def __post_init__(self) -> None:
        object.__setattr__(self, "give", tuple(sorted(self.give, key=GOODS.index)))


@record
class SellTwo(Move):
    """Sell any two cubes for 1 coin; they come from the quay first (S-19)."""

    goods: tuple[Good, Good]

    def __post_init__(self) -> None:
        object.__setattr__(self, "goods", tuple(sorted(self.goods, key=GOODS.index)))


@record
class FinishLoading(Move):
    """Finish loading; cubes left on the quay are lost (S-20)."""


BUY = Buy()
DECLINE = Decline()
FINISH_LOADING = FinishLoading()
