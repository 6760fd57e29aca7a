"""What a seat can do in The Speicherstadt."""

from domain.games.speicherstadt.moves.action import Action
from domain.games.speicherstadt.moves.bidding import Buy, Decline, PlaceWorker
from domain.games.speicherstadt.moves.loading import (
    Convert,
    FinishLoading,
    KeepCube,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)

MOVES: tuple[type[Action], ...] = (
    PlaceWorker,
    Buy,
    Decline,
    PutOnContract,
    SellToMerchant,
    StoreCube,
    KeepCube,
    TakeOut,
    Convert,
    SellTwo,
    FinishLoading,
)
"""Every kind of move."""

__all__ = [
    "MOVES",
    "Action",
    "Buy",
    "Convert",
    "Decline",
    "FinishLoading",
    "KeepCube",
    "PlaceWorker",
    "PutOnContract",
    "SellToMerchant",
    "SellTwo",
    "StoreCube",
    "TakeOut",
]
