"""The best use of cubes: what a seat can deliver, convert, store, keep and sell in one loading (S-19).

Where the cubes lie does not matter here, because a plan can use every cube of a seat from where it is.
"""

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from kontor_games.domain.games.speicherstadt.data.cards import GOODS
from kontor_games.domain.games.speicherstadt.state import cubes as c

_UNITS = tuple(c.UNIT[good] for good in GOODS)
_MARKS = tuple(c.MARK[good] for good in GOODS)
_TRIPLES = tuple(sum(triple) for triple in combinations_with_replacement(_UNITS, 3))

Contracts = tuple[tuple[int, int], ...]
"""Contracts: the points of each, and the heap of goods that it still needs."""


class Prices(NamedTuple):
    """What cubes and contracts are worth, in points."""

    reach: tuple[float, ...]
    """The probability that 0, 1, 2 … missing goods will arrive."""
    waiting: float
    """The factor on a contract for each better one that waits for goods, too."""
    coin: float
    stored: float
    kept: float


class Depot(NamedTuple):
    """The cubes of a seat, and where they can go."""

    cubes: int
    contracts: Contracts
    trades: int
    """The set of goods that its merchants buy."""
    room: int
    """Cubes that fit in its warehouse; 0 without one."""


@lru_cache(65536)
def best_worth(depot: Depot, stock: int, prices: Prices) -> float:
    """The most that cubes and contracts can be worth after loading, with these goods in the stock."""
    best = _worth(depot, prices)
    if number(depot.cubes) < 3:
        return best
    wanted = stock & ~c.kinds(depot.cubes) & _needed(depot.contracts)
    for unit, mark in zip(_UNITS, _MARKS, strict=True):
        if wanted & mark:
            for triple in _TRIPLES:
                if c.holds(depot.cubes, triple):
                    best = max(best, _worth(depot._replace(cubes=depot.cubes - triple + unit), prices))
    return best


@lru_cache(4096)
def number(heap: int) -> int:
    """The number of cubes in a heap."""
    return len(c.unpack(heap))


def _needed(contracts: Contracts) -> int:
    goods = 0
    for _, needs in contracts:
        goods |= c.kinds(needs)
    return goods


@lru_cache(65536)
def _worth(depot: Depot, prices: Prices) -> float:
    """The same without converting."""
    best = 0.0
    plans = [(depot.contracts, 0, 0)]
    for unit, mark in zip(_UNITS, _MARKS, strict=True):
        held = (depot.cubes & 15 * unit) // unit
        if held:
            plans = [
                (contracts, sellable + spare, other)
                if depot.trades & mark
                else (contracts, sellable, other + spare)
                for before, sellable, other in plans
                for contracts, spare in _deliveries(before, unit, held)
            ]
    for contracts, sellable, other in plans:
        best = max(best, contracts_worth(contracts, prices) + _left_over(sellable, other, depot.room, prices))
    return best


@lru_cache(16384)
def _deliveries(contracts: Contracts, unit: int, held: int) -> tuple[tuple[Contracts, int], ...]:
    """Every way to deliver cubes of one good: the contracts afterwards, and the cubes that are left."""
    wanting = [place for place, (_, needs) in enumerate(contracts) if needs & 15 * unit]
    return tuple(
        (
            tuple(
                (points, needs - unit if place in chosen else needs)
                for place, (points, needs) in enumerate(contracts)
            ),
            held - count,
        )
        for count in range(min(held, len(wanting)) + 1)
        for chosen in combinations(wanting, count)
    )


@lru_cache(65536)
def contracts_worth(contracts: Contracts, prices: Prices) -> float:
    """The points of contracts by the probability that their missing goods arrive."""
    total, factor = 0.0, 1.0
    waiting: list[float] = []
    for points, needs in contracts:
        if needs:
            waiting.append(points * prices.reach[number(needs)])
        else:
            total += points
    for value in sorted(waiting, reverse=True):
        total += value * factor
        factor *= prices.waiting
    return total


def _left_over(sellable: int, other: int, room: int, prices: Prices) -> float:
    """The value of cubes that are not delivered; merchants buy some of them."""
    stored = min(room, other)
    other -= stored
    if prices.stored > prices.coin:
        more = min(room - stored, sellable)
        stored, sellable = stored + more, sellable - more
    sold = prices.coin * (sellable + other // 2)
    if other:
        sold = max(sold, prices.kept + prices.coin * (sellable + (other - 1) // 2))
    elif sellable:
        sold = max(sold, prices.kept + prices.coin * (sellable - 1))
    return prices.stored * stored + sold
