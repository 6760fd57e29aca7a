"""The hex grid under every board: hexes with a corner up, their corners (crossroads) and their sides (paths).

A hex is named by its axial coordinates `q,r`: q increases to the east, r to the south-east. Three hexes meet
at each corner and two at each side, so each has several names; the one with the corner N or S, or the side E,
SE or SW, is its id.
"""

import re
from math import sqrt
from typing import NamedTuple

Coordinates = tuple[int, int]
Point = tuple[float, float]

NEIGHBOURS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
"""The step across each side, to the next hex."""

_CORNERS = {
    "N": ((0, 0), "N"),
    "NE": ((1, -1), "S"),
    "SE": ((0, 1), "N"),
    "S": ((0, 0), "S"),
    "SW": ((-1, 1), "N"),
    "NW": ((0, -1), "S"),
}
_SIDES = {
    "E": ((0, 0), "E"),
    "SE": ((0, 0), "SE"),
    "SW": ((0, 0), "SW"),
    "W": ((-1, 0), "E"),
    "NW": ((0, -1), "SE"),
    "NE": ((1, -1), "SW"),
}
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


def parse_hex(text: str) -> Place | None:
    """The hex that a text names, if it names one."""
    return _parsed(text, {"": ((0, 0), "")})


def parse_corner(text: str) -> Place | None:
    """The corner that a text names by any of its hexes, under the name that is its id."""
    return _parsed(text, _CORNERS)


def parse_side(text: str) -> Place | None:
    """The side that a text names by either of its hexes, under the name that is its id."""
    return _parsed(text, _SIDES)


def _parsed(text: str, known: dict[str, tuple[Coordinates, str]]) -> Place | None:
    found = _PLACE.fullmatch(text)
    if found is None or found[3] not in known:
        return None
    (dq, dr), where = known[found[3]]
    return Place(int(found[1]) + dq, int(found[2]) + dr, where)


def hexes_of_corner(corner: Place) -> tuple[Coordinates, ...]:
    """The three hexes that meet at a corner."""
    return ((corner.q, corner.r), *(_across(corner, side) for side in _MEETING[corner.where]))


def hexes_of_side(side: Place) -> tuple[Coordinates, Coordinates]:
    """The two hexes that share a side."""
    return (side.q, side.r), _across(side, side.where)


def ends_of_side(side: Place) -> tuple[Place, Place]:
    """The two corners between which a side runs."""
    first, second = (_CORNERS[corner] for corner in _ENDS[side.where])
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
