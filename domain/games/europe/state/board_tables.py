"""Tables of a board, computed once for all its matches: distances, bit sets of paths, a move per place.

Nothing here depends on a rule. Rules cache their own results for a board in `memo`, under their own keys.
"""

from functools import cache, lru_cache
from itertools import compress, count
from typing import Any

from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.board import RESOURCES, TERRAIN_RESOURCE, Board
from kontor_games.domain.toolkit.graph import breadth_first

_DIGIT_VALUES = bytes.maketrans(b"01", b"\0\1")


class BoardTables:
    """A board with everything about it that never changes."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.memo: dict[Any, Any] = {}
        self.yields = tuple(
            RESOURCES.index(TERRAIN_RESOURCE[h.terrain]) if h.terrain in TERRAIN_RESOURCE else -1
            for h in board.hexes
        )
        """The resource of each hex, -1 at sea."""
        self.beside_bits = tuple(bits(paths) for paths in board.beside)
        """For each path, the set of paths beside it."""
        self.city_path_bits = tuple(bits(board.paths_at[city.crossroads]) for city in board.cities)
        """For each city, the set of paths that end there."""
        self.cities_of = tuple(
            tuple(board.city_at[c] for c in (p.a, p.b) if board.city_at[c] >= 0) for p in board.paths
        )
        """The cities at the ends of each path."""
        self.hexes_of = tuple(board.hexes_at[city.crossroads] for city in board.cities)
        """The land hexes that meet at each city."""
        self.joints = tuple(
            tuple(
                (2 * path + end, 2 * other + int(board.paths[other].b == at))
                for end, at in enumerate((along.a, along.b))
                for other in board.paths_at[at]
                if other != path
            )
            for path, along in enumerate(board.paths)
        )
        """For each path, its ends, each with every end of another path at the same crossroads.

        End e (0 or 1) of path p has the number 2 p + e.
        """
        self.steps = tuple(
            tuple((end >> 1, end, 1 << owner) for owner in range(4)) for end in range(2 * len(board.paths))
        )
        """For each end, the step along its route to it, by owner: path, end, owner as a bit."""
        self.ends = tuple(path.a for path in board.paths)
        """One end of each path."""
        self.path_ids = tuple(path.id for path in board.paths)
        self.city_ids = tuple(city.id for city in board.cities)
        self.hex_ids = tuple(h.id for h in board.hexes)
        self.distances = cache(self._distances)
        self.within = cache(self._within)
        self.beyond = cache(self._beyond)
        self.way = cache(self._way)
        self.build_on = lru_cache(maxsize=1 << 9)(self._build_on)
        self._make_moves()

    def _make_moves(self) -> None:
        """Create the moves that name one place, so that lists of moves can reuse them."""
        self.start_post = tuple(map(m.PlaceStartPost, self.city_ids))
        self.neutral_post = tuple(map(m.PlaceNeutralPost, self.city_ids))
        self.start_route = tuple(map(m.PlaceStartRoute, self.path_ids))
        self.move_robber = tuple(map(m.MoveRobber, self.hex_ids))
        self.build_route = tuple(map(m.BuildRoute, self.path_ids))
        self.deliver = tuple(map(m.Deliver, self.city_ids))
        pieces = (None, 0, 1)
        self.hire_merchant = tuple({i: m.HireMerchant(city, i) for i in pieces} for city in self.city_ids)
        """For each city, the moves that put a merchant there, by the piece that is moved."""
        self.form_caravan = tuple({i: m.FormCaravan(path, i) for i in pieces} for path in self.path_ids)
        """For each path, the moves that put a caravan there, by the piece that is moved."""
        fares = [(caravan, toll, salt) for salt in (0, 1) for toll in (0, 1) for caravan in (0, 1)]
        self.step_caravan = tuple(
            tuple(m.MoveCaravan(caravan, (path,), salt, toll) for caravan, toll, salt in fares)
            for path in self.path_ids
        )
        """For each path, the moves of one step there, by caravan + 2 × toll + 4 × salt."""

    def _distances(self, start: int) -> dict[int, int]:
        """Return the distance of each crossroads from this one, nearest first."""
        return dict(breadth_first([start], lambda at: (other for other, _ in self.board.neighbours[at])))

    def _build_on(self, sites: int) -> list[m.BuildRoute]:
        """Return a move for each path of a set, ascending."""
        return list(compress(self.build_route, _flags(sites)))

    def _way(self, start: int, end: int) -> tuple[str, ...]:
        """Return the crossroads on a shortest way, without the start."""
        away, at, way = self.distances(end), start, []
        while at != end:
            at = next(other for other, _ in self.board.neighbours[at] if away[other] == away[at] - 1)
            way.append(self.board.crossroads[at])
        return tuple(way)

    def _within(self, path: int, steps: int) -> int:
        """Return the paths within a number of steps from path to path, as bits."""
        if steps < 1:
            return 1 << path if steps == 0 else 0
        found = self.within(path, steps - 1)
        for rim in few_numbers(found & ~self.within(path, steps - 2)):
            found |= self.beside_bits[rim]
        return found

    def _beyond(self, path: int, steps: int) -> int:
        """Return the paths within a number of steps that are more than one step away, as bits."""
        return self.within(path, steps) & ~self.within(path, 1)


def bits(numbers: tuple[int, ...]) -> int:
    """Return a set of small numbers as the bits of one number."""
    return sum(1 << number for number in set(numbers))


def numbers(mask: int) -> list[int]:
    """Return the members of a set of bits, ascending."""
    return list(compress(count(), _flags(mask)))


def _flags(mask: int) -> bytes:
    """Return for each number from 0 on whether it is a member of a set of bits."""
    return bin(mask)[:1:-1].encode().translate(_DIGIT_VALUES)


def few_numbers(mask: int) -> list[int]:
    """Return the members of a set of bits, ascending; faster than `numbers` if there are few."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
