"""Places the names of the cities so that none covers another name, a number or a piece."""

from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle that a label or a drawing occupies."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def outside(self, frame: "Box") -> float:
        """The area that sticks out of a frame."""
        return (self.right - self.left) * (self.bottom - self.top) - self.overlap(frame)


class Label(NamedTuple):
    """A name with the start of its baseline, and the area that it covers."""

    text: str
    x: float
    y: float
    box: Box


FONT = 15.0
_WIDE = {"m": 0.95, "w": 0.9, "i": 0.36, "l": 0.36, "j": 0.36, "t": 0.45, "r": 0.5, "f": 0.42, " ": 0.32}
_ANCHORS = (
    (0, -1.0, 0), (0, 1.0, 0), (1, 0.0, 0), (-1, 0.0, 0),
    (1, -0.62, 6), (-1, -0.62, 6), (1, 0.62, 6), (-1, 0.62, 6),
    (0.55, -1.0, 9), (-0.55, -1.0, 9), (0.55, 1.0, 9), (-0.55, 1.0, 9),
)  # fmt: skip
"""Positions of a name: left (-1) to right (1) of its city, above (-1) to below (1), and the penalty."""


def width(text: str) -> float:
    """The approximate width of a bold serif text."""
    return sum(_WIDE.get(letter, 0.74 if letter.isupper() else 0.62) for letter in text) * FONT


def placed(names: Sequence[tuple[str, float, float]], taken: Sequence[Box], frame: Box) -> list[Label]:
    """Place each name: first at its best position alone, then repeatedly at the best one given all others."""
    choices = [_candidates(*name) for name in names]
    alone = [[_cost(label, dislike, taken, frame) for label, dislike in each] for each in choices]
    chosen = [costs.index(min(costs)) for costs in alone]
    for _ in range(6):
        for i, each in enumerate(choices):
            others = [choices[j][c][0].box for j, c in enumerate(chosen) if j != i]
            full = [
                cost + 4 * sum(label.box.overlap(box) for box in others)
                for (label, _), cost in zip(each, alone[i], strict=True)
            ]
            chosen[i] = full.index(min(full))
    return [each[c][0] for each, c in zip(choices, chosen, strict=True)]


def _candidates(text: str, x: float, y: float) -> list[tuple[Label, float]]:
    wide, high = width(text), FONT
    found: list[tuple[Label, float]] = []
    for across, down, dislike in _ANCHORS:
        left = x - wide / 2 + across * (wide / 2 + 15)
        middle = y + down * (11 + high / 2 + (2 if abs(across) < 1 else 0))
        box = Box(left - 1, middle - high / 2, left + wide + 1, middle + high / 2)
        found.append((Label(text, left, middle + high * 0.34, box), dislike))
    return found


def _cost(label: Label, dislike: float, taken: Sequence[Box], frame: Box) -> float:
    return dislike + 2 * sum(label.box.overlap(box) for box in taken) + 10 * label.box.outside(frame)
