"""The audit report as an HTML page, self-contained and without scripts."""

import hashlib
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.games import installed_games
from kontor_games.service.trust.audit_report import AuditReport, StreamTest
from kontor_games.service.trust.statistics import Bar

_WIDTH, _HEIGHT = 260, 56
_COLUMNS = {
    "game": "text",
    "stream": "text",
    "values": "number",
    "χ²": "number",
    "d.f.": "number",
    "p-value": "number",
    "counted, against what to expect": "text",
}
_SUSPICIOUS = 0.001
"""A p-value below this is reported as suspicious."""


@cache
def _style() -> str:
    return files("kontor_games.service.trust").joinpath("fairness.css").read_text(encoding="utf-8")


@cache
def page_policy() -> str:
    """Return the Content-Security-Policy of the page: it allows the style of the page and nothing else."""
    digest = b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def fairness_page(report: AuditReport, title: str, made: str) -> str:
    """Return the page; `made` says when and from what it was made."""
    policy = escape(page_policy(), quote=True)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{_style()}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f'<p class="faint">{escape(made)}</p>\n'
        f"{_verdict(report)}{_anomalies(report)}{_games(report)}{_chance(report)}</body></html>\n"
    )


def _verdict(report: AuditReport) -> str:
    if not report.matches:
        return '<p class="verdict">No match has been audited yet.</p>\n'
    sound = not report.problems
    if sound:
        sentence = (
            f"All {report.matches:,} matches are as they must be."
            if report.matches > 1
            else "The one match is as it must be."
        )
    else:
        wrong = (
            f"{len(report.problems):,} things are wrong" if len(report.problems) > 1 else "One thing is wrong"
        )
        sentence = f"{wrong}; {report.verified:,} of {report.matches:,} matches are as they must be."
    return (
        f'<p class="verdict {"good" if sound else "bad"}">{sentence}</p>\n'
        f"<p>Each match was played again from its record under its own rules: every command, "
        f"{report.facts:,} facts, every clock, every result, and {report.values:,} random values "
        "were compared with what they must be.</p>\n"
    )


def _anomalies(report: AuditReport) -> str:
    if not report.problems:
        return ""
    rows = "".join(
        f"<tr><td>{f'<code>{escape(match)}</code>' if match else '–'}</td><td>{escape(problem)}</td></tr>\n"
        for match, problem in report.problems
    )
    head = "<tr><th>match</th><th>what is wrong</th></tr>"
    return f'<h2>Anomalies</h2>\n<div class="wide"><table>{head}\n{rows}</table></div>\n'


def _games(report: AuditReport) -> str:
    if not report.games:
        return ""
    rows = "".join(
        f'<tr><td>{escape(title_of(game))}</td><td class="number">{matches:,}</td></tr>\n'
        for game, matches in sorted(report.games.items())
    )
    return f'<h2>Matches</h2>\n<table><tr><th>game</th><th class="number">audited</th></tr>\n{rows}</table>\n'


def title_of(game: str) -> str:
    """Return the English title of a game, or its id if it is not installed."""
    known = installed_games().get(game)
    return known.titles["en"] if known else game or "unknown"


def _chance(report: AuditReport) -> str:
    if not report.tests:
        return ""
    heads = "".join(f'<th class="{kind}">{name}</th>' for name, kind in _COLUMNS.items())
    rows = "".join(_row(test) for test in report.tests)
    return (
        f"<h2>What chance gave</h2>\n<p>{_explanation(report)}</p>\n"
        '<div class="wide"><table><caption>Dashed line: what to expect. '
        "Values of which there were too few to tell are left out of χ².</caption>"
        f"<tr>{heads}</tr>\n{rows}</table></div>\n"
    )


def _explanation(report: AuditReport) -> str:
    """Explain the p-value of all tests in one sentence."""
    p_value, count = report.p_value, sum(test.test.p_value is not None for test in report.tests)
    if p_value is None:
        return "There are too few values yet to say anything."
    tests = f"{count} tests" if count > 1 else "one test"
    if p_value >= _SUSPICIOUS:
        return (
            f"Nothing speaks against fair chance. Of {tests} of fair chance the smallest p-value would be "
            f"as small as this one, or smaller, in {p_value:.1%} of all cases."
        )
    return (
        f'<span class="bad">This is unlikely to be chance alone</span>: of {tests} of fair chance '
        f"the smallest p-value would be as small as this one in {p_value:.2g} of all cases."
    )


def _row(test: StreamTest) -> str:
    chi = test.test
    p_value = chi.p_value
    cells = (
        f"{test.values:,}",
        f"{chi.statistic:,.1f}" if chi.freedom else "–",
        f"{chi.freedom:,}" if chi.freedom else "–",
        "too few" if p_value is None else format_p_value(p_value),
    )
    numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
    names = f"<td>{escape(title_of(test.game))}</td><td>{escape(test.stream)}</td>"
    return f"<tr>{names}{numbers}<td>{plot(test.bars)}</td></tr>\n"


def format_p_value(p_value: float) -> str:
    """Format a p-value; small ones are not rounded to zero."""
    return f"{p_value:.3f}" if p_value >= _SUSPICIOUS else f"{p_value:.1e}"


def plot(bars: list[Bar]) -> str:
    """Return an SVG with the bars relative to their expected counts; its style comes from the page."""
    if not bars:
        return "–"
    ratios = [bar.observed / bar.expected for bar in bars]
    top = max(*ratios, 1.25)
    step = _WIDTH / len(bars)
    shapes = "".join(
        f'<rect x="{i * step + 1:.1f}" y="{_HEIGHT * (1 - ratio / top):.1f}"'
        f' width="{step - 2:.1f}" height="{_HEIGHT * ratio / top:.1f}">'
        f"<title>{escape(bar.label)}: {bar.observed:,}, expected {bar.expected:,.1f}</title></rect>"
        for i, (bar, ratio) in enumerate(zip(bars, ratios, strict=True))
    )
    level = f"{_HEIGHT * (1 - 1 / top):.1f}"
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' role="img" aria-label="{len(bars)} bars">{shapes}'
        f'<line x1="0" x2="{_WIDTH}" y1="{level}" y2="{level}"/></svg>'
    )
