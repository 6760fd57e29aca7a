"""How the searching bot loads: the best plan for all its cubes, made step by step without detours."""

from collections.abc import Sequence

from kontor_games.domain.game import Move
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.bots.searching.cargo import (
    Depot,
    best_worth,
    contracts_worth,
    number,
)
from kontor_games.domain.games.speicherstadt.bots.searching.position import Valuer
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import UNIT, pack
from kontor_games.domain.toolkit.searching import Weights

_SLACK = 1e-9
_ORDER: dict[type[Move], int] = {
    kind: place
    for place, kind in enumerate(
        (m.PutOnContract, m.Convert, m.SellToMerchant, m.SellTwo, m.StoreCube, m.KeepCube)
    )
}
"""The steps of a plan. Each leaves fewer cubes, or fewer on the quay, so that a plan ends."""


def next_step(state: Table, seat: int, legal: Sequence[Move], weights: Weights) -> Move:
    """Return the first step that keeps the value of the best plan; finish when nothing gains any more."""
    valuer = Valuer(state, weights)
    depot, prices = valuer.depot(seat), valuer.prices
    most = best_worth(depot, valuer.stock, prices) - _SLACK
    resting = (
        contracts_worth(depot.contracts, prices)
        + prices.stored * number(state.warehouse[seat])
        + prices.kept * number(state.market_hall[seat])
    )
    if resting >= most:
        return m.FINISH_LOADING
    open_contracts = [card for card in state.contracts[seat] if card in state.open_places]
    for move in sorted([move for move in legal if type(move) in _ORDER], key=lambda move: _ORDER[type(move)]):
        if isinstance(move, m.KeepCube) and move.origin == "warehouse":
            continue
        after, coins = _after(depot, open_contracts, move)
        if best_worth(after, valuer.stock, prices) + coins * prices.coin >= most:
            return move
    return m.FINISH_LOADING


def _after(depot: Depot, names: Sequence[str], move: Move) -> tuple[Depot, int]:
    """What a step leaves, and the coins that it brings."""
    match move:
        case m.PutOnContract():
            at, unit = names.index(move.contract), UNIT[move.good]
            points, needs = depot.contracts[at]
            contracts = (*depot.contracts[:at], (points, needs - unit), *depot.contracts[at + 1 :])
            return depot._replace(cubes=depot.cubes - unit, contracts=contracts), 0
        case m.Convert():
            return depot._replace(cubes=depot.cubes - pack(move.give) + UNIT[move.take]), 0
        case m.SellToMerchant():
            return depot._replace(cubes=depot.cubes - UNIT[move.good]), 1
        case m.SellTwo():
            return depot._replace(cubes=depot.cubes - pack(move.goods)), 1
    return depot, 0
