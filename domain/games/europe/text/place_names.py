"""What people call the places of a board that have no name of their own: the cities nearby tell."""

from functools import cache, cached_property

from kontor_games.domain.games.europe.data.board import SEA, Board
from kontor_games.domain.toolkit.graph import breadth_first


@cache
def place_names(board: Board) -> "PlaceNames":
    """Return the names of a board, made once."""
    return PlaceNames(board)


class PlaceNames:
    """Names for hexes, paths and crossroads, each worked out when it is first needed."""

    def __init__(self, board: Board) -> None:
        """Begin without names."""
        self.board = board
        self.path = cache(self._path)
        self.hex = cache(self._hex)
        self.crossroads = cache(self._crossroads)

    def city(self, city: str) -> str:
        """Return the name of a city."""
        return self.board.cities[self.board.city_index[city]].name

    @cached_property
    def _near(self) -> tuple[tuple[int, ...], ...]:
        """For each crossroads the cities, nearest first."""
        return tuple(self._by_distance(start) for start in range(len(self.board.crossroads)))

    def _by_distance(self, start: int) -> tuple[int, ...]:
        walk = breadth_first([start], lambda at: (other for other, _ in self.board.neighbours[at]))
        return tuple(city for at, _ in walk if (city := self.board.city_at[at]) >= 0)

    def _path(self, path: str) -> str:
        """Between which two cities a path lies."""
        along = self.board.paths[self.board.path_index[path]]
        one = self._near[along.a][0]
        other = self._near[along.b][0]
        if one == other:
            beyond_a, beyond_b = self._near[along.a][1], self._near[along.b][1]
            one, other = (one, beyond_b) if self.board.city_at[along.a] == one else (beyond_a, other)
        return f"between {self._name(one)} and {self._name(other)}"

    def _crossroads(self, crossroads: str) -> str:
        """A city, or what a crossroads lies near."""
        at = self.board.crossroads_index[crossroads]
        if self.board.city_at[at] >= 0:
            return self._name(self.board.city_at[at])
        return f"the crossroads between {self._name(self._near[at][0])} and {self._name(self._near[at][1])}"

    def _hex(self, hexagon: str) -> str:
        """The terrain, and one or two cities at its corners."""
        at = self.board.hex_index[hexagon]
        terrain = self.board.hexes[at].terrain.replace("_", " ")
        cities = [self._name(city) for city in self.board.posts_beside[at]]
        if not cities:
            return f"the {terrain} at the rim" if terrain != SEA else "the sea"
        return (
            f"the {terrain} of {cities[0]}"
            if len(cities) == 1
            else f"the {terrain} between {cities[0]} and {cities[-1]}"
        )

    def _name(self, city: int) -> str:
        return self.board.cities[city].name
