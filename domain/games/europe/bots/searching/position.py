"""The value of a position, in cards: what a seat holds, less what it still needs to deliver all its goods."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, TypeVar

from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN, Terrain
from kontor_games.domain.games.europe.data.components import PIPS
from kontor_games.domain.games.europe.rules.robber import HAND_LIMIT
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.toolkit.searching import Weights

T = TypeVar("T")
_WON = 1000.0


class Valuer:
    """Values positions of one decision; parts that few moves change are computed once."""

    def __init__(self, terrain: Terrain, state: EuropeState, weights: Weights) -> None:
        self._terrain, self._weights = terrain, weights
        nearest = min(2 * state.posts_left[seat] + state.free_goods[seat] for seat in range(state.seats))
        self._rolls_left = weights["last_rolls"] + weights["rolls_a_good"] * nearest
        self._parts: dict[Any, Any] = {}
        self._kept: list[Any] = []
        """The lists whose identities are keys, so that no other list gets the same identity."""

    def value(self, state: EuropeState, seat: int) -> float:
        """The lead of a seat: its own value, less a share of those of the others."""
        others, best = 0.0, float("-inf")
        for other in range(state.seats):
            if other != seat:
                value = self._plain(state, other)
                others += value / (state.seats - 1)
                best = max(best, value)
        own = self._plain(state, seat) + self._plans(state, seat)
        return own - self._weights["others"] * others - self._weights["leader"] * best

    # --- what changes with every move ---------------------------------------------------------------------

    def _plain(self, state: EuropeState, seat: int) -> float:
        """Goods, cards, gold and income."""
        weights = self._weights
        delivered = state.delivered[seat]
        if delivered >= state.setting.goods:
            return _WON
        income = self._income(state, seat)
        earned = 0.0
        for pips in income:
            earned += pips
        earned *= self._rolls_left / 36
        found = (
            weights["delivered"] * delivered
            + weights["freed"] * state.free_goods[seat]
            + weights["income"] * earned
        )
        found += self._hand(state, seat, income) + weights["card"] * len(state.cards[seat])
        found += weights["card"] * (state.fresh != NOBODY and state.active == seat)
        gold = state.gold[seat]
        found += weights["gold"] * min(gold, 6) + weights["more_gold"] * max(0, gold - 6)
        return found

    def _hand(self, state: EuropeState, seat: int, income: tuple[float, ...]) -> float:
        """The cards in hand: each further one of a kind is worth less, and so are those beyond the limit."""
        weights, found = self._weights, 0.0
        for resource in range(5):
            worth = weights["hand"] + weights["scarce"] / (2 + income[resource])
            for _ in range(state.hands[seat * 5 + resource]):
                found += worth
                worth *= weights["alike"]
        return found - weights["surplus"] * max(0, state.sizes[seat] - HAND_LIMIT)

    # --- what changes with a piece on the board -----------------------------------------------------------

    def _part(self, key: Any, lists: tuple[Any, ...], compute: Callable[[], T]) -> T:
        whole = (*key, *map(id, lists))
        if whole not in self._parts:
            self._kept.extend(lists)
            self._parts[whole] = compute()
        found: T = self._parts[whole]
        return found

    def _income(self, state: EuropeState, seat: int) -> tuple[float, ...]:
        """The cards of each resource in 36 rolls; each further one of a resource counts less."""
        key = "income", seat, state.robber
        return self._part(key, (state.post, state.number), lambda: self._new_income(state, seat))

    def _new_income(self, state: EuropeState, seat: int) -> tuple[float, ...]:
        found, terrain, robbed = [0.0] * 5, self._terrain, self._weights["robbed"]
        for city in state.index.posts_of[seat]:
            for hexagon in terrain.hexes[city]:
                pips = PIPS[state.number[hexagon]]
                found[terrain.yields[hexagon]] += pips * (robbed if hexagon == state.robber else 1.0)
        return tuple([pips if pips < 6 else 6 + self._weights["plenty"] * (pips - 6) for pips in found])

    def _plans(self, state: EuropeState, seat: int) -> float:
        """What is still needed to deliver all goods, as a number below 0, and what new posts will earn."""
        weights = self._weights
        covered, free = state.posts_left[seat], state.free_goods[seat]
        value = -self._founding(state, seat, covered)
        costs = self._roads(state, seat) if covered + free else ()
        share = 1.0
        for number in range(covered + free):
            cost = costs[number] if number < len(costs) else weights["far"]
            value -= cost * share * (1.0 if number < free else weights["later"])
            share *= weights["next_road"]
        return value

    def _founding(self, state: EuropeState, seat: int, covered: int) -> float:
        """The cards still needed for posts, less what the next ones will earn."""
        weights, cost = self._weights, 0.0
        standing = [at for at in state.merchants_of(seat) if at >= 0][:covered]
        for at in standing:
            cost -= self._best_site(state, seat, at)
        left = covered - len(standing)
        if left and len(standing) < 2:
            sites = [self._terrain.sites[city] for city in state.index.posts_of[seat]]
            cost -= max([self._best_site(state, seat, at) for at in sites if at not in standing], default=0.0)
        return cost + left * weights["merchant"]

    def _best_site(self, state: EuropeState, seat: int, start: int) -> float:
        """What the best new post for a merchant at these crossroads earns, less the grain to go there."""
        lists = (state.post, state.number)
        worths: list[tuple[float, int]] = self._part(
            ("sites", seat, state.robber, tuple(map(len, state.sea))), lists, lambda: self._sites(state, seat)
        )
        key = "site", seat, start, state.robber
        return self._part(key, lists, lambda: self._nearest_site(worths, start))

    def _nearest_site(self, worths: list[tuple[float, int]], start: int) -> float:
        away, steps = self._terrain.away[start], self._terrain.steps_per_grain
        grain = self._weights["grain"]
        return max([worth - grain * -(-away[site] // steps) for worth, site in worths], default=-9.0)

    def _sites(self, state: EuropeState, seat: int) -> list[tuple[float, int]]:
        """The cities without a post, with what a post there will earn."""
        weights, terrain, income = self._weights, self._terrain, self._income(state, seat)
        rolls, found = self._rolls_left / 36, []
        for city, owner in enumerate(state.post):
            if owner != NOBODY:
                continue
            pips, fresh = 0.0, 0.0
            for hexagon in terrain.hexes[city]:
                resource = terrain.yields[hexagon]
                need = 1.0 + weights["missing"] / (1 + income[resource])
                if state.number[hexagon]:
                    pips += need * PIPS[state.number[hexagon]]
                else:
                    token = EXPECTED_TOKEN[resource] if state.sea[resource] else 2.5
                    fresh = max(fresh, need * token)
            worth = weights["income"] * (pips + fresh) * rolls + weights["gold"] * terrain.gold[city]
            found.append((worth, terrain.sites[city]))
        return found

    def _roads(self, state: EuropeState, seat: int) -> tuple[float, ...]:
        """The costs of the cheapest roads to posts that take a good, the cheapest first."""
        key = "roads", seat, state.caravan(seat, 0), state.caravan(seat, 1), state.routes_left[seat] > 0
        return self._part(key, (state.route, state.post, state.good), lambda: self._new_roads(state, seat))

    def _new_roads(self, state: EuropeState, seat: int) -> tuple[float, ...]:
        weights, board, route = self._weights, self._terrain.board, state.route
        beside, city_at, paths = state.index.beside_own[seat], board.city_at, board.paths
        build, step = weights["route"], weights["step"]
        may_build = state.routes_left[seat] > 0
        heap: list[tuple[float, int, bool]] = []
        for path in state.caravans_of(seat):
            if path >= 0:
                heap += [(0.0, end, False) for end in self._terrain.ends[path]]
        heap += [(weights["caravan"], self._terrain.sites[city], True) for city in state.index.posts_of[seat]]
        heap.sort()
        done: set[tuple[int, bool]] = set()
        served: set[int] = set()
        costs: list[float] = []
        while heap and len(costs) < 3:
            cost, at, built = heappop(heap)
            if (at, built) in done:
                continue
            done.add((at, built))
            city = city_at[at]
            if city >= 0 and city not in served and state.index.takes_good(state, seat, city):
                served.add(city)
                costs.append(cost)
            for other, path in board.neighbours[at]:
                owner = route[path]
                if owner == NOBODY:
                    if may_build and (built or beside >> path & 1):
                        price = build * weights["double"] if paths[path].double else build
                        heappush(heap, (cost + price + step, other, True))
                else:
                    toll = 0.0 if owner == seat else weights["toll"]
                    heappush(heap, (cost + step + toll, other, owner == seat))
        return tuple(costs)
