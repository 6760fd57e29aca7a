"""A board as the rules see it: numbered places and their neighbours.

Computed once from the board's document, whose format is in `data/FORMAT.md`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kontor_games.domain.codec import Plain
from kontor_games.domain.games.europe.data.grid import (
    Place,
    ends_of_side,
    hexes_of_corner,
    parse_corner,
    parse_hex,
    parse_side,
)

RESOURCES = ("lumber", "wool", "grain", "ore", "salt")
COLOURS = ("red", "blue", "white", "orange")
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


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything printed on one board. Its places are numbered from 0; the wire uses their ids."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]
    crossroads: tuple[str, ...]
    cities: tuple[City, ...]
    paths: tuple[Path, ...]
    hexes_at: tuple[tuple[int, ...], ...]
    """The land hexes that meet at each crossroads."""
    paths_at: tuple[tuple[int, ...], ...]
    neighbours: tuple[Steps, ...]
    beside: tuple[tuple[int, ...], ...]
    """For each path, the paths that share a crossroads with it."""
    city_at: tuple[int, ...]
    """The city at each crossroads, or -1."""
    posts_beside: tuple[tuple[int, ...], ...]
    """The cities on the corners of each hex."""
    robber: int
    fixed: Mapping[str, Start]
    city_index: Mapping[str, int]
    path_index: Mapping[str, int]
    hex_index: Mapping[str, int]
    crossroads_index: Mapping[str, int]

    @classmethod
    def from_document(cls, document: Mapping[str, Plain]) -> "Board":
        """The board that a validated document describes."""
        hexes = _hexes(document)
        hex_index = {hexagon.id: i for i, hexagon in enumerate(hexes)}
        sides = _sides(document["paths"])
        corners = _corners(sides)
        index = {str(corner): i for i, corner in enumerate(corners)}
        cities = tuple(_city(entry, index) for entry in document["cities"])
        paths = _paths(sides, document["paths"], index)
        paths_at = _paths_at(paths, len(corners))
        city_at = _inverse((city.crossroads for city in cities), len(corners))
        city_index = {city.id: i for i, city in enumerate(cities)}
        path_index = {path.id: i for i, path in enumerate(paths)}
        hexes_at = tuple(_land_at(corner, hexes, hex_index) for corner in corners)
        return cls(
            name=document["name"],
            kind=document["kind"],
            hexes=hexes,
            crossroads=tuple(index),
            cities=cities,
            paths=paths,
            hexes_at=hexes_at,
            paths_at=paths_at,
            neighbours=tuple(_steps(at, paths, ending) for at, ending in enumerate(paths_at)),
            beside=tuple(_beside(i, path, paths_at) for i, path in enumerate(paths)),
            city_at=city_at,
            posts_beside=_posts_beside(cities, hexes_at, len(hexes)),
            robber=hex_index[document["robber"]],
            fixed={colour: _start(document["fixed"][colour], city_index, path_index) for colour in COLOURS},
            city_index=city_index,
            path_index=path_index,
            hex_index=hex_index,
            crossroads_index=index,
        )


def _known(place: Place | None, text: str) -> Place:
    if place is None:
        raise ValueError(f"{text!r} is not a place on a hex grid; was the document validated?")
    return place


def corner_of(text: str) -> Place:
    """The corner that a validated document names."""
    return _known(parse_corner(text), text)


def side_of(text: str) -> Place:
    """The side that a validated document names."""
    return _known(parse_side(text), text)


def _hexes(document: Mapping[str, Plain]) -> tuple[Hex, ...]:
    land = [
        _hex(entry["at"], entry["terrain"], entry.get("number"), ringed=entry.get("ringed", False))
        for entry in document["land"]
    ]
    return *land, *(_hex(at, SEA) for at in document["sea"])


def _hex(text: str, terrain: str, number: int | None = None, *, ringed: bool = False) -> Hex:
    at = _known(parse_hex(text), text)
    return Hex(str(at), at.q, at.r, terrain, number, ringed)


def _city(entry: Mapping[str, Plain], index: Mapping[str, int]) -> City:
    crossroads = index[str(corner_of(entry["at"]))]
    return City(entry["id"], entry["name"], crossroads, entry.get("violet", False), entry.get("gold", 0))


def _sides(paths: Mapping[str, Plain]) -> list[Place]:
    return [side_of(text) for kind in ("land", "sea") for text in paths[kind]]


def _paths(sides: list[Place], written: Mapping[str, Plain], index: Mapping[str, int]) -> tuple[Path, ...]:
    double = {side_of(text) for text in written["double"]}
    ends = ([index[str(end)] for end in ends_of_side(side)] for side in sides)
    first_sea = len(written["land"])
    return tuple(
        Path(str(side), a, b, i >= first_sea, side in double)
        for i, (side, (a, b)) in enumerate(zip(sides, ends, strict=True))
    )


def _start(entry: Mapping[str, Plain], city_index: Mapping[str, int], path_index: Mapping[str, int]) -> Start:
    return Start(tuple(city_index[city] for city in entry["posts"]), path_index[str(side_of(entry["route"]))])


def _corners(sides: Iterable[Place]) -> list[Place]:
    """Every crossroads that a path ends at, from north to south and west to east."""
    found = {end for side in sides for end in ends_of_side(side)}
    return sorted(found, key=lambda corner: (corner.r, corner.where, corner.q))


def _inverse(values: Iterable[int], size: int) -> tuple[int, ...]:
    places = [-1] * size
    for i, value in enumerate(values):
        places[value] = i
    return tuple(places)


def _land_at(corner: Place, hexes: tuple[Hex, ...], hex_index: Mapping[str, int]) -> tuple[int, ...]:
    meeting = (hex_index[f"{q},{r}"] for q, r in hexes_of_corner(corner))
    return tuple(sorted(i for i in meeting if hexes[i].terrain != SEA))


def _paths_at(paths: tuple[Path, ...], size: int) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(size)]
    for i, path in enumerate(paths):
        found[path.a].append(i)
        found[path.b].append(i)
    return tuple(map(tuple, found))


def _steps(at: int, paths: tuple[Path, ...], ending: tuple[int, ...]) -> Steps:
    return tuple((paths[i].b if paths[i].a == at else paths[i].a, i) for i in ending)


def _beside(i: int, path: Path, paths_at: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(sorted({*paths_at[path.a], *paths_at[path.b]} - {i}))


def _posts_beside(
    cities: tuple[City, ...], hexes_at: tuple[tuple[int, ...], ...], size: int
) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(size)]
    for i, city in enumerate(cities):
        for hexagon in hexes_at[city.crossroads]:
            found[hexagon].append(i)
    return tuple(map(tuple, found))
