"""The coordinates of everything on a board in its picture, which clients also use (`data/derived.py`)."""

from collections.abc import Iterator
from math import hypot

from kontor_games.domain.games.europe.data.board import SEA, Board, City, Hex, Path
from kontor_games.domain.games.europe.data.grid import Point, hexes_of_corner, middle_of, place_of, point_of
from kontor_games.domain.games.europe.picture import art
from kontor_games.domain.games.europe.picture.labels import Box, Label, placed

MARGIN = 34.0
HEADER = 74.0
ROOM = 1.05
"""How far the map extends beyond its outermost crossroads, in hex sides."""


class Layout:
    """A board laid out on paper."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.land = [hexagon for hexagon in board.hexes if hexagon.terrain != SEA]
        self.sea = [hexagon for hexagon in board.hexes if hexagon.terrain == SEA]
        self.corners = [point_of(place_of("corner", crossroads)) for crossroads in board.crossroads]
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        self.left, self.top = min(xs) - ROOM, min(ys) - ROOM
        width, height = (max(xs) + ROOM - self.left) * art.SIDE, (max(ys) + ROOM - self.top) * art.SIDE
        self.frame = Box(MARGIN, HEADER, MARGIN + width, HEADER + height)

    def at(self, point: Point) -> Point:
        """Where a point of the grid lies on the paper."""
        x, y = (point[0] - self.left) * art.SIDE, (point[1] - self.top) * art.SIDE
        return self.frame.left + x, self.frame.top + y

    def middle(self, hexagon: Hex) -> Point:
        """Where a hex lies on the paper."""
        return self.at(middle_of(hexagon.q, hexagon.r))

    def crossroads(self, index: int) -> Point:
        """Where a crossroads lies on the paper."""
        return self.at(self.corners[index])

    def halfway(self, path: Path) -> Point:
        (ax, ay), (bx, by) = self.crossroads(path.a), self.crossroads(path.b)
        return (ax + bx) / 2, (ay + by) / 2

    def coin(self, city: City) -> Point:
        """Where the gold of a city on the coast lies: in the water."""
        x, y = self.crossroads(city.crossroads)
        sea = {(hexagon.q, hexagon.r) for hexagon in self.sea}
        water = [
            middle_of(*at)
            for at in hexes_of_corner(place_of("corner", self.board.crossroads[city.crossroads]))
            if at in sea
        ]
        wx, wy = self.at((sum(p[0] for p in water) / len(water), sum(p[1] for p in water) / len(water)))
        away = hypot(wx - x, wy - y)
        return x + (wx - x) * 25 / away, y + (wy - y) * 25 / away

    def labels(self) -> list[Label]:
        """The names of all cities, in order, placed so that they cover as little as possible."""
        names = [(city.name, *self.crossroads(city.crossroads)) for city in self.board.cities]
        return placed(names, list(self._taken()), self.frame)

    def _taken(self) -> Iterator[Box]:
        """The areas that no name may cover."""
        for hexagon in self.land:
            yield _around(self.middle(hexagon), 22 if hexagon.ringed else 18)
        for city in self.board.cities:
            yield _around(self.crossroads(city.crossroads), 11)
            if city.gold:
                yield _around(self.coin(city), 10)
        for start in self.board.fixed.values():
            yield _around(self.halfway(self.board.paths[start.route]), 13)
        for path in self.board.paths:
            if path.double:
                yield _around(self.halfway(path), 13)


def _around(point: Point, room: float) -> Box:
    return Box(point[0] - room, point[1] - room, point[0] + room, point[1] + room)
