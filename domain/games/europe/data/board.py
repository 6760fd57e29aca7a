"""A board as the rules see it: numbered places and their neighbours.

Computed once from the board's document, whose format is in `data/FORMAT.md`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, get_args

from kontor_games.domain.codec import Plain
from kontor_games.domain.games.europe.data.grid import Place, ends_of_side, hexes_of_corner, place_of

Resource = Literal["lumber", "wool", "grain", "ore", "salt"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)
Colour = Literal["red", "blue", "white", "orange"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
TERRAIN_RESOURCE = {
    "forest": "lumber",
    "pasture": "wool",
    "field": "grain",
    "mountain": "ore",
    "salt_works": "salt",
}
SEA = "sea"

Steps = tuple[tuple[int, int], ...]
"""The neighbours of one crossroads, each with the path that leads there."""


class Hex(NamedTuple):
    """A piece of land or sea (E-2)."""

    id: str
    q: int
    r: int
    terrain: str
    number: int | None
    """The printed number, where there is one."""
    ringed: bool
    """Whether its empty number space bears a ring (E-6)."""


class City(NamedTuple):
    """A crossroads where a post may stand (E-2)."""

    id: str
    name: str
    crossroads: int
    violet: bool
    gold: int
    """The gold for the builder of the first post here (E-44)."""


class Path(NamedTuple):
    """A hex border that may bear a route (E-2)."""

    id: str
    a: int
    b: int
    sea: bool
    double: bool


class Start(NamedTuple):
    """The pieces of one colour in the fixed set-up (E-10)."""

    posts: tuple[int, ...]
    route: int


class Board:
    """Everything printed on one board. Its places are numbered from 0; the wire uses their ids."""

    def __init__(self, document: Mapping[str, Plain]) -> None:
        sides = [place_of("side", text) for kind in ("land", "sea") for text in document["paths"][kind]]
        corners = _corners(sides)
        self.name: str = document["name"]
        self.kind: str = document["kind"]
        sea = [{"at": at, "terrain": SEA} for at in document["sea"]]
        self.hexes = tuple(map(_hex, [*document["land"], *sea]))
        self.hex_index = {hexagon.id: i for i, hexagon in enumerate(self.hexes)}
        self.robber = self.hex_index[document["robber"]]
        self.crossroads = tuple(map(str, corners))
        self.crossroads_index = {crossroads: i for i, crossroads in enumerate(self.crossroads)}
        self.hexes_at = tuple(self._land_at(corner) for corner in corners)
        """The land hexes that meet at each crossroads."""
        self.cities = tuple(map(self._city, document["cities"]))
        self.city_index = {city.id: i for i, city in enumerate(self.cities)}
        city_at = {city.crossroads: i for i, city in enumerate(self.cities)}
        self.city_at = tuple(city_at.get(at, -1) for at in range(len(corners)))
        """The city at each crossroads, or -1."""
        self.posts_beside = _grouped(
            len(self.hexes),
            ((h, i) for i, city in enumerate(self.cities) for h in self.hexes_at[city.crossroads]),
        )
        """The cities on the corners of each hex."""
        self.paths = tuple(self._paths(sides, document["paths"]))
        self.path_index = {path.id: i for i, path in enumerate(self.paths)}
        self.paths_at = _grouped(
            len(corners), ((end, i) for i, path in enumerate(self.paths) for end in (path.a, path.b))
        )
        self.neighbours = tuple(self._neighbours(at) for at in range(len(corners)))
        self.beside = tuple(self._beside(i) for i in range(len(self.paths)))
        """For each path, the paths that share a crossroads with it."""
        self.fixed: dict[str, Start] = {colour: self._start(document["fixed"][colour]) for colour in COLOURS}

    def _land_at(self, corner: Place) -> tuple[int, ...]:
        meeting = (self.hex_index[f"{q},{r}"] for q, r in hexes_of_corner(corner))
        return tuple(sorted(i for i in meeting if self.hexes[i].terrain != SEA))

    def _city(self, entry: Mapping[str, Plain]) -> City:
        crossroads = self.crossroads_index[str(place_of("corner", entry["at"]))]
        return City(entry["id"], entry["name"], crossroads, entry.get("violet", False), entry.get("gold", 0))

    def _paths(self, sides: list[Place], written: Mapping[str, Plain]) -> Iterator[Path]:
        double = {place_of("side", text) for text in written["double"]}
        for i, side in enumerate(sides):
            a, b = (self.crossroads_index[str(end)] for end in ends_of_side(side))
            yield Path(str(side), a, b, i >= len(written["land"]), side in double)

    def _neighbours(self, at: int) -> Steps:
        paths = [(self.paths[i], i) for i in self.paths_at[at]]
        return tuple((path.b if path.a == at else path.a, i) for path, i in paths)

    def _beside(self, i: int) -> tuple[int, ...]:
        path = self.paths[i]
        return tuple(sorted({*self.paths_at[path.a], *self.paths_at[path.b]} - {i}))

    def _start(self, entry: Mapping[str, Plain]) -> Start:
        posts = tuple(self.city_index[city] for city in entry["posts"])
        return Start(posts, self.path_index[str(place_of("side", entry["route"]))])


def _hex(entry: Mapping[str, Plain]) -> Hex:
    at = place_of("hex", entry["at"])
    return Hex(str(at), at.q, at.r, entry["terrain"], entry.get("number"), entry.get("ringed", False))


def _corners(sides: Iterable[Place]) -> list[Place]:
    """Every crossroads that a path ends at, from north to south and west to east."""
    found = {end for side in sides for end in ends_of_side(side)}
    return sorted(found, key=lambda corner: (corner.r, corner.where, corner.q))


def _grouped(size: int, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """For each number below `size`, the numbers paired with it."""
    found: list[list[int]] = [[] for _ in range(size)]
    for key, value in pairs:
        found[key].append(value)
    return tuple(map(tuple, found))
