"""The hex grid under every board: hexes with a corner up, their corners (crossroads) and their sides (paths).

A hex is named by its axial coordinates `q,r`: q increases to the east, r to the south-east. Three hexes meet
at each corner and two at each side, so each has several names; the one with the corner N or S, or the side E,
SE or SW, is its id.
"""

import re
from math import sqrt
from typing import Literal, NamedTuple

Kind = Literal["hex", "corner", "side"]
Coordinates = tuple[int, int]
Point = tuple[float, float]

NEIGHBOURS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
"""The step across each side, to the next hex."""

_NAMES: dict[Kind, dict[str, tuple[Coordinates, str]]] = {
    "hex": {"": ((0, 0), "")},
    "corner": {
        "N": ((0, 0), "N"),
        "NE": ((1, -1), "S"),
        "SE": ((0, 1), "N"),
        "S": ((0, 0), "S"),
        "SW": ((-1, 1), "N"),
        "NW": ((0, -1), "S"),
    },
    "side": {
        "E": ((0, 0), "E"),
        "SE": ((0, 0), "SE"),
        "SW": ((0, 0), "SW"),
        "W": ((-1, 0), "E"),
        "NW": ((0, -1), "SE"),
        "NE": ((1, -1), "SW"),
    },
}
"""For each name of a place, the hex (relative to the named one) and the letters of its id."""
_ENDS = {"E": ("NE", "SE"), "SE": ("SE", "S"), "SW": ("S", "SW")}
_MEETING = {"N": ("NW", "NE"), "S": ("SE", "SW")}

_PLACE = re.compile(r"(-?\d{1,3}),(-?\d{1,3})([NESW]{0,2})")


class Place(NamedTuple):
    """A hex (no letters), a corner of it or a side of it."""

    q: int
    r: int
    where: str

    def __str__(self) -> str:
        """The form used in documents: `3,4`, `3,4N`, `3,4SE`."""
        return f"{self.q},{self.r}{self.where}"


def parse(kind: Kind, text: str) -> Place | None:
    """The place that a text names by any of its hexes, under the name that is its id, or None."""
    found = _PLACE.fullmatch(text)
    if found is None or found[3] not in _NAMES[kind]:
        return None
    return _moved(Place(int(found[1]), int(found[2]), ""), _NAMES[kind][found[3]])


def place_of(kind: Kind, text: str) -> Place:
    """The place that a validated document names."""
    place = parse(kind, text)
    if place is None:
        raise ValueError(f"{text!r} is not a place on a hex grid; was the document validated?")
    return place


def hexes_of_corner(corner: Place) -> tuple[Coordinates, ...]:
    """The three hexes that meet at a corner."""
    return ((corner.q, corner.r), *(_across(corner, side) for side in _MEETING[corner.where]))


def hexes_of_side(side: Place) -> tuple[Coordinates, Coordinates]:
    """The two hexes that share a side."""
    return (side.q, side.r), _across(side, side.where)


def ends_of_side(side: Place) -> tuple[Place, Place]:
    """The two corners between which a side runs."""
    first, second = (_NAMES["corner"][corner] for corner in _ENDS[side.where])
    return _moved(side, first), _moved(side, second)


def middle_of(q: int, r: int) -> Point:
    """Where a hex lies in a picture: x to the east, y to the south, the length of a side as unit."""
    return sqrt(3) * (q + r / 2), 1.5 * r


def point_of(corner: Place) -> Point:
    """Where a corner lies in a picture."""
    x, y = middle_of(corner.q, corner.r)
    return x, y - 1 if corner.where == "N" else y + 1


def _across(place: Place, side: str) -> Coordinates:
    dq, dr = NEIGHBOURS[side]
    return place.q + dq, place.r + dr


def _moved(place: Place, step: tuple[Coordinates, str]) -> Place:
    (dq, dr), where = step
    return Place(place.q + dq, place.r + dr, where)
