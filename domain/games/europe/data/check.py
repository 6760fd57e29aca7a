"""The requirements of a playable board; each violation is reported with its place in the document.

The built-in boards meet further requirements (`data/FORMAT.md`), which are not checked here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Fault, Length, MalformedError, Plain, Record, Shape, record
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe.data.board import COLOURS, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.data.grid import (
    Coordinates,
    Kind,
    Place,
    ends_of_side,
    hexes_of_corner,
    hexes_of_side,
    parse,
)
from kontor_games.domain.toolkit.graph import breadth_first

MIN_CITIES = {"short": 29, "expert": 41}
"""All posts of four players (E-3), and one city more."""
MIN_VIOLET_CITIES = 12
"""Three posts for each of four colours (E-10 to E-12)."""

_CITY_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_Text = Annotated[str, Length(1, 60)]


@record
class Land(Record):
    """A land hex as the document writes it."""

    at: str
    terrain: Literal["forest", "pasture", "field", "mountain", "salt_works"]
    number: Annotated[int, Between(2, 12)] | None = None
    ringed: bool = False


@record
class Site(Record):
    """A city as the document writes it."""

    id: str
    name: _Text
    at: str
    violet: bool = False
    gold: Annotated[int, Between(0, 3)] = 0


@record
class Borders(Record):
    """The paths as the document writes them."""

    land: tuple[str, ...]
    sea: tuple[str, ...]
    double: tuple[str, ...]


@record
class Colour(Record):
    """One colour's fixed set-up as the document writes it."""

    posts: tuple[str, str, str]
    route: str


@record
class Fixed(Record):
    """The fixed set-up as the document writes it."""

    red: Colour
    blue: Colour
    white: Colour
    orange: Colour


@record
class Sheet(Record):
    """A board document as it is written; only its shape is checked by the annotations."""

    format: Literal[1]
    name: _Text
    kind: Literal["short", "expert"]
    land: tuple[Land, ...]
    sea: tuple[str, ...]
    cities: tuple[Site, ...]
    paths: Borders
    robber: str
    fixed: Fixed


_SHAPE = Shape(Sheet)


def admit(name: str, document: Plain) -> DataSet:
    """Return a checked board with every field written out; raise MalformedError with each violation."""
    faults: list[Fault] = []
    sheet: Sheet | None = _SHAPE.parse(document, "", faults)
    if sheet is None:
        raise MalformedError(faults)
    written = _SHAPE.encode(sheet)
    faults = list(_Map(sheet).faults()) or list(_whole_faults(Board(written)))
    if faults:
        raise MalformedError(faults)
    return DataSet(name, written)


