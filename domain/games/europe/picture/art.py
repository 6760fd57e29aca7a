"""The parts of a drawn board: terrain, tokens, cities, coins, pieces. Each is SVG text around its origin."""

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
PAPER = "#f5ecd7"
VIOLET = "#6f3f96"
BROWN = "#8a5a33"
SEA_FILL = "#a9cbd9"
SEA_LIGHT = "#c9e0e6"
SEA_INK = "#7fabc0"
SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"

_GLYPH = {
    "forest": (
        '<path d="M0 -13 L6 -3 L3 -3 L8 6 L1.5 6 L1.5 10 L-1.5 10 L-1.5 6 L-8 6 L-3 -3 L-6 -3 Z" '
        'fill="#557d47" stroke="#3f6138" stroke-width="1" stroke-linejoin="round"/>'
    ),
    "pasture": (
        '<path d="M-4 3 V8 M3 3 V8" stroke="#4e4438" stroke-width="1.6" stroke-linecap="round"/>'
        '<path d="M-8 0 a4 4 0 0 1 4 -5 a4.5 4.5 0 0 1 7 0 a4 4 0 0 1 3 6 a4 4 0 0 1 -5 3 h-5 '
        'a4 4 0 0 1 -4 -4 Z" fill="#fbf9ef" stroke="#8f9b6c" stroke-width="1"/>'
        '<ellipse cx="8" cy="-3" rx="3" ry="2.4" fill="#4e4438"/>'
    ),
    "field": (
        '<path d="M0 11 V-6 M-6 11 Q-5 2 -6 -3 M6 11 Q5 2 6 -3" fill="none" stroke="#a97f21" '
        'stroke-width="1.3"/>'
        '<path d="M0 -13 q3 4 0 8 q-3 -4 0 -8 M-6.5 -9 q3 4 0 7 q-3 -4 0 -7 M6.5 -9 q3 4 0 7 q-3 -4 0 -7" '
        'fill="#c4962c"/>'
    ),
    "mountain": (
        '<path d="M-14 9 L-4 -11 L1 -3 L5 -8 L14 9 Z" fill="#93877c" stroke="#6d6158" stroke-width="1" '
        'stroke-linejoin="round"/>'
        '<path d="M-4 -11 L-7 -5 L-4.5 -6.5 L-2.5 -3.5 L-1 -6.2 Z" fill="#fbf9f4"/>'
    ),
    "salt_works": (
        '<path d="M-12 8 Q-7 -7 0 -9 Q7 -7 12 8 Z" fill="#fdfdfb" stroke="#8d93a1" stroke-width="1.1" '
        'stroke-linejoin="round"/>'
        '<path d="M-3 -2 l3 -3 3 3 -3 3 Z M-7 4 l2.5 -2.5 2.5 2.5 M3 4 l2.5 -2.5 2.5 2.5" fill="none" '
        'stroke="#a9afbb" stroke-width="1"/>'
    ),
}
_SPOTS = ((38, 0), (19, 33), (-19, 33), (-38, 0), (-19, -33), (19, -33))
"""Offsets of the six terrain drawings from the centre of a hex, clear of the number and the cities."""


def definitions() -> str:
    """Everything that is drawn more than once, by id, and the gradients of sea and paper."""
    terrains = "".join(f'<g id="{name}">{_scattered(glyph)}</g>' for name, glyph in _GLYPH.items())
    return (
        '<defs><radialGradient id="deep" cx="0.5" cy="0.45" r="0.8">'
        f'<stop offset="0" stop-color="{SEA_LIGHT}"/>'
        f'<stop offset="1" stop-color="{SEA_FILL}"/></radialGradient>'
        '<path id="wave" d="M-15 0 q3.75 -5 7.5 0 t7.5 0 t7.5 0 t7.5 0" fill="none" stroke="#8fb7c9" '
        'stroke-width="1.4" stroke-linecap="round"/>'
        '<path id="arrows" d="M-22 0 L-10 -7 V-2.6 H10 V-7 L22 0 L10 7 V2.6 H-10 V7 Z" fill="#fff6dc" '
        f'stroke="{INK}" stroke-width="1.3" stroke-linejoin="round"/>{terrains}</defs>'
    )


def _scattered(glyph: str) -> str:
    return "".join(f'<g transform="translate({x} {y}) scale(.82)">{glyph}</g>' for x, y in _SPOTS)


def glyph(terrain: str) -> str:
    """One tree, sheep, ear, peak or heap of salt, for the legend."""
    return _GLYPH[terrain]


