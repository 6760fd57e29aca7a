"""Constants of a board for a bot: distances, prices, and the value of each number."""

from collections.abc import Iterable, Sequence
from typing import Any

from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.components import PIPS, RINGED, TOKENS, counts_of
from kontor_games.domain.games.europe.rules import EuropeRules

EXPECTED_TOKEN = tuple(
    (sum(PIPS[number] for number in numbers) - PIPS[RINGED[r]]) / (len(numbers) - 1)
    for r, numbers in enumerate(TOKENS)
)
"""The average pips of a token in the sea, by the resource of its colour (E-6)."""


class Terrain:
    """A board and the prices of a version of the rules, as a bot sees them."""

    def __init__(self, rules: EuropeRules) -> None:
        board, tables = rules.board, rules.tables
        self.board = board
        self.yields = tables.yields
        self.hexes = tables.hexes_of
        self.cities_of = tables.cities_of
        self.sites = tuple(city.crossroads for city in board.cities)
        self.gold = tuple(city.gold for city in board.cities)
        self.away = tuple(map(tables.distances, range(len(board.crossroads))))
        """For each crossroads, the distances of all others."""
        self.ends = tuple((path.a, path.b) for path in board.paths)
        prices: Any = rules.move_rules
        self.merchant, self.route, self.caravan = (
            counts_of(prices[kind].price) for kind in (m.HireMerchant, m.BuildRoute, m.FormCaravan)
        )
        self.resource_price: int = prices[m.BuyResource].price
        self.buys_a_turn: int = prices[m.BuyResource].times_a_turn
        self.alike: int = prices[m.TradeWithSupply].alike
        self.bribe_steps: int = prices[m.PlayBribe].steps
        self.steps_per_grain: int = prices[m.MoveMerchant].steps_per_grain
        self.steps_per_salt: int = prices[m.MoveCaravan].steps_per_salt

    def nearest(self, starts: Iterable[int], goals: Sequence[int]) -> int:
        """Return the shortest distance from any of these crossroads to any of those."""
        return min(self.away[start][goal] for start in starts for goal in goals)
