"""The audit report as an HTML page, self-contained and without scripts."""

from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.games import installed_games
from kontor_games.service.page_frame import site_footer, site_header, source_hash, style_of
from kontor_games.service.trust.audit_report import AuditedMatch, AuditReport, StreamTest
from kontor_games.service.trust.fairness_chart import plot

_SUSPICIOUS = 0.001
"""A p-value below this is reported as suspicious."""


@cache
def _style() -> str:
    own = files("kontor_games.service.trust").joinpath("fairness.css").read_text(encoding="utf-8")
    return style_of(own)


@cache
def page_policy() -> str:
    """Return the Content-Security-Policy of the page: it allows the style of the page and nothing else."""
    return (
        f"default-src 'none'; style-src {source_hash(_style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fairness_page(report: AuditReport, title: str, made: str, address: str | None = None) -> str:
    """Return the page; `made` says when and from what it was made, `address` where a service shows it."""
    policy = escape(page_policy(), quote=True)
    linked = address is not None
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)} · Kontor</title>'
        f"<style>{_style()}</style></head>\n<body>\n{site_header(address)}"
        f'<main id="content" tabindex="-1">\n<h1>{escape(title)}</h1>\n<p class="faint">{escape(made)}</p>\n'
        f"{_verdict(report)}{_anomalies(report)}{_guide(report, linked=linked)}{chance_section(report)}"
        f"{_games(report)}{_matches(report, linked=linked)}</main>\n{site_footer()}</body></html>\n"
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
    head = '<tr><th scope="col">match</th><th scope="col">what is wrong</th></tr>'
    return f"<h2>Anomalies</h2>\n{_table('Anomalies', head, rows)}"


def _table(name: str, head: str, rows: str) -> str:
    return (
        f'<div class="wide sheet" tabindex="0" role="group" aria-label="{name}">'
        f"<table><thead>{head}</thead>\n<tbody>{rows}</tbody></table></div>\n"
    )


def _guide(report: AuditReport, *, linked: bool) -> str:
    if not report.matches:
        return ""
    check = (
        "Take a match from the list below and check it in your own browser: that needs no trust in this page."
        if linked
        else "Take the export of a match and run <code>kontor verify</code>: that needs no trust in this page."
    )
    return (
        '<h2>What to look at</h2>\n<ul class="guide">'
        "<li><strong>The sentence above.</strong> Nothing may be wrong: not one match, not one draw.</li>"
        "<li><strong>The bars.</strong> Each should end near the dashed line, which is what to expect. With few values "
        "they differ much; the more values there are, the nearer they come.</li>"
        "<li><strong>The p-values.</strong> How often fair chance would give counts at least this uneven. One of twenty is "
        "below 0.05 by chance alone; below 0.001 for all tests together is suspicious.</li>"
        f"<li><strong>A match of your own choice.</strong> {check}</li></ul>\n"
    )


def _games(report: AuditReport) -> str:
    if not report.games:
        return ""
    rows = "".join(
        f'<tr><td>{escape(title_of(game))}</td><td class="number">{matches:,}</td></tr>\n'
        for game, matches in sorted(report.games.items())
    )
    head = '<tr><th scope="col">game</th><th scope="col" class="number">audited</th></tr>'
    return f"<h2>Matches</h2>\n{_table('Matches by game', head, rows)}"


def _matches(report: AuditReport, *, linked: bool) -> str:
    if not report.listed:
        return ""
    shown = list(reversed(report.listed))
    head = "".join(
        f'<th scope="col"{kind}>{name}</th>'
        for name, kind in (
            ("match", ""),
            ("game", ""),
            ("facts", ' class="number"'),
            ("result of the audit", ""),
        )
    )
    rows = "".join(_match_row(one, linked=linked) for one in shown)
    more = f"<p>The newest {len(shown):,}.</p>\n" if len(shown) < report.matches and len(shown) > 1 else ""
    return f"<h2>Matches one by one</h2>\n{more}{_table('Matches one by one', f'<tr>{head}</tr>', rows)}"


def _match_row(one: AuditedMatch, *, linked: bool) -> str:
    id_ = escape(one.match)
    name = f'<a href="/#/match/{id_}/replay"><code>{id_}</code></a>' if linked else f"<code>{id_}</code>"
    check = f' · <a href="/#/match/{id_}/check">check it yourself</a>' if linked else ""
    verdict = "as it must be" if one.sound else "wrong"
    return (
        f'<tr><td>{name}</td><td>{escape(title_of(one.game))}</td><td class="number">{one.facts:,}</td>'
        f"<td>{verdict}{check}</td></tr>\n"
    )


def title_of(game: str) -> str:
    """Return the English title of a game, or its id if it is not installed."""
    known = installed_games().get(game)
    return known.titles["en"] if known else game or "unknown"


def chance_section(report: AuditReport) -> str:
    """Return how often each random value came, stream by stream, with a test of each."""
    if not report.tests:
        return ""
    streams = "".join(_stream(test) for test in report.tests)
    return (
        f"<h2>What chance gave</h2>\n<p>{_explanation(report)}</p>\n"
        f'<div class="streams">\n{streams}</div>\n'
        '<p class="faint">Dashed line: what to expect. Values of which there were too few to tell are left out of χ².</p>\n'
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


def _stream(test: StreamTest) -> str:
    chi, p_value = test.test, test.test.p_value
    figures = [f"{test.values:,} {'values' if test.values > 1 else 'value'}"]
    if p_value is None:
        figures.append("too few to tell")
    else:
        figures += [f"p-value {format_p_value(p_value)}", f"χ² {chi.statistic:,.1f}", f"{chi.freedom:,} d.f."]
    return (
        f'<section class="stream"><h3>{escape(title_of(test.game))}: {escape(test.stream)}</h3>'
        f'<p class="faint">{" · ".join(figures)}</p>{plot(test.bars)}</section>\n'
    )


def format_p_value(p_value: float) -> str:
    """Format a p-value; small ones are not rounded to zero."""
    return f"{p_value:.3f}" if p_value >= _SUSPICIOUS else f"{p_value:.1e}"