def token(number: int, *, ringed: bool = False) -> str:
    """A number with its pips, 6 and 8 in red; with a dotted ring if it is a token that starts here (E-6)."""
    ink = "#b3221c" if number in (6, 8) else INK
    pips = "".join(
        f'<circle cx="{(i - (PIPS[number] - 1) / 2) * 4.6:.1f}" cy="11.5" r="1.6" fill="{ink}"/>'
        for i in range(PIPS[number])
    )
    ring = (
        f'<circle r="22.5" fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="0.1 4.6" '
        'stroke-linecap="round"/>'
        if ringed
        else ""
    )
    return (
        f'{ring}<circle r="18" fill="#fbf4e0" stroke="{ink if number in (6, 8) else "#7d6a4f"}" '
        'stroke-width="1.6"/>'
        '<text y="5.5" text-anchor="middle" font-size="20" font-weight="bold" '
        f'fill="{ink}">{number}</text>{pips}'
    )


def empty_space(terrain: str) -> str:
    """A number space that waits for a token."""
    return (
        f'<circle r="16" fill="{TERRAIN_FILL[terrain]}" stroke="{TERRAIN_INK[terrain]}" stroke-width="1.4" '
        'stroke-opacity=".75"/>'
    )


def city(*, violet: bool) -> str:
    """A city: the small hexagon, violet or brown as printed (E-2)."""
    return (
        '<path d="M0 -11.5 L10 -5.75 V5.75 L0 11.5 L-10 5.75 V-5.75 Z" '
        f'fill="{VIOLET if violet else BROWN}" stroke="#fffaf0" stroke-width="2.2"/>'
    )


def post(colour: str) -> str:
    """A post of a colour, as it stands on its city."""
    return (
        f'<path d="M-6.5 6.5 V-1.5 L0 -8 L6.5 -1.5 V6.5 Z" fill="{COLOUR_FILL[colour]}" stroke="{INK}" '
        'stroke-width="1.3" stroke-linejoin="round"/>'
        f'<path d="M-1.6 6.5 V2 H1.6 V6.5" fill="{INK}" fill-opacity=".55"/>'
    )


def caravan(colour: str) -> str:
    """A caravan of a colour: a covered wagon."""
    return (
        f'<path d="M-8 3 V-2 Q-8 -8 0 -8 Q8 -8 8 -2 V3 Z" fill="{COLOUR_FILL[colour]}" stroke="{INK}" '
        'stroke-width="1.3" stroke-linejoin="round"/>'
        f'<circle cx="-4.5" cy="4.5" r="2.6" fill="{PAPER}" stroke="{INK}" stroke-width="1.3"/>'
        f'<circle cx="4.5" cy="4.5" r="2.6" fill="{PAPER}" stroke="{INK}" stroke-width="1.3"/>'
    )


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
    return (
        '<circle r="10" fill="#f2c230" stroke="#8a6508" stroke-width="1.5"/>'
        '<circle r="7.2" fill="none" stroke="#b98b14" stroke-width="0.9"/>'
        f'<text y="4.6" text-anchor="middle" font-size="13" font-weight="bold" fill="#5d4303">{gold}</text>'
    )


def robber() -> str:
    """The robber, about 36 units high."""
    return (
        '<path d="M-10 18 Q-10 6 -5 1 A8.5 8.5 0 1 1 5 1 Q10 6 10 18 Z" fill="#26221f" stroke="#fffaf0" '
        'stroke-width="1.6" stroke-linejoin="round"/>'
        '<path d="M-5.5 -6.5 H5.5 V-3.5 H-5.5 Z" fill="#b3221c"/>'
        '<circle cx="-2.6" cy="-5" r="1.1" fill="#fff"/><circle cx="2.6" cy="-5" r="1.1" fill="#fff"/>'
    )


def compass() -> str:
    """A compass rose whose north is up."""
    points = "".join(
        f'<g transform="rotate({turn})"><path d="M0 -{size} L7 -7 L0 0 Z" fill="{INK}"/>'
        f'<path d="M0 -{size} L-7 -7 L0 0 Z" fill="{PAPER}"/></g>'
        for turn, size in ((45, 24), (135, 24), (225, 24), (315, 24), (0, 38), (90, 38), (180, 38), (270, 38))
    )
    return (
        f'<g stroke="{INK}" stroke-width=".8" opacity=".78"><circle r="29" fill="none"/>'
        f'<circle r="25.5" fill="none"/>{points}</g>'
        f'<text y="-43" text-anchor="middle" font-size="17" font-style="italic" fill="{INK}">N</text>'
    )


def whale() -> str:
    """A spouting whale, for open water."""
    return (
        '<g fill="#7ea6b8" stroke="#5d8799" stroke-width="1.2" stroke-linejoin="round">'
        '<path d="M-34 4 Q-30 -14 -6 -14 Q14 -14 24 -2 Q29 -6 30 -14 Q34 -8 42 -12 Q40 -2 31 2 '
        'Q24 14 0 14 Q-26 14 -34 4 Z"/>'
        '<path d="M-18 -15 q-2 -8 -8 -9 M-18 -15 q2 -8 8 -9" fill="none" stroke-linecap="round"/></g>'
        '<circle cx="-24" cy="-2" r="1.7" fill="#33505c"/>'
        '<path d="M-34 4 q10 4 18 1" fill="none" stroke="#5d8799" stroke-width="1.1"/>'
    )
