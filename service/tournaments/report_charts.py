"""The charts of a report on a tournament: SVG with labelled axes and text alternatives."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from kontor_games.service.documents.texts import Texts

_WIDTH, _ROW = 640, 26
_LEFT, _RIGHT, _TOP, _BOTTOM = 150, 24, 8, 44
_LINES_HEIGHT = 300
_LABEL = 20
_LABEL_HEIGHT = 14
"""Smallest distance between two labels, in units of the drawing."""


def _svg(height: float, description: str, inside: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(description, quote=True)}">'
        f"{inside}</svg>\n"
    )


def _short(name: str) -> str:
    return escape(name if len(name) <= _LABEL else f"{name[: _LABEL - 1]}…")


class _Scale:
    """Maps values to coordinates of an axis."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = (low, high) if high > low else (low - 1, high + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Return the coordinate of a value; values outside the axis are clamped."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    @property
    def marks(self) -> list[float]:
        """The five values at which the axis is labelled, at equal distances."""
        return [self.low + (self.high - self.low) * step / 4 for step in range(5)]


def _shown(mark: float, texts: Texts) -> str:
    return texts.number(round(mark, 1) + 0.0, ".1f")  # adding 0.0 turns -0.0 into 0.0


def _horizontal_axis(scale: _Scale, base: float, title: str, texts: Texts) -> str:
    marks = "".join(
        f'<line class="grid" x1="{scale.at(mark):.1f}" x2="{scale.at(mark):.1f}" y1="{_TOP}" y2="{base}"/>'
        f'<text x="{scale.at(mark):.1f}" y="{base + 16}" text-anchor="middle">{_shown(mark, texts)}</text>'
        for mark in scale.marks
    )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return (
        f'{marks}<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{base}" y2="{base}"/>'
        f'<text x="{middle}" y="{base + 36}" text-anchor="middle">{escape(title)}</text>'
    )


def intervals_chart(rows: Sequence[tuple[str, float, float, float]], title: str, texts: Texts) -> str:
    """Draw a dot with its interval for each name: rows of name, low, value and high."""
    scale = _Scale(min(row[1] for row in rows), max(row[3] for row in rows), _LEFT, _WIDTH - _RIGHT)
    base = _TOP + _ROW * len(rows)
    description = [_between(texts, *row) for row in rows]
    drawn = "".join(
        _whisker(scale, index, row, text)
        for index, (row, text) in enumerate(zip(rows, description, strict=True))
    )
    return _svg(
        base + _BOTTOM,
        f"{title}. {'; '.join(description)}",
        _horizontal_axis(scale, base, title, texts) + drawn,
    )


def _between(texts: Texts, name: str, low: float, value: float, high: float) -> str:
    figures = {"low": low, "value": value, "high": high}
    values = {key: texts.number(figure, ".2f") for key, figure in figures.items()}
    return texts("report.between", name=name, **values)


def _whisker(scale: _Scale, index: int, row: tuple[str, float, float, float], description: str) -> str:
    name, low, value, high = row
    y = _TOP + _ROW * (index + 0.5)
    return (
        f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_short(name)}</text>'
        f'<line class="whisker" x1="{scale.at(low):.1f}" x2="{scale.at(high):.1f}" '
        f'y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<circle cx="{scale.at(value):.1f}" cy="{y:.1f}" r="5"><title>{escape(description)}</title></circle>'
    )


def bars_chart(rows: Sequence[tuple[str, float]], title: str, texts: Texts) -> str:
    """Draw a bar for each name."""
    scale = _Scale(0, max(value for _, value in rows) or 1, _LEFT, _WIDTH - _RIGHT)
    base = _TOP + _ROW * len(rows)
    drawn = "".join(
        f'<text x="{_LEFT - 8}" y="{_TOP + _ROW * (i + 0.5) + 4:.1f}" text-anchor="end">{_short(name)}</text>'
        f'<rect x="{_LEFT}" y="{_TOP + _ROW * i + 4}" width="{scale.at(value) - _LEFT:.1f}" '
        f'height="{_ROW - 8}">'
        f"<title>{escape(name)}: {texts.number(value, ',.1f')}</title></rect>"
        for i, (name, value) in enumerate(rows)
    )
    description = "; ".join(f"{name}: {texts.number(value, ',.1f')}" for name, value in rows)
    axis = _horizontal_axis(scale, base, title, texts)
    return _svg(base + _BOTTOM, f"{title}. {description}", axis + drawn)


