"""The value of a position: how likely a seat wins, from how soon it can pay for all that it still needs."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import Any, NamedTuple, TypeVar

from kontor_games.domain.games.europe.bots.searching.roads import Journeys, Roads
from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN, Terrain
from kontor_games.domain.games.europe.data.components import (
    GRAIN,
    LUMBER,
    ORE,
    PIPS,
    SAFE_CONDUCT,
    SALT,
    TRADE_TREATY,
    kind_of,
)
from kontor_games.domain.games.europe.rules.robber import HAND_LIMIT
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.toolkit.searching import Weights

T = TypeVar("T")
_WON = 1000.0
_MOST_ROLLS = 150.0
_FURTHER_GRAIN = 1.2
"""The grain for each further post."""
_ROLLS_OF_A_SITE = 12
"""The rolls for which the site of the next post is valued."""


class Income(NamedTuple):
    """What a seat expects of one roll."""

    cards: tuple[float, ...]
    gold: float
    robbed: float
    """Cards that the robber takes away."""


class Site(NamedTuple):
    """The best city for the next post."""

    worth: float
    """In cards, less the grain."""
    grain: int


class Valuer:
    """Values positions of one decision; parts that few moves change are computed once."""

    def __init__(self, terrain: Terrain, state: EuropeState, weights: Weights) -> None:
        self._terrain, self._weights = terrain, weights
        self._numbers, self._sea = state.number, state.sea
        self._parts: dict[Any, Any] = {}

    def value(self, state: EuropeState, seat: int) -> float:
        """The lead of a seat over the others."""
        if state.ended:
            return _WON if state.delivered[seat] >= state.setting.goods else -_WON
        values = [self.strength(state, other) for other in range(state.seats)]
        own = values.pop(seat)
        leader = self._weights["leader"]
        return own - leader * max(values) - (1 - leader) * fsum(values) / len(values)

    def strength(self, state: EuropeState, seat: int) -> float:
        """The strength of a seat: the larger the difference of two, the likelier the stronger one wins."""
        weights, value = self._weights, 0.0
        for name, feature in self.features(state, seat).items():
            value += weights[name] * feature
        return value

    def features(self, state: EuropeState, seat: int) -> dict[str, float]:
        """The numbers on which the strength depends."""
        income, site = self._income(state, seat), self._site(state, seat)
        journeys = self._journeys(state, seat)
        rolls = self._rolls(state, seat, income, site, journeys)
        cards = [kind_of(card) for card in state.cards[seat]]
        fresh = state.fresh != NOBODY and state.active == seat
        return {
            "rolls": rolls / (rolls + self._weights["half_rolls"]),
            "goods": state.posts_left[seat] + state.free_goods[seat],
            "free": state.free_goods[seat],
            "gold": state.gold[seat],
            "hand": state.sizes[seat],
            "over": max(0, state.sizes[seat] - HAND_LIMIT),
            "cards": len(cards) + fresh,
            "safe_conduct": cards.count(SAFE_CONDUCT),
            "treaty": cards.count(TRADE_TREATY),
            "merchants": 2 - state.merchants_of(seat).count(NOBODY),
            "caravans": 2 - state.caravans_of(seat).count(NOBODY),
            "road": journeys.next_cost,
            "robbed": income.robbed,
            "site": site.worth,
        }

    # --- time -----------------------------------------------------------------------------------------------

    def _rolls(self, state: EuropeState, seat: int, income: Income, site: Site, journeys: Journeys) -> float:
        """The rolls until cards and gold pay for all that is needed to deliver all goods."""
        posts, needs = state.posts_left[seat], [0.0] * 5
        hired = max(0, posts - 2 + state.merchants_of(seat).count(NOBODY))
        for resource, price in enumerate(self._terrain.merchant):
            needs[resource] = hired * price - float(state.hands[seat * 5 + resource])
        if posts:
            needs[GRAIN] += site.grain + _FURTHER_GRAIN * (posts - 1)
        built = journeys.routes + journeys.formed
        needs[LUMBER] += built
        needs[ORE] += built
        needs[SALT] += journeys.salt + journeys.formed
        gold = state.gold[seat] - self._weights["toll"] * journeys.tolls
        return rolls_to_pay(needs, income, gold, self._weights["swap"])

    # --- what changes with a piece on the board -------------------------------------------------------------

    def _part(self, key: Any, lists: tuple[Any, ...], compute: Callable[[], T]) -> T:
        whole = (*key, *map(tuple, lists))
        if whole not in self._parts:
            self._parts[whole] = compute()
        found: T = self._parts[whole]
        return found

    def _income(self, state: EuropeState, seat: int) -> Income:
        key = "income", seat, state.robber
        return self._part(key, (state.post, state.number), lambda: self._new_income(state, seat))

    def _pips(self, state: EuropeState, hexagon: int) -> float:
        """How often a hex produces in 36 rolls; a token drawn since the decision counts as any other."""
        resource = self._terrain.yields[hexagon]
        if state.number[hexagon] and not self._numbers[hexagon] and self._sea[resource]:
            return EXPECTED_TOKEN[resource]
        return float(PIPS[state.number[hexagon]])

    def _new_income(self, state: EuropeState, seat: int) -> Income:
        cards, robbed, numbers, terrain = [0.0] * 5, 0.0, set[int](), self._terrain
        for city in state.index.posts_of[seat]:
            for hexagon in terrain.hexes[city]:
                pips = self._pips(state, hexagon) / 36
                numbers.add(state.number[hexagon])
                if hexagon == state.robber:
                    robbed += pips
                    pips *= self._weights["blocked"]
                cards[terrain.yields[hexagon]] += pips
        missed = (30 - sum([PIPS[number] for number in numbers])) / 36
        return Income(tuple(cards), missed + self._weights["links"], robbed)

    def _journeys(self, state: EuropeState, seat: int) -> Journeys:
        goods = state.posts_left[seat] + state.free_goods[seat]
        key = "journeys", seat, goods, state.routes_left[seat] > 0, *state.caravans_of(seat)
        lists = (state.route, state.post, state.good)
        return self._part(key, lists, lambda: Roads(self._terrain, state, seat).journeys(goods))

    def _site(self, state: EuropeState, seat: int) -> Site:
        if not state.posts_left[seat]:
            return Site(0.0, 0)
        key = "site", seat, state.robber, *state.merchants_of(seat)
        return self._part(key, (state.post, state.number), lambda: self._new_site(state, seat))

    def _new_site(self, state: EuropeState, seat: int) -> Site:
        """The best city without a post, from the merchants on the board, or else from all own posts."""
        terrain, best = self._terrain, Site(-9.0, 1)
        starts = [at for at in state.merchants_of(seat) if at >= 0]
        starts = starts or [terrain.sites[city] for city in state.index.posts_of[seat]]
        for worth, at in self._part(
            ("sites", seat, state.robber), (state.post, state.number), lambda: self._worths(state, seat)
        ):
            away = min([terrain.away[start][at] for start in starts])
            grain = -(-away // terrain.steps_per_grain)
            best = max(best, Site(worth - grain, grain))
        return best

    def _worths(self, state: EuropeState, seat: int) -> list[tuple[float, int]]:
        """The cities without a post, with what a post there will bring."""
        terrain, found = self._terrain, []
        income = self._income(state, seat).cards
        for city, owner in enumerate(state.post):
            if owner != NOBODY:
                continue
            pips, fresh = 0.0, 0.0
            for hexagon in terrain.hexes[city]:
                resource = terrain.yields[hexagon]
                need = 1 + self._weights["missing"] / (1 + 36 * income[resource])
                if state.number[hexagon]:
                    pips += need * self._pips(state, hexagon)
                else:
                    fresh = max(fresh, need * (EXPECTED_TOKEN[resource] if state.sea[resource] else 2.0))
            worth = (pips + fresh) / 36 * _ROLLS_OF_A_SITE + terrain.gold[city] / 2
            found.append((worth, terrain.sites[city]))
        return found


def rolls_to_pay(needs: Sequence[float], income: Income, gold: float, swap: float) -> float:
    """Return after how many rolls cards and gold suffice for all needs, which are less what is in hand.

    Gold buys half a card; a card that is not needed gives `swap` of another. Newton's method, since what is
    lacking is linear between the rolls at which one of the needs is met.
    """
    rolls = 0.0
    for _ in range(8):
        slope = -income.gold / 2
        lack = slope * rolls - gold / 2
        for need, rate in zip(needs, income.cards, strict=True):
            left = need - rate * rolls
            share = 1.0 if left > 0 else swap
            lack += left * share
            slope -= rate * share
        if lack <= 1e-9:
            break
        if slope > -1e-6:
            return _MOST_ROLLS
        rolls -= lack / slope
        if rolls > _MOST_ROLLS:
            return _MOST_ROLLS
    return rolls
