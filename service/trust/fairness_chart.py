"""The chart of one random stream: how often each value was drawn, as a share of the expected count."""

from html import escape

from kontor_games.service.documents.texts import Texts
from kontor_games.service.trust.chi_square import Bar

_WIDTH, _HEIGHT = 380, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 8, 10, 42
_MIN_TOP = 1.5
"""The top of the axis is at least this, so that small differences look small."""


def plot(bars: list[Bar], texts: Texts) -> str:
    """Return an SVG with labelled axes; its style comes from the page."""
    if not bars:
        return f"<p>{escape(texts('chart.nothing'))}</p>"
    ratios = [bar.observed / bar.expected for bar in bars]
    top = max(*ratios, _MIN_TOP)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(_description(bars, texts), quote=True)}">'
        f"{_vertical_axis(top, texts)}{_bars(bars, ratios, top, texts)}{_horizontal_axis(bars, texts)}"
        f'<line class="level" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" '
        f'y1="{_y(1, top):.1f}" y2="{_y(1, top):.1f}"/></svg>'
    )


def _description(bars: list[Bar], texts: Texts) -> str:
    counts = ", ".join(texts("chart.count", **_figures(bar, texts)) for bar in bars)
    return texts("chart.label", counts=counts)


def _figures(bar: Bar, texts: Texts) -> dict[str, str]:
    """The values of a text about a bar."""
    return {
        "label": bar.label,
        "observed": texts.number(bar.observed),
        "expected": texts.number(bar.expected, ",.1f"),
    }


def _y(ratio: float, top: float) -> float:
    return _TOP + (1 - ratio / top) * (_HEIGHT - _TOP - _BOTTOM)


def _step(bars: list[Bar]) -> float:
    return (_WIDTH - _LEFT - _RIGHT) / len(bars)


def _bars(bars: list[Bar], ratios: list[float], top: float, texts: Texts) -> str:
    step = _step(bars)
    return "".join(
        f'<rect x="{_LEFT + i * step + 1:.1f}" y="{_y(ratio, top):.1f}" width="{step - 2:.1f}"'
        f' height="{_y(0, top) - _y(ratio, top):.1f}">'
        f"<title>{escape(texts('chart.bar', **_figures(bar, texts)))}</title></rect>"
        for i, (bar, ratio) in enumerate(zip(bars, ratios, strict=True))
    )


def _vertical_axis(top: float, texts: Texts) -> str:
    marks = [0.0, 1.0, *([float(int(top))] if top >= 2 else [])]
    labels = "".join(
        f'<text x="{_LEFT - 6}" y="{_y(mark, top) + 4:.1f}" text-anchor="end">{mark:.0%}</text>'
        for mark in marks
    )
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    turned = f'transform="rotate(-90 12 {middle})"'
    name = escape(texts("chart.vertical"))
    title = f'<text x="12" y="{middle}" text-anchor="middle" {turned}>{name}</text>'
    return (
        f'<line class="axis" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>{labels}{title}'
    )


def _horizontal_axis(bars: list[Bar], texts: Texts) -> str:
    """Label the bars, or only some of them if they are many."""
    step, every = _step(bars), -(-len(bars) // 10)
    shares = bars[0].label.endswith("%")
    labels = "".join(
        f'<text x="{_LEFT + (i + 0.5) * step:.1f}" y="{_HEIGHT - _BOTTOM + 15}" text-anchor="middle">'
        f"{escape(bar.label.partition('–')[0] if shares else bar.label)}</text>"
        for i, bar in enumerate(bars)
        if i % every == 0
    )
    name = escape(texts("chart.share" if shares else "chart.value"))
    title = f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">{name}</text>'
    base = _HEIGHT - _BOTTOM
    return f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{base}" y2="{base}"/>{labels}{title}'
