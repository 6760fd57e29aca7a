"""Charts of documents: positions are computed here, `templates/charts.svg` draws them.

Each chart has labelled axes and a text alternative; its style comes from the document.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from kontor_games.domain.statistics import Bar
from kontor_games.service.documents.pages import environment
from kontor_games.service.documents.texts import Texts

_MIN_TOP = 1.5
"""The axis of counts ends at least here, so that small differences look small."""
_COUNTS = {"width": 380, "height": 190, "left": 60, "right": 372, "top": 10, "base": 148}
_ROWS = {"width": 640, "left": 150, "right": 616, "top": 8, "row": 26}
_LINES = {"width": 640, "height": 300, "left": 60, "right": 500, "top": 14, "base": 256}
"""The frames of the three kinds of charts, in units of the drawing."""
_FOOT = 44
"""The height of the labels below a chart of rows."""
_LABEL = 20
"""The longest name that is written out."""
_LABEL_HEIGHT = 14
"""Smallest distance between two labels."""


def _draw(name: str, **values: Any) -> Markup:
    """Draw a chart with the macro of this name."""
    macro = getattr(environment().get_template("charts.svg").module, name)
    return Markup(macro(**values))  # noqa: S704  # the template has escaped all values


class _Scale:
    """Maps values to coordinates of an axis."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = (low, high) if high > low else (low - 1, high + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Return the coordinate of a value; values outside the axis are clamped."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    def marks(self, texts: Texts) -> list[tuple[float, str]]:
        """The coordinates and labels of the five values at which the axis is labelled."""
        values = [self.low + (self.high - self.low) * step / 4 for step in range(5)]
        # Adding 0.0 turns -0.0 into 0.0.
        return [(self.at(value), texts.number(round(value, 1) + 0.0, ".1f")) for value in values]


def _short(name: str) -> str:
    return name if len(name) <= _LABEL else f"{name[: _LABEL - 1]}…"


def counts_chart(bars: Sequence[Bar], texts: Texts) -> Markup:
    """Draw how often each value was drawn, as a share of the expected count."""
    shares = [bar.observed / bar.expected for bar in bars]
    y = _Scale(0, max(*shares, _MIN_TOP), _COUNTS["base"], _COUNTS["top"])
    step, every = (_COUNTS["right"] - _COUNTS["left"]) / len(bars), -(-len(bars) // 10)
    in_tenths = bars[0].label.endswith("%")
    figures = [
        {
            "label": bar.label,
            "observed": texts.number(bar.observed),
            "expected": texts.number(bar.expected, ",.1f"),
        }
        for bar in bars
    ]
    drawn = [
        {"x": _COUNTS["left"] + index * step, "y": y.at(share), "title": texts("chart.bar", **values)}
        for index, (share, values) in enumerate(zip(shares, figures, strict=True))
    ]
    ticks = [
        (
            _COUNTS["left"] + (index + 0.5) * step,
            bar.label.partition("–")[0] if in_tenths else bar.label,
        )
        for index, bar in enumerate(bars)
        if index % every == 0
    ]
    return _draw(
        "counts", frame=_COUNTS, bars=drawn, step=step, ticks=ticks, level=y.at(1),
        marks=[(y.at(mark), f"{mark:.0%}") for mark in (0, 1, *([int(y.high)] if y.high >= 2 else []))],
        across=texts("chart.share" if in_tenths else "chart.value"), upwards=texts("chart.vertical"),
        label=texts("chart.label", counts=", ".join(texts("chart.count", **one) for one in figures)),
    )  # fmt: skip


def intervals_chart(rows: Sequence[tuple[str, float, float, float]], title: str, texts: Texts) -> Markup:
    """Draw a dot with its interval for each name: rows of name, low, value and high."""
    x = _Scale(min(row[1] for row in rows), max(row[3] for row in rows), _ROWS["left"], _ROWS["right"])
    drawn = [
        {"name": _short(name), "low": x.at(low), "at": x.at(value), "high": x.at(high), "title": text}
        for (name, low, value, high), text in ((row, _between(texts, *row)) for row in rows)
    ]
    return _rows("intervals", drawn, x, title, texts)


def _between(texts: Texts, name: str, low: float, value: float, high: float) -> str:
    figures = {"low": low, "value": value, "high": high}
    shown = {key: texts.number(figure, ".2f") for key, figure in figures.items()}
    return texts("report.between", name=name, **shown)


def bars_chart(rows: Sequence[tuple[str, float]], title: str, texts: Texts) -> Markup:
    """Draw a bar for each name."""
    x = _Scale(0, max(value for _, value in rows) or 1, _ROWS["left"], _ROWS["right"])
    drawn = [
        {"name": _short(name), "at": x.at(value), "title": f"{name}: {texts.number(value, ',.1f')}"}
        for name, value in rows
    ]
    return _rows("bars", drawn, x, title, texts)


def _rows(kind: str, rows: Sequence[Mapping[str, Any]], x: _Scale, title: str, texts: Texts) -> Markup:
    base = _ROWS["top"] + _ROWS["row"] * len(rows)
    frame = {**_ROWS, "base": base, "height": base + _FOOT}
    label = f"{title}. {'; '.join(row['title'] for row in rows)}"
    return _draw(kind, frame=frame, rows=rows, marks=x.marks(texts), across=title, label=label)


def lines_chart(lines: Mapping[str, Sequence[float]], across: str, upwards: str, texts: Texts) -> Markup:
    """Draw a line for each name over steps that are counted from 1; the name is beside the last point."""
    values = [value for line in lines.values() for value in line]
    steps = max(len(line) for line in lines.values())
    x = _Scale(1, max(2, steps), _LINES["left"], _LINES["right"])
    y = _Scale(min(values), max(values), _LINES["base"], _LINES["top"])
    heights = _apart([y.at(line[-1]) for line in lines.values()], _LINES["top"], _LINES["base"])
    drawn: list[dict[str, Any]] = [
        {
            "name": _short(name),
            "title": f"{name}: {texts.number(line[-1], '.1f')}",
            "points": [(x.at(step), y.at(value)) for step, value in enumerate(line, 1)],
            "label_y": height,
        }
        for (name, line), height in zip(lines.items(), heights, strict=True)
    ]
    ends = "; ".join(line["title"] for line in drawn)
    return _draw(
        "lines", frame=_LINES, lines=drawn, marks=y.marks(texts), across=across, upwards=upwards,
        steps=[(x.at(step), step) for step in range(1, steps + 1, -(-steps // 12))],
        label=texts("report.at_the_end", upwards=upwards, across=across, values=ends),
    )  # fmt: skip


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
