"""What the rules work out of a board once and for all matches: distances, sets of paths as bits, ready-made moves."""

from bisect import bisect_right
from collections.abc import Callable
from functools import cache, cached_property
from operator import itemgetter
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe.board import RESOURCES, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    Deliver,
    FormCaravan,
    HireMerchant,
    MoveCaravan,
    MoveMerchant,
    MoveRobber,
    PlaceNeutralPost,
    PlaceStartPost,
    PlaceStartRoute,
    PlayTreatyForMerchant,
)

MOST_GRAIN = 19
TREATY_STEPS = 7
"""How far a trade treaty moves a merchant (E-61)."""
STEPS_PER_CARD = 3
"""Crossroads for 1 grain (E-43), routes for 1 salt (E-46)."""

Walk = tuple[Callable[[Any], Any], tuple[Move, ...]]
"""Where a merchant can go, nearest first: what picks these crossroads out of a list of all, and the moves that take it there."""


class Atlas:
    """A board with everything about it that never changes."""

    def __init__(self, board: Board) -> None:
        """Works out the tables."""
        self.board = board
        self.yields = tuple(
            RESOURCES.index(TERRAIN_RESOURCE[h.terrain]) if h.terrain in TERRAIN_RESOURCE else -1
            for h in board.hexes
        )
        """Hex to the resource it gives, -1 at sea."""
        self.beside_bits = tuple(bits(paths) for paths in board.beside)
        """Path to the set of paths beside it."""
        self.door_bits = tuple(bits(board.paths_at[city.crossroads]) for city in board.cities)
        """City to the set of paths that end there."""
        self.cities_of = tuple(
            tuple(board.city_at[c] for c in (p.a, p.b) if board.city_at[c] >= 0) for p in board.paths
        )
        """Path to the cities at its ends."""
        self.hexes_of = tuple(board.hexes_at[city.crossroads] for city in board.cities)
        """City to the land hexes that meet there."""
        self.ends = tuple(path.a for path in board.paths)
        """Path to one of its crossroads."""
        self.path_ids = tuple(path.id for path in board.paths)
        self.city_ids = tuple(city.id for city in board.cities)
        self.hex_ids = tuple(h.id for h in board.hexes)
        self.violet = tuple(i for i, city in enumerate(board.cities) if city.violet)
        self.distances = cache(self._distances)
        """Crossroads to how far every other one is from it."""
        self.around = cache(self._around)
        self.way = cache(self._way)
        self.walks = cache(self._walks)
        self.treaty_walks = cache(self._treaty_walks)

    @cached_property
    def build_route(self) -> tuple[Move, ...]:
        """A move for each path."""
        return tuple(BuildRoute(path) for path in self.path_ids)

    @cached_property
    def start_route(self) -> tuple[Move, ...]:
        """A move for each path."""
        return tuple(PlaceStartRoute(path) for path in self.path_ids)

    @cached_property
    def form_caravan(self) -> tuple[tuple[Move, ...], ...]:
        """For each path: a new caravan, the first one moved, the second one moved."""
        return tuple(
            (FormCaravan(path), FormCaravan(path, 0), FormCaravan(path, 1)) for path in self.path_ids
        )

    @cached_property
    def hire_merchant(self) -> tuple[tuple[Move, ...], ...]:
        """For each city: a new merchant, the first one moved, the second one moved."""
        return tuple(
            (HireMerchant(city), HireMerchant(city, 0), HireMerchant(city, 1)) for city in self.city_ids
        )

    @cached_property
    def step_caravan(self) -> tuple[tuple[MoveCaravan, ...], ...]:
        """For each path the moves of one step there, by caravan + 2 × toll + 4 × salt."""
        prices = [(caravan, toll, salt) for salt in (0, 1) for toll in (0, 1) for caravan in (0, 1)]
        return tuple(
            tuple(MoveCaravan(caravan, (path,), salt, toll) for caravan, toll, salt in prices)
            for path in self.path_ids
        )

    @cached_property
    def deliver(self) -> tuple[Move, ...]:
        """A move for each city."""
        return tuple(Deliver(city) for city in self.city_ids)

    @cached_property
    def start_post(self) -> tuple[Move, ...]:
        """A move for each city."""
        return tuple(PlaceStartPost(city) for city in self.city_ids)

    @cached_property
    def neutral_post(self) -> tuple[Move, ...]:
        """A move for each city."""
        return tuple(PlaceNeutralPost(city) for city in self.city_ids)

    @cached_property
    def move_robber(self) -> tuple[Move, ...]:
        """A move for each hex."""
        return tuple(MoveRobber(h) for h in self.hex_ids)

    def _way(self, start: int, end: int) -> tuple[str, ...]:
        """The crossroads on a shortest way, without the start."""
        away, at, way = self.distances(end), start, []
        while at != end:
            at = next(other for other, _ in self.board.neighbours[at] if away[other] == away[at] - 1)
            way.append(self.board.crossroads[at])
        return tuple(way)

    def _distances(self, start: int) -> dict[int, int]:
        found, wave = {start: 0}, [start]
        while wave:
            wave = [
                other
                for at in wave
                for other, _ in self.board.neighbours[at]
                if _reached(found, other, found[at] + 1)
            ]
        return found

    def _around(self, path: int, steps: int) -> int:
        """The paths to which so many steps could lead at best, if there were routes everywhere, as bits."""
        if steps < 1:
            return 1 << path if steps == 0 else 0
        found = self.around(path, steps - 1)
        for rim in few_numbers(found & ~self.around(path, steps - 2)):
            found |= self.beside_bits[rim]
        return found

    def _walks(self, merchant: int, start: int) -> tuple[Walk, ...]:
        """By the number of grain paid: where a merchant of this number can go from here."""
        ids = self.board.crossroads
        away = self.distances(start)
        ends = tuple([at for at, steps in away.items() if steps])
        moves = tuple([MoveMerchant(merchant, ids[at], grain_for(away[at])) for at in ends])
        farther = [away[at] for at in ends]
        within = [bisect_right(farther, grain * STEPS_PER_CARD) for grain in range(MOST_GRAIN + 1)]
        return tuple([(picker(ends[:count]), moves[:count]) for count in within])

    def _treaty_walks(self, merchant: int, start: int) -> Walk:
        """Where a trade treaty takes a merchant of this number from here."""
        ids = self.board.crossroads
        ends = tuple([at for at, steps in self.distances(start).items() if 0 < steps <= TREATY_STEPS])
        return picker(ends), tuple([PlayTreatyForMerchant(merchant, ids[at]) for at in ends])


def picker(ends: tuple[int, ...]) -> Callable[[Any], Any]:
    """Picks what lists hold at these places, and twice at the last one, so that it is always several."""
    return itemgetter(*ends, -1, -1)


def grain_for(steps: int) -> int:
    """What so many steps cost (E-43)."""
    return -(-steps // STEPS_PER_CARD)


def bits(numbers: tuple[int, ...]) -> int:
    """A set of small numbers as the bits of one."""
    return sum(1 << number for number in set(numbers))


def numbers(mask: int) -> list[int]:
    """The members of a set of bits, ascending."""
    return [i for i, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"]


def few_numbers(mask: int) -> list[int]:
    """The same, faster where they are few."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _reached(found: dict[int, int], at: int, steps: int) -> bool:
    if at in found:
        return False
    found[at] = steps
    return True
