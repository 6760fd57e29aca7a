"""The parts of a drawn board: terrain, tokens, cities, coins, pieces. Each is SVG text around its origin.

Their shapes are in `parts.svg`: one element a line, under the name of the part, with values in braces.
"""

import re
from typing import Any

from kontor_games.domain.data import read_text
from kontor_games.domain.games.europe.data.components import PIPS

SIDE = 64.0
"""The length of a hex side."""

TERRAIN_FILL = {
    "forest": "#7fa268",
    "pasture": "#b7cf83",
    "field": "#e8ca74",
    "mountain": "#b3a79b",
    "salt_works": "#e6e2dd",
}
TERRAIN_INK = {
    "forest": "#3f6138",
    "pasture": "#6f8c46",
    "field": "#a97f21",
    "mountain": "#6d6158",
    "salt_works": "#8d93a1",
}
COLOUR_FILL = {"red": "#c0312b", "blue": "#2b5fa8", "white": "#fbfaf6", "orange": "#e8871e"}
INK = "#33271c"
VIOLET = "#6f3f96"
BROWN = "#8a5a33"
SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"

_SPOTS = ((38, 0), (19, 33), (-19, 33), (-38, 0), (-19, -33), (19, -33))
"""Offsets of the six terrain drawings from the centre of a hex, clear of the number and the cities."""
_POINTS = (45, 24), (135, 24), (225, 24), (315, 24), (0, 38), (90, 38), (180, 38), (270, 38)
"""Direction and length of the points of the compass."""
_, *_NAMED = re.split(r"<!-- (\w+) -->\n", read_text(__package__, "parts.svg"))
_PARTS = {name: text.replace("\n", "") for name, text in zip(_NAMED[::2], _NAMED[1::2], strict=True)}


def part(name: str, /, **values: Any) -> str:
    """A part of `parts.svg` with these values."""
    return _PARTS[name].format(**values)


def definitions() -> str:
    """Everything that is drawn more than once, by id, and the gradients of sea and paper."""
    terrains = "".join(f'<g id="{name}">{_scattered(part(name))}</g>' for name in TERRAIN_FILL)
    return part("definitions", terrains=terrains)


def _scattered(glyph: str) -> str:
    return "".join(f'<g transform="translate({x} {y}) scale(.82)">{glyph}</g>' for x, y in _SPOTS)


def token(number: int, *, ringed: bool = False) -> str:
    """A number with its pips, 6 and 8 in red; with a dotted ring if it is a token that starts here (E-6)."""
    red, count = number in (6, 8), PIPS[number]
    ink = "#b3221c" if red else INK
    pips = [part("pip", x=(i - (count - 1) / 2) * 4.6, ink=ink) for i in range(count)]
    edge = ink if red else "#7d6a4f"
    drawn = part("token", edge=edge, ink=ink, number=number, pips="".join(pips))
    return part("ring") + drawn if ringed else drawn


def empty_space(terrain: str) -> str:
    """A number space that waits for a token."""
    return part("empty_space", fill=TERRAIN_FILL[terrain], ink=TERRAIN_INK[terrain])


def city(*, violet: bool) -> str:
    """A city: the small hexagon, violet or brown as printed (E-2)."""
    return part("city", fill=VIOLET if violet else BROWN)


def post(colour: str) -> str:
    """A post of a colour, as it stands on its city."""
    return part("post", fill=COLOUR_FILL[colour])


def caravan(colour: str) -> str:
    """A caravan of a colour: a covered wagon."""
    return part("caravan", fill=COLOUR_FILL[colour])


def land_path(line: str) -> str:
    """A path by land between the given ends."""
    return _outlined(f'{line} stroke-linecap="round"', ("#a08a63", 6), ("#fff8e6", 4.2))


def sea_path(line: str) -> str:
    """A path by sea between the given ends."""
    dashes = f'{line} stroke-linecap="round" stroke-dasharray="7 5.5"'
    return _outlined(dashes, ("#6d9fb5", 4.4), ("#fbfefe", 3))


def route(line: str, colour: str) -> str:
    """A route of a colour between the given ends."""
    return _outlined(f'{line} stroke-linecap="round"', (INK, 10), (COLOUR_FILL[colour], 7))


def _outlined(line: str, *strokes: tuple[str, float]) -> str:
    """The same line several times, each stroke above the one before."""
    return "".join(f'<line {line} stroke="{ink}" stroke-width="{width}"/>' for ink, width in strokes)


def coin(gold: int) -> str:
    """The gold that the coast pays."""
    return part("coin", gold=gold)


def robber() -> str:
    """The robber, about 36 units high."""
    return part("robber")


def compass() -> str:
    """A compass rose whose north is up."""
    points = [part("point", turn=turn, size=size) for turn, size in _POINTS]
    return part("compass", points="".join(points))


def whale() -> str:
    """A spouting whale, for open water."""
    return part("whale")
