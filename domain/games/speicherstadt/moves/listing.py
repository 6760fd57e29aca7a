"""The legal moves: candidates that pass their own check.

To check every candidate at every decision would be slow. But the checks of one *family* of moves read little of the table, so the
members that passed in one *situation* are remembered for the next time. What decides stays the check alone.
"""

from collections.abc import Hashable, Iterable
from itertools import combinations_with_replacement
from typing import get_args

from kontor_games.domain.game import Move
from kontor_games.domain.games.speicherstadt.cards import CARDS
from kontor_games.domain.games.speicherstadt.cubes import MARK, kinds, kinds_up_to_three, size
from kontor_games.domain.games.speicherstadt.moves.action import Action
from kontor_games.domain.games.speicherstadt.moves.bidding import BUY, DECLINE, LONGEST_LINE, PLACE_WORKER
from kontor_games.domain.games.speicherstadt.moves.loading import (
    FINISH_LOADING,
    WAREHOUSE_ROOM,
    Convert,
    KeepCube,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.state import Good, Place, Table

_GOODS: tuple[Good, ...] = get_args(Good)
_PLACES: tuple[Place, ...] = get_args(Place)


class _Family(dict[Hashable, tuple[Action, ...]]):
    """Candidates whose checks read the same things of the table; remembers which of them pass in which situation."""

    def __init__(self, candidates: Iterable[Action]) -> None:
        super().__init__()
        self._candidates = tuple(candidates)

    def passing(self, situation: Hashable, state: Table, seat: int) -> tuple[Action, ...]:
        """Those that pass. The situation must hold whatever can make a difference to their checks."""
        found = self.get(situation)
        if found is None:
            found = self[situation] = tuple(
                [move for move in self._candidates if move.check(state, seat) is None]
            )
        return found


_PLACE = PLACE_WORKER.__getitem__
_DELIVER = {
    (card.id, place): _Family(PutOnContract(card.id, good, place) for good in _GOODS)
    for card in CARDS
    for place in _PLACES
    if card.kind == "contract"
}
_SELL = {place: _Family(SellToMerchant(good, place) for good in _GOODS) for place in _PLACES}
_SHIFT: dict[Place, _Family] = {
    "quay": _Family(
        [*(StoreCube(good, "quay") for good in _GOODS), *(KeepCube(good, "quay") for good in _GOODS)]
    ),
    "market_hall": _Family(
        [
            *(StoreCube(good, "market_hall") for good in _GOODS),
            *(TakeOut(good, "market_hall") for good in _GOODS),
        ]
    ),
    "warehouse": _Family(
        [*(KeepCube(good, "warehouse") for good in _GOODS), *(TakeOut(good, "warehouse") for good in _GOODS)]
    ),
}
_SELL_TWO = _Family(map(SellTwo, combinations_with_replacement(_GOODS, 2)))
_CONVERT = {
    MARK[good]: _Family(Convert(give, good) for give in combinations_with_replacement(_GOODS, 3))
    for good in _GOODS
}
_SEVERAL: dict[tuple[int, int], tuple[Action, ...]] = {}
"""What can be done with several of the cubes held, given the goods in the stock: put together once for each pair of the two."""


def legal_moves(state: Table, seat: int) -> list[Move]:
    """What the seat, whose turn it is, can do now, in a fixed order."""
    if state.phase == "demand":
        # Where no line is full, as nearly always, no check can refuse a card of the row.
        if state.placed < LONGEST_LINE or max(map(len, state.lines)) < LONGEST_LINE:
            return list(map(_PLACE, state.row))
        return [move for move in map(_PLACE, state.row) if move.check(state, seat) is None]
    if state.phase == "purchase":
        return [BUY, DECLINE]
    return _loading_steps(state, seat)


def _loading_steps(state: Table, seat: int) -> list[Move]:
    """Place by place what can be done with a cube that lies there, then what takes several, then the word that one is done."""
    quay, hall, warehouse = state.quay[seat], state.market_hall[seat], state.warehouse[seat]
    room = state.warehouse_owner == seat and size(warehouse) < WAREHOUSE_ROOM
    moves: list[Move] = []
    if quay:
        _add_single_cubes(moves, state, seat, "quay", (kinds(quay), room, hall == 0))
    if hall:
        _add_single_cubes(moves, state, seat, "market_hall", (kinds(hall), room, False))
    if warehouse:
        _add_single_cubes(moves, state, seat, "warehouse", (kinds(warehouse), room, hall == 0))
    moves += _several_cubes(state, seat, kinds_up_to_three(quay + hall + warehouse), kinds(state.stock))
    moves.append(FINISH_LOADING)
    return moves


def _add_single_cubes(
    moves: list[Move], state: Table, seat: int, place: Place, situation: tuple[int, bool, bool]
) -> None:
    """The situation: which goods lie there, whether the warehouse has room for them, and the market hall."""
    goods = situation[0]
    for contract in state.contracts[seat]:
        if fitting := goods & kinds(state.open_places[contract]):
            moves += _DELIVER[contract, place].passing(fitting, state, seat)
    if sellable := goods & state.trades[seat]:
        moves += _SELL[place].passing(sellable, state, seat)
    moves += _SHIFT[place].passing(situation, state, seat)


def _several_cubes(state: Table, seat: int, held: int, stock: int) -> tuple[Action, ...]:
    found = _SEVERAL.get((held, stock))
    if found is None:
        found = _SELL_TWO.passing(held, state, seat)
        for mark, family in _CONVERT.items():
            if mark & stock:
                found += family.passing(held, state, seat)
        _SEVERAL[held, stock] = found
    return found
