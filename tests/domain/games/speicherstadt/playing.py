"""Random matches for tests, driven by any source of choices, and every conceivable move."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, get_args

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.games.speicherstadt.data.cards import CARDS, Good
from kontor_games.domain.games.speicherstadt.moves import (
    Buy,
    Convert,
    Decline,
    FinishLoading,
    KeepCube,
    PlaceWorker,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Place, Table
from tests.domain.games.speicherstadt.scenario import RULES

_GOODS = get_args(Good)
_PLACES = get_args(Place)

EVERY_MOVE: tuple[Move, ...] = (
    *(PlaceWorker(card.id) for card in CARDS),
    PlaceWorker("no such card"),
    Buy(),
    Decline(),
    *(
        PutOnContract(card.id, good, place)
        for card in CARDS
        if card.kind == "contract"
        for good in _GOODS
        for place in _PLACES
    ),
    *(SellToMerchant(good, place) for good in _GOODS for place in _PLACES),
    *(StoreCube(good, place) for good in _GOODS for place in ("quay", "market_hall")),
    *(KeepCube(good, place) for good in _GOODS for place in ("quay", "warehouse")),
    *(TakeOut(good, place) for good in _GOODS for place in ("market_hall", "warehouse")),
    *(Convert(give, take) for give in combinations_with_replacement(_GOODS, 3) for take in _GOODS),
    *(SellTwo(pair) for pair in combinations_with_replacement(_GOODS, 2)),
    FinishLoading(),
)
"""Every conceivable move, legal or not."""


@dataclass(frozen=True)
class Played:
    """A move and its facts; `state` is the live state, which later moves change."""

    seat: int | None
    move: Move | None
    facts: list[Fact]
    state: Table


Pick = Callable[[int], int]
"""Returns a number below the given one."""


def fast_picks(seed: int) -> Pick:
    """Return a fast deterministic source of choices."""
    word = seed * 2654435761 % 2**32

    def below(bound: int) -> int:
        nonlocal word
        word = (word * 1664525 + 1013904223) % 2**32
        return (word >> 8) % bound

    return below


def random_match(seats: int, seed: str, pick: Pick, **options: Any) -> Iterator[Played]:
    """A whole match: the set-up, then one random legal move after the other."""
    chance = Seeded(seed_from(seed))
    state = RULES.table(seats, SpeicherstadtOptions(**options))
    yield Played(None, None, RULES.deal(state, chance), state)
    while waited := RULES.to_act(state):
        seat = waited[pick(len(waited))]
        legal = RULES.legal_moves(state, seat)
        move = legal[pick(len(legal))]
        yield Played(seat, move, RULES.play(state, seat, move, chance), state)