def lines_chart(lines: Mapping[str, Sequence[float]], across: str, upwards: str, texts: Texts) -> str:
    """Draw a line for each name over steps that are counted from 1; the name is beside the last point."""
    values = [value for line in lines.values() for value in line]
    steps = max(len(line) for line in lines.values())
    down = _LINES_HEIGHT - _BOTTOM
    x, y = _Scale(1, max(2, steps), 60, _WIDTH - 140), _Scale(min(values), max(values), down, _TOP + 6)
    ends = {name: f"{name}: {texts.number(line[-1], '.1f')}" for name, line in lines.items()}
    heights = _apart([y.at(line[-1]) for line in lines.values()], _TOP + 6, down)
    drawn = "".join(
        _line(x, y, index, name, line, ends[name], heights[index])
        for index, (name, line) in enumerate(lines.items())
    )
    description = texts("report.at_the_end", upwards=upwards, across=across, values="; ".join(ends.values()))
    return _svg(_LINES_HEIGHT, description, _frame(x, y, across, upwards, steps, texts) + drawn)


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return the heights of labels, moved as little as needed so that no two overlap."""
    gap = min(_LABEL_HEIGHT, (bottom - top) / max(1, len(heights) - 1))
    placed, order = list(heights), sorted(range(len(heights)), key=lambda index: heights[index])
    for before, index in pairwise(order):
        placed[index] = max(placed[index], placed[before] + gap)
    limit = bottom
    for index in reversed(order):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - gap
    return placed


def _frame(x: _Scale, y: _Scale, across: str, upwards: str, steps: int, texts: Texts) -> str:
    base, every = _LINES_HEIGHT - _BOTTOM, -(-steps // 12)
    marks = "".join(
        f'<line class="grid" x1="60" x2="{_WIDTH - 140}" y1="{y.at(mark):.1f}" y2="{y.at(mark):.1f}"/>'
        f'<text x="54" y="{y.at(mark) + 4:.1f}" text-anchor="end">{_shown(mark, texts)}</text>'
        for mark in y.marks
    )
    rounds = "".join(
        f'<text x="{x.at(step):.1f}" y="{base + 16}" text-anchor="middle">{step}</text>'
        for step in range(1, steps + 1, every)
    )
    middle = base / 2
    return (
        f'{marks}{rounds}<line class="axis" x1="60" x2="{_WIDTH - 140}" y1="{base}" y2="{base}"/>'
        f'<text x="{(60 + _WIDTH - 140) / 2}" y="{base + 36}" text-anchor="middle">{escape(across)}</text>'
        f'<text x="14" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 14 {middle})">{escape(upwards)}</text>'
    )


def _line(
    x: _Scale, y: _Scale, index: int, name: str, line: Sequence[float], title: str, label_y: float
) -> str:
    points = " ".join(f"{x.at(step):.1f},{y.at(value):.1f}" for step, value in enumerate(line, 1))
    end_x, end_y = x.at(len(line)), y.at(line[-1])
    return (
        f'<polyline class="line l{index % 5}" points="{points}"><title>{escape(title)}</title></polyline>'
        f'<circle class="l{index % 5}" cx="{end_x:.1f}" cy="{end_y:.1f}" r="3.5"/>'
        f'<line class="grid" x1="{end_x + 4:.1f}" y1="{end_y:.1f}" x2="{end_x + 14:.1f}" y2="{label_y:.1f}"/>'
        f'<text x="{end_x + 17:.1f}" y="{label_y + 4:.1f}">{_short(name)}</text>'
    )