class _Map:
    """The places that a document names, each with its position in the document."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._unreadable: list[Fault] = []
        self.land = self._read(_placed("/land", sheet.land), "hex")
        self.sea = self._read(_listed("/sea", sheet.sea), "hex")
        self.cities = self._read(_placed("/cities", sheet.cities), "corner")
        paths = [*_listed("/paths/land", sheet.paths.land), *_listed("/paths/sea", sheet.paths.sea)]
        self.paths = self._read(paths, "side")
        self.double = self._read(_listed("/paths/double", sheet.paths.double), "side")
        self.robber = self._read([("/robber", sheet.robber)], "hex")
        self.starts = {colour: getattr(sheet.fixed, colour) for colour in COLOURS}
        routes = [(f"/fixed/{colour}/route", start.route) for colour, start in self.starts.items()]
        self.routes = self._read(routes, "side")
        self.known = {(at.q, at.r) for at in (*self.land.values(), *self.sea.values())}
        self.dry = {(at.q, at.r) for at in self.land.values()}

    def _read(self, written: Iterable[tuple[str, str]], kind: Kind) -> dict[str, Place]:
        found = {}
        for pointer, text in written:
            place = parse(kind, text)
            if place is None:
                self._unreadable.append(Fault(pointer, f"must name a {kind}, such as {_EXAMPLES[kind]}"))
            else:
                found[pointer] = place
        return found

    def faults(self) -> Iterator[Fault]:
        """Each violation that concerns one place."""
        yield from self._unreadable
        yield from _duplicates({**self.land, **self.sea}, "this hex")
        yield from self._number_faults()
        yield from self._path_faults()
        yield from self._city_faults()
        yield from self._robber_faults()
        yield from self._start_faults()

    def _number_faults(self) -> Iterator[Fault]:
        for i, hexagon in enumerate(self.sheet.land):
            if hexagon.number == 7:
                yield Fault(f"/land/{i}/number", "can't be 7, which wakes the robber (E-24)")
            if hexagon.number is not None and hexagon.ringed:
                yield Fault(
                    f"/land/{i}/ringed",
                    "can't be true beside a printed number: a ring marks an empty space (E-6)",
                )
        for terrain in TERRAIN_RESOURCE:
            rings = sum(hexagon.ringed for hexagon in self.sheet.land if hexagon.terrain == terrain)
            if rings != 1:
                yield Fault("/land", f"must have one ring-marked {terrain}, not {rings} (E-6)")

    def _path_faults(self) -> Iterator[Fault]:
        yield from _duplicates(self.paths, "this path")
        yield from _duplicates(self.double, "this path")
        for pointer, side in self.paths.items():
            beside = hexes_of_side(side)
            if missing := {at for end in ends_of_side(side) for at in hexes_of_corner(end)} - self.known:
                yield Fault(
                    pointer, f"ends where not all three hexes are on the board: {_named(missing)} (E-2)"
                )
            elif pointer.startswith("/paths/land") and not self.dry.intersection(beside):
                yield Fault(pointer, "runs between two sea hexes, so it is a path by sea")
            elif pointer.startswith("/paths/sea") and self.dry.issuperset(beside):
                yield Fault(pointer, "runs between two land hexes, so it is a path by land")
        for pointer, side in self.double.items():
            if side not in self.paths.values():
                yield Fault(pointer, "is not a path of this board (E-42)")

    def _city_faults(self) -> Iterator[Fault]:
        yield from _duplicates(self.cities, "this crossroads")
        ends = {end for side in self.paths.values() for end in ends_of_side(side)}
        for pointer, corner in self.cities.items():
            if corner not in ends:
                yield Fault(pointer, "is a crossroads where no path ends")
            elif not self.dry.intersection(hexes_of_corner(corner)):
                yield Fault(pointer, "lies in the open sea")
        seen: set[str] = set()
        for i, city in enumerate(self.sheet.cities):
            yield from self._site_faults(i, city, seen)
            seen.add(city.id)
        if len(self.sheet.cities) < (least := MIN_CITIES[self.sheet.kind]):
            yield Fault(
                "/cities",
                f"must be at least {least} on a board of kind {self.sheet.kind}, "
                f"not {len(self.sheet.cities)} (E-3)",
            )
        if (violet := sum(city.violet for city in self.sheet.cities)) < MIN_VIOLET_CITIES:
            yield Fault("/cities", f"must have at least {MIN_VIOLET_CITIES} violet ones, not {violet} (E-12)")

    def _site_faults(self, i: int, city: Site, seen: set[str]) -> Iterator[Fault]:
        if not _CITY_ID.fullmatch(city.id):
            yield Fault(
                f"/cities/{i}/id",
                "must be up to 40 lower-case letters, digits and underscores, a letter first",
            )
        if city.id in seen:
            yield Fault(f"/cities/{i}/id", f"is taken by another city: {city.id}")
        corner = self.cities.get(f"/cities/{i}/at")
        if city.gold and corner is not None and self.dry.issuperset(hexes_of_corner(corner)):
            yield Fault(f"/cities/{i}/gold", "must be 0: only a coastal city pays gold (E-2)")

    def _robber_faults(self) -> Iterator[Fault]:
        for pointer, at in self.robber.items():
            found = [hexagon for hexagon in self.sheet.land if parse("hex", hexagon.at) == at]
            if not found:
                yield Fault(pointer, "must be a land hex of this board (E-8)")
            elif found[0].number is not None or found[0].ringed:
                yield Fault(pointer, "must be a hex with neither number nor ring (E-8)")

    def _start_faults(self) -> Iterator[Fault]:
        sites = {city.id: self.cities.get(f"/cities/{i}/at") for i, city in enumerate(self.sheet.cities)}
        yield from _duplicates(self.routes, "this path")
        seen: set[str] = set()
        for colour, start in self.starts.items():
            for i, city in enumerate(start.posts):
                if city not in sites:
                    yield Fault(f"/fixed/{colour}/posts/{i}", f"is not a city of this board: {city}")
                elif city in seen:
                    yield Fault(f"/fixed/{colour}/posts/{i}", f"has a post already: {city}")
                seen.add(city)
            route = self.routes.get(f"/fixed/{colour}/route")
            if route is not None:
                yield from self._route_faults(
                    f"/fixed/{colour}/route", route, {sites.get(city) for city in start.posts}
                )

    def _route_faults(self, pointer: str, route: Place, posts: set[Place | None]) -> Iterator[Fault]:
        if route not in self.paths.values():
            yield Fault(pointer, "is not a path of this board")
        elif not posts.intersection(ends_of_side(route)):
            yield Fault(pointer, "must end at a post of this colour (E-10)")


def _whole_faults(board: Board) -> Iterator[Fault]:
    """The requirements of the whole map: every city can be reached, and the set-up joins no two cities."""
    reached = _reached(board, range(len(board.paths)), board.cities[0].crossroads)
    for i, city in enumerate(board.cities):
        if city.crossroads not in reached:
            yield Fault(f"/cities/{i}", f"can't be reached from {board.cities[0].name} by any paths")
    routes = [start.route for start in board.fixed.values()]
    for i, city in enumerate(board.cities):
        joined = [
            board.city_at[at] for at in _reached(board, routes, city.crossroads) if board.city_at[at] > i
        ]
        for other in joined:
            yield Fault(
                "/fixed",
                "must leave all cities isolated, "
                f"but its routes join {city.name} and {board.cities[other].name} (E-12)",
            )


def _reached(board: Board, open_paths: Iterable[int], start: int) -> set[int]:
    usable = set(open_paths)
    steps = breadth_first([start], lambda at: (to for to, path in board.neighbours[at] if path in usable))
    return {at for at, _ in steps}


def _duplicates(places: Mapping[str, Place], what: str) -> Iterator[Fault]:
    first: dict[Place, str] = {}
    for pointer, place in places.items():
        if place in first:
            yield Fault(pointer, f"names {what} a second time, after {first[place]}")
        else:
            first[place] = pointer


def _listed(pointer: str, texts: Iterable[str]) -> list[tuple[str, str]]:
    return [(f"{pointer}/{i}", text) for i, text in enumerate(texts)]


def _placed(pointer: str, entries: Iterable[Land | Site]) -> list[tuple[str, str]]:
    return [(f"{pointer}/{i}/at", entry.at) for i, entry in enumerate(entries)]


def _named(hexes: Iterable[Coordinates]) -> str:
    return "missing " + " and ".join(f"{q},{r}" for q, r in sorted(hexes))


_EXAMPLES = {"hex": "7,4", "corner": "7,4N (N, NE, SE, S, SW or NW)", "side": "7,4E (E, SE, SW, W, NW or NE)"}
