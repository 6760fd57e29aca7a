"""Draws a board as SVG."""

from collections.abc import Iterator
from html import escape
from math import atan2, degrees, hypot, pi, sin
from math import cos as cosine

from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe.data.board import (
    COLOURS,
    RESOURCES,
    TERRAIN_RESOURCE,
    Board,
    Hex,
    Path,
)
from kontor_games.domain.games.europe.data.components import RINGED
from kontor_games.domain.games.europe.data.grid import Point
from kontor_games.domain.games.europe.picture import art
from kontor_games.domain.games.europe.picture.labels import FONT
from kontor_games.domain.games.europe.picture.layout import MARGIN, Layout

COLUMN = 165.0
ROW = 48.0
"""The size of an entry of the legend."""
_WAVE = '<use href="#wave"/>'


def draw(data: DataSet, *, pieces: bool = True) -> str:
    """The board of a data set as SVG, with or without the pieces and tokens of the set-up."""
    return "".join(Picture(Board(data.document), pieces=pieces).parts())


class Picture(Layout):
    """The picture of a board: the map with a title above and a legend below."""

    def __init__(self, board: Board, *, pieces: bool = True) -> None:
        super().__init__(board)
        self.pieces = pieces
        width = self.frame.right - self.frame.left
        self.columns = max(2, int(width // COLUMN))
        rows = -(-len(_LEGEND) // self.columns)
        self.width, self.height = width + 2 * MARGIN, self.frame.bottom + 30 + ROW * rows

    def parts(self) -> Iterator[str]:
        """Yield the parts of the SVG document, from back to front."""
        box, name = self.frame, escape(self.board.name)
        wide, high = box.right - box.left, box.bottom - box.top
        yield art.part(
            "opening",
            width=self.width,
            height=self.height,
            font=art.SERIF,
            name=name,
            definitions=art.definitions(),
            box=box,
            wide=wide,
            high=high,
        )
        yield from self._sea()
        yield from self._land()
        yield from self._paths()
        yield from self._numbers()
        yield from self._starts()
        yield from self._cities()
        yield "</g>"
        yield from self._title()
        yield from self._legend()
        yield "</svg>"

    def _sea(self) -> Iterator[str]:
        water = [self.middle(hexagon) for hexagon in self.sea]
        ornaments = self._ornaments([spot for spot in water if self._inside(spot, 58)])
        for hexagon in self.sea:
            yield art.part("sea", outline=self._outline(hexagon))
        for i, (x, y) in enumerate(water):
            if (x, y) in ornaments:
                yield _put(x, y, ornaments[x, y])
                continue
            x, y = x + (i * 37) % 29 - 14, y + (i * 53) % 31 - 15
            yield _put(x - 8, y, _WAVE) + _put(x + 12, y + 11, _WAVE)

    def _ornaments(self, spots: list[Point]) -> dict[Point, str]:
        """A compass and a whale where the water is widest, well apart."""
        ashore = [self.middle(hexagon) for hexagon in self.land]
        found: dict[Point, str] = {}

        def room(at: Point) -> float:
            """How much free space a spot has; of two equal ones, prefer the western."""
            others = [_distance(at, other) * 0.4 for other in found]
            return min([*(_distance(at, land) for land in ashore), *others]) - at[0] * 0.02

        for ornament in (art.compass(), art.whale()) if len(spots) > 1 else ():
            found[max(spots, key=room)] = ornament
        return found

    def _inside(self, point: Point, room: float) -> bool:
        box = self.frame
        return box.left + room < point[0] < box.right - room and box.top + room < point[1] < box.bottom - room

    def _outline(self, hexagon: Hex) -> str:
        x, y = self.middle(hexagon)
        turns = [k * pi / 3 for k in range(6)]
        corners = [f"{x + art.SIDE * sin(turn):.1f} {y - art.SIDE * cosine(turn):.1f}" for turn in turns]
        return f"M{'L'.join(corners)}Z"

    def _land(self) -> Iterator[str]:
        coast = "".join(map(self._outline, self.land))
        for width, ink in ((26, "#d6e9ec"), (15, "#e4f0ee"), (7, "#8b744f")):
            yield art.part("coast", outline=coast, ink=ink, width=width)
        for hexagon in self.land:
            x, y = self.middle(hexagon)
            fill, outline = art.TERRAIN_FILL[hexagon.terrain], self._outline(hexagon)
            yield art.part("land", outline=outline, fill=fill, terrain=hexagon.terrain, x=x, y=y)

    def _paths(self) -> Iterator[str]:
        for path in self.board.paths:
            yield art.sea_path(self._line(path, 0)) if path.sea else art.land_path(self._line(path, 0))
        for crossroads, city in enumerate(self.board.city_at):
            if city < 0:
                x, y = self.crossroads(crossroads)
                yield art.part("crossroads", x=x, y=y)
        for path in self.board.paths:
            if path.double:
                x, y = self.halfway(path)
                yield art.part("double_arrow", x=x, y=y, turn=self._slope(path))

    def _ends(self, path: Path, short: float) -> tuple[Point, Point]:
        (ax, ay), (bx, by) = self.crossroads(path.a), self.crossroads(path.b)
        dx, dy = (bx - ax) * short, (by - ay) * short
        return (ax + dx, ay + dy), (bx - dx, by - dy)

    def _line(self, path: Path, short: float) -> str:
        (ax, ay), (bx, by) = self._ends(path, short)
        return f'x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}"'

    def _slope(self, path: Path) -> float:
        (ax, ay), (bx, by) = self._ends(path, 0)
        return degrees(atan2(by - ay, bx - ax))

    def _numbers(self) -> Iterator[str]:
        for hexagon in self.land:
            x, y = self.middle(hexagon)
            if hexagon.number is not None:
                yield _put(x, y, art.token(hexagon.number))
            elif hexagon.ringed and self.pieces:
                ringed = RINGED[RESOURCES.index(TERRAIN_RESOURCE[hexagon.terrain])]
                yield _put(x, y, art.token(ringed, ringed=True))
            else:
                yield _put(x, y, art.empty_space(hexagon.terrain))
            if hexagon is self.board.hexes[self.board.robber] and self.pieces:
                yield _put(x, y - 4, art.robber())

    def _starts(self) -> Iterator[str]:
        for colour in COLOURS if self.pieces else ():
            path = self.board.paths[self.board.fixed[colour].route]
            yield art.route(self._line(path, 0.16), colour)
            yield _put(*self.halfway(path), art.caravan(colour))

    def _cities(self) -> Iterator[str]:
        owner = {city: colour for colour, start in self.board.fixed.items() for city in start.posts}
        for i, city in enumerate(self.board.cities):
            post = art.post(owner[i]) if i in owner and self.pieces else ""
            yield _put(*self.crossroads(city.crossroads), art.city(violet=city.violet) + post)
            if city.gold:
                yield _put(*self.coin(city), art.coin(city.gold))
        for label in self.labels():
            yield art.part("label", label=label, size=FONT, text=escape(label.text))

    def _title(self) -> Iterator[str]:
        box = self.frame
        wide, high = box.right - box.left, box.bottom - box.top
        for grow, width in ((4, 3.0), (10, 1.0)):
            at = {"x": box.left - grow, "y": box.top - grow, "wide": wide + 2 * grow, "high": high + 2 * grow}
            yield art.part("frame", **at, round=6 + grow, width=width)
        yield art.part("title", box=box, name=escape(self.board.name), kind=self.board.kind)

    def _legend(self) -> Iterator[str]:
        top, step = self.frame.bottom + 44, (self.frame.right - self.frame.left + 10) / self.columns
        for i, (picture, text) in enumerate(_LEGEND):
            row, column = divmod(i, self.columns)
            what = art.part("entry", picture=picture, text=text)
            yield _put(self.frame.left + 16 + column * step, top + ROW * row, what)


def _swatch(terrain: str) -> str:
    return art.part("swatch", fill=art.TERRAIN_FILL[terrain], glyph=art.part(terrain))


def _put(x: float, y: float, what: str) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{what}</g>'


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


_LEGEND = (
    *(
        (_swatch(terrain), f"{terrain.replace('_', ' ')}: {resource}")
        for terrain, resource in TERRAIN_RESOURCE.items()
    ),
    (art.land_path("x1='-17' x2='17'"), "path by land"),
    (art.sea_path("x1='-17' x2='17'"), "path by sea"),
    (art.city(violet=True), "violet city"),
    (art.city(violet=False), "other city"),
    (art.coin(2), "coastal gold"),
    ('<use href="#arrows"/>', "double arrow"),
    (f'<g transform="scale(.8)">{art.token(10, ringed=True)}</g>', "ringed token"),
    ("".join(_put(9 * i - 13.5, 0, art.post(colour)) for i, colour in enumerate(COLOURS)), "fixed set-up"),
    (f'<g transform="scale(.9)">{art.robber()}</g>', "robber"),
)
