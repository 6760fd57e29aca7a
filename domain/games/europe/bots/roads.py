"""The cheapest way to deliver a good: the routes that a caravan uses, and those still to be built."""

from heapq import heappop, heappush
from typing import NamedTuple

from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.state import NOBODY

BUILD = 10.0
"""The cost of a route: two cards."""
BUILD_DOUBLE = 6.0
"""The cost of a route that brings a free one."""
STEP = 1.7
"""The cost of a step: a third of a salt."""
TOLL = 2.0
"""The extra cost of a step on somebody else's route: part of a toll."""
FORM = 15.0
"""The cost of a caravan: three cards."""


class Road(NamedTuple):
    """A way of a caravan; roads of equal cost are continued in the order found."""

    cost: float
    number: int
    at: int
    """The crossroads where it ends."""
    mine: bool
    """Whether the next route may be built from there."""
    caravan: int
    """The caravan that goes there, or -1 if one has to be formed."""
    first: int
    """The path that leaves the starting point, or -1 at the starting point."""
    build: tuple[int, ...]
    """The paths that still need a route, in order."""
    steps: int


class Roads:
    """Looks for the cheapest road, with the caravans on the board or a new one."""

    def __init__(self, features: Features) -> None:
        """Mark the crossroads from which this seat may build (E-40)."""
        self.features = features
        self.found = 0
        self.done: set[tuple[int, bool]] = set()
        """The crossroads visited, with or without the right to build there."""
        terrain, seat = features.terrain, features.seat
        self.mine = [False] * len(terrain.board.crossroads)
        for path, owner in features.view["routes"].items():
            if owner == seat:
                a, b = terrain.ends[terrain.board.path_index[path]]
                self.mine[a] = self.mine[b] = True
        for city in features.own:
            self.mine[terrain.sites[city]] = True

    def best(self) -> Road | None:
        """The cheapest road to any post that takes a good."""
        customers, city_at = self.features.customers, self.features.terrain.board.city_at
        heap, done = self._starts(), self.done
        while heap:
            road = heappop(heap)
            if city_at[road.at] in customers:
                return road
            if (road.at, road.mine) not in done:
                done.add((road.at, road.mine))
                self._go_on(heap, road)
        return None

    def _starts(self) -> list[Road]:
        """Where a road can start: the ends of each caravan's route, and each own post, to form one there."""
        features, terrain = self.features, self.features.terrain
        roads = [
            Road(0.0, 0, end, self.mine[end], caravan, -1, (), 0)
            for caravan, path in enumerate(features.caravans)
            if path >= 0
            for end in terrain.ends[path]
        ]
        return [*roads, *(Road(FORM, 0, terrain.sites[city], True, -1, -1, (), 0) for city in features.own)]

    def _go_on(self, heap: list[Road], road: Road) -> None:
        """Continue along existing routes, and along free paths where a route could be built."""
        cost, _, at, mine, caravan, first, build, steps = road
        features, paths = self.features, self.features.terrain.board.paths
        for other, path in features.terrain.board.neighbours[at]:
            owner = features.route[path]
            self.found += 1
            begun = path if first < 0 else first
            if (other, owner == NOBODY or self.mine[other]) in self.done:
                continue
            if owner == NOBODY:
                if mine and len(build) < features.routes_left:
                    total = cost + (STEP + (BUILD_DOUBLE if paths[path].double else BUILD))
                    to_build = (*build, path)
                    heappush(heap, Road(total, self.found, other, True, caravan, begun, to_build, steps + 1))
            elif caravan >= 0 or first >= 0 or owner == features.seat:
                total = cost + (STEP if owner == features.seat else STEP + TOLL)
                may_build = self.mine[other]
                heappush(heap, Road(total, self.found, other, may_build, caravan, begun, build, steps + 1))
