"""What a seat can do in The Speicherstadt."""

from kontor_games.domain.games.speicherstadt.moves.action import Action
from kontor_games.domain.games.speicherstadt.moves.bidding import Buy, Decline, PlaceWorker
from kontor_games.domain.games.speicherstadt.moves.loading import (
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
