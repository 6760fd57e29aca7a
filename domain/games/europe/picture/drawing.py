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
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
            f'width="{self.width:.0f}" height="{self.height:.0f}" font-family="{art.SERIF}" role="img" '
            f'aria-label="Settlers of Europe: {name}">'
        )
        yield f"<title>Settlers of Europe: {name}</title>{art.definitions()}"
        yield (
            f'<clipPath id="map"><rect x="{box.left}" y="{box.top}" width="{wide:.1f}" height="{high:.1f}" '
            'rx="6"/></clipPath>'
        )
        yield f'<rect width="100%" height="100%" fill="{art.PAPER}"/>'
        yield (
            f'<g clip-path="url(#map)"><rect x="{box.left}" y="{box.top}" width="{wide:.1f}" '
            f'height="{high:.1f}" fill="url(#deep)"/>'
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
            yield (
                f'<path d="{self._outline(hexagon)}" fill="none" stroke="{art.SEA_INK}" '
                'stroke-opacity=".28"/>'
            )
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
            yield (
                f'<path d="{coast}" fill="none" stroke="{ink}" stroke-width="{width}" '
                'stroke-linejoin="round"/>'
            )
        for hexagon in self.land:
            x, y = self.middle(hexagon)
            yield (
                f'<path d="{self._outline(hexagon)}" fill="{art.TERRAIN_FILL[hexagon.terrain]}" '
                'stroke="#f7efdc" stroke-width="1.2"/>'
            )
            yield f'<use href="#{hexagon.terrain}" x="{x:.1f}" y="{y:.1f}"/>'

    def _paths(self) -> Iterator[str]:
        for path in self.board.paths:
            yield art.sea_path(self._line(path, 0)) if path.sea else art.land_path(self._line(path, 0))
        for crossroads, city in enumerate(self.board.city_at):
            if city < 0:
                x, y = self.crossroads(crossroads)
                yield (
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#fff8e6" stroke="#a08a63" '
                    'stroke-width="1"/>'
                )
        for path in self.board.paths:
            if path.double:
                x, y = self.halfway(path)
                yield (
                    f'<g transform="translate({x:.1f} {y:.1f}) rotate({self._slope(path):.1f})">'
                    '<use href="#arrows"/></g>'
                )

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
            yield (
                f'<text x="{label.x:.1f}" y="{label.y:.1f}" font-size="{FONT:.0f}" font-weight="bold" '
                f'fill="{art.INK}" stroke="#fffaf0" '
                f'stroke-width="3.6" stroke-linejoin="round" paint-order="stroke">{escape(label.text)}</text>'
            )

    def _title(self) -> Iterator[str]:
        box = self.frame
        wide, high = box.right - box.left, box.bottom - box.top
        for grow, width in ((4, 3.0), (10, 1.0)):
            yield (
                f'<rect x="{box.left - grow}" y="{box.top - grow}" width="{wide + 2 * grow:.1f}" '
                f'height="{high + 2 * grow:.1f}" rx="{6 + grow}" '
                f'fill="none" stroke="#6b4f2c" stroke-width="{width}"/>'
            )
        name, players = escape(self.board.name), f"the {self.board.kind} game"
        yield (
            f'<text x="{box.left}" y="48" font-size="32" font-weight="bold" '
            'fill="#4a331a">Settlers of Europe</text>'
        )
        yield (
            f'<text x="{box.right:.1f}" y="48" font-size="21" font-style="italic" text-anchor="end" '
            f'fill="#6b4f2c">{name}, {players}</text>'
        )

    def _legend(self) -> Iterator[str]:
        top, step = self.frame.bottom + 44, (self.frame.right - self.frame.left + 10) / self.columns
        for i, (picture, text) in enumerate(_LEGEND):
            row, column = divmod(i, self.columns)
            what = f'{picture}<text x="29" y="5" font-size="14.5" fill="{art.INK}">{text}</text>'
            yield _put(self.frame.left + 16 + column * step, top + ROW * row, what)


def _swatch(terrain: str) -> str:
    hexagon = (
        f'<path d="M0 -19 L16.5 -9.5 V9.5 L0 19 L-16.5 9.5 V-9.5 Z" fill="{art.TERRAIN_FILL[terrain]}" '
        'stroke="#8b744f"/>'
    )
    return hexagon + art.glyph(terrain)


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
