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
    """A way to a post that takes a good."""

    cost: float
    city: int
    caravan: int
    """The caravan that goes there, or -1 if one has to be formed."""
    first: int
    """The path that leaves the starting point, or -1 at the goal."""
    build: tuple[int, ...]
    """The paths that still need a route, in order."""
    steps: int


class _Leg(NamedTuple):
    """A position of the search; legs of equal cost are taken in the order found."""

    cost: float
    number: int
    at: int
    mine: bool
    """Whether the next route may be built from here."""
    caravan: int
    first: int
    build: tuple[int, ...]
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
            leg = heappop(heap)
            city = city_at[leg.at]
            if city in customers:
                return Road(leg.cost, city, leg.caravan, leg.first, leg.build, leg.steps)
            if (leg.at, leg.mine) not in done:
                done.add((leg.at, leg.mine))
                self._go_on(heap, leg)
        return None

    def _starts(self) -> list[_Leg]:
        """Both ends of each caravan's route; each post of one's own, for a caravan to be formed."""
        features, terrain = self.features, self.features.terrain
        legs = [
            _Leg(0.0, 0, end, self.mine[end], caravan, -1, (), 0)
            for caravan, path in enumerate(features.caravans)
            if path >= 0
            for end in terrain.ends[path]
        ]
        return [*legs, *(_Leg(FORM, 0, terrain.sites[city], True, -1, -1, (), 0) for city in features.own)]

    def _go_on(self, heap: list[_Leg], leg: _Leg) -> None:
        """Continue along existing routes, and along free paths where a route could be built."""
        cost, _, at, mine, caravan, first, build, steps = leg
        features, paths = self.features, self.features.terrain.board.paths
        for other, path in features.terrain.board.neighbours[at]:
            owner = features.route[path]
            self.found += 1
            begun = path if first < 0 else first
            if (other, owner == NOBODY or self.mine[other]) in self.done:
                continue
            if owner == NOBODY:
                if mine:
                    price = STEP + (BUILD_DOUBLE if paths[path].double else BUILD)
                    heappush(
                        heap,
                        _Leg(
                            cost + price, self.found, other, True, caravan, begun, (*build, path), steps + 1
                        ),
                    )
            elif caravan >= 0 or first >= 0 or owner == features.seat:
                price = STEP if owner == features.seat else STEP + TOLL
                heappush(
                    heap,
                    _Leg(cost + price, self.found, other, self.mine[other], caravan, begun, build, steps + 1),
                )
