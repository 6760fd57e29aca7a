"""What the caravans of a seat still need to bring goods to several posts, one after the other."""

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.state import NOBODY, EuropeState

_ROUTE, _DOUBLE, _STEP, _TOLL, _FORM = 2.0, 1.2, 0.34, 0.5, 3.0
"""The costs of a road in cards: a route, one with a double arrow, a step, a toll, a caravan."""
_AHEAD = 4
"""Deliveries that are planned; further ones are expected to need as much as the last of them."""
_LONG = 14.0
"""The cost of the next road if there is none."""


class Road(NamedTuple):
    """A way to a post that takes a good; roads of equal cost are continued in the order found."""

    cost: float
    number: int
    at: int
    mine: bool
    """Whether the next route may be built from there."""
    routes: int
    steps: int
    tolls: int
    formed: int
    laid: int
    """The paths on which a route is to be built, as bits."""


class Journeys(NamedTuple):
    """What all remaining deliveries need."""

    next_cost: float
    """The cost of the first, in cards."""
    routes: float
    salt: float
    tolls: int
    formed: int


class Roads:
    """Looks for the roads of one seat in one position."""

    def __init__(self, terrain: Terrain, state: EuropeState, seat: int) -> None:
        self._board, self._terrain, self._seat = terrain.board, terrain, seat
        self._owners, self._beside = state.route, state.index.beside_own[seat]
        self._left = state.routes_left[seat]
        self._homes = [terrain.sites[city] for city in state.index.posts_of[seat]]
        self._starts = [end for path in state.caravans_of(seat) if path >= 0 for end in terrain.ends[path]]
        self._customers = {
            terrain.sites[city]
            for city, owner in enumerate(state.post)
            if owner not in (seat, NOBODY) and state.good[city] == NOBODY
        }
        self._laid = 0

    def journeys(self, goods: int) -> Journeys:
        """Return what it takes to deliver so many goods."""
        found = list(self._deliveries(goods))
        routes, salt, further = 0.0, 0.0, goods - len(found)
        for road in found:
            routes += road.routes
            salt += (road.steps + 1) / 3
        last = found[-1] if found else None
        routes += further * (max(last.routes, 1.5) if last else 3.0)
        salt += further * ((max(last.steps, 3) + 1) / 3 if last else 4 / 3)
        tolls, formed = sum([road.tolls for road in found]), sum([road.formed for road in found])
        return Journeys(found[0].cost if found else _LONG, routes, salt, tolls, formed)

    def _deliveries(self, goods: int) -> Iterable[Road]:
        """The next roads: each continues one before, or starts at a caravan."""
        for _ in range(min(goods, _AHEAD)):
            road = self._next()
            if road is None:
                return
            yield road
            self._customers.discard(road.at)
            self._laid |= road.laid
            self._left -= road.routes
            self._starts.append(road.at)

    def _next(self) -> Road | None:
        """The cheapest road to a post that is not served yet."""
        heap = [Road(0.0, 0, at, bool(self._laid), 0, 0, 0, 0, 0) for at in self._starts]
        heap += [Road(_FORM, 0, at, True, 0, 0, 0, 1, 0) for at in self._homes]
        heapify(heap)
        done: set[tuple[int, bool]] = set()
        while heap:
            road = heappop(heap)
            if (road.at, road.mine) in done:
                continue
            done.add((road.at, road.mine))
            if road.at in self._customers:
                return road
            for further in self._further(road, len(done)):
                if (further.at, further.mine) not in done:
                    heappush(heap, further)
        return None

    def _further(self, road: Road, count: int) -> Sequence[Road]:
        """The road with each step more."""
        cost, _, at, mine, routes, steps, tolls, formed, new = road
        owners, seat, laid, found = self._owners, self._seat, self._laid, []
        for other, path in self._board.neighbours[at]:
            owner = owners[path]
            if owner == seat or laid >> path & 1:
                found.append(Road(cost + _STEP, count, other, True, routes, steps + 1, tolls, formed, new))
            elif owner != NOBODY:
                if steps or not formed:
                    toll = cost + _STEP + _TOLL
                    found.append(Road(toll, count, other, False, routes, steps + 1, tolls + 1, formed, new))
            elif routes < self._left and (mine or self._beside >> path & 1):
                price = cost + _STEP + (_DOUBLE if self._board.paths[path].double else _ROUTE)
                bits = new | 1 << path
                found.append(Road(price, count, other, True, routes + 1, steps + 1, tolls, formed, bits))
        return found
