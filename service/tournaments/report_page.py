"""The report on a tournament as one HTML page: self-contained, without scripts, in the look of the other pages."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.tournaments.standings import UNIT
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.page_frame import site_footer, site_header, source_hash, style_of
from kontor_games.service.tournaments.report_charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.tournaments.report_figures import ReportFigures
from kontor_games.service.trust.fairness_page import chance_section, title_of

_MOST_CROSSED = 40
"""A crosstable of more entrants than this could not be read."""
_MOST_DRAWN = 12
"""Maximum number of lines in one chart; more would be indistinguishable."""


@cache
def _style() -> str:
    package = files("kontor_games.service")
    sheets = (package.joinpath("trust", "fairness.css"), package.joinpath("tournaments", "report.css"))
    return style_of("".join(sheet.read_text(encoding="utf-8") for sheet in sheets))


@cache
def report_policy() -> str:
    """Return the Content-Security-Policy of the page: it allows the style of the page and nothing else."""
    return f"default-src 'none'; style-src {source_hash(_style())}; img-src data:; base-uri 'none'; form-action 'none'"


def report_page(found: ReportFigures, verdict: tuple[bool | None, str], made: str) -> str:
    """Return the page; `verdict` says whether the file was verified (None: it can't be yet), and in what words."""
    terms = found.tournament.terms
    title, sound = escape(terms.title), {True: " good", False: " bad", None: ""}[verdict[0]]
    sections = (_standings, _crosstable, _ratings, _times, _incidents, _refusals, _seats, _chance)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(report_policy(), quote=True)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · Kontor</title><style>{_style()}</style></head>\n<body>\n{site_header(None)}"
        f'<main id="content" tabindex="-1">\n<h1>{title}</h1>\n<p class="faint">{escape(made)}</p>\n'
        f'<p class="verdict{sound}">{escape(verdict[1])}</p>\n{_about(found)}'
        f"{''.join(section(found) for section in sections)}</main>\n{site_footer()}</body></html>\n"
    )


def _about(found: ReportFigures) -> str:
    tournament = found.tournament
    edition = f", edition {tournament.edition}" if tournament.edition else ""
    deals = "each deal from every seat" if tournament.terms.rotated else "a deal of its own in each match"
    return (
        f"<p>{escape(title_of(tournament.terms.game))}, format {tournament.terms.format}, {deals}."
        f" {len(tournament.entrants)} entrants, {len(tournament.rounds)} rounds, {found.matches} matches in the file."
        f" The tournament is {tournament.status}{edition}.</p>\n"
    )


def table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; the first column is text, the others are numbers. Cells are HTML."""
    titles = "".join(f'<th scope="col"{_right(place)}>{one}</th>' for place, one in enumerate(head))
    body = "".join(
        "<tr>" + "".join(f"<td{_right(place)}>{cell}</td>" for place, cell in enumerate(row)) + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="wide sheet" tabindex="0" role="group" aria-label="{escape(name, quote=True)}">'
        f"<table><thead><tr>{titles}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )


def _right(place: int) -> str:
    return ' class="number"' if place else ""


def _span(low: float, high: float) -> str:
    return f"{low:.2f} – {high:.2f}"


def _standings(found: ReportFigures) -> str:
    rows = []
    for line in found.standings:
        number = line["entrant"]
        points, strength = found.spread.points.get(number), found.spread.strengths.get(number)
        rows.append(
            [
                f"{line['place']}. {escape(found.entrants[number].name)}", f"{line['points'] / UNIT:g}",
                _span(*points) if points else "", str(line["played"]), f"{line['wins'] / UNIT:g}",
                f"{strength.value:+.2f} ({_span(*strength.interval)})" if strength else "",
                f"{strength.ranks[0]} – {strength.ranks[1]}" if strength else "",
            ]
        )  # fmt: skip
    head = ("entrant", "points", "per match (95%)", "played", "wins", "strength (95%)", "plausible ranks")
    return f"<h2>Standings</h2>\n{_strengths(found)}{table('Standings', head, rows)}"


def _strengths(found: ReportFigures) -> str:
    strengths = found.spread.strengths
    rows = [
        (found.entrants[number].name, strengths[number].interval[0], strengths[number].value, strengths[number].interval[1])
        for line in found.standings
        if (number := line["entrant"]) in strengths
    ]  # fmt: skip
    if not rows:
        return "<p>There are too few blocks, or too many entrants, for intervals.</p>\n"
    return (
        "<p>Where two intervals overlap, the results do not separate the two. Intervals are by block: all matches of a"
        f" table count as one observation.</p>\n{intervals_chart(rows, 'strength (Bradley–Terry), with its 95% interval')}"
    )


def _crosstable(found: ReportFigures) -> str:
    shown = [line["entrant"] for line in found.standings][:_MOST_CROSSED]
    head = ("entrant", *(str(place) for place in range(1, len(shown) + 1)))
    rows = [
        [f"{place}. {escape(found.entrants[one].name)}", *(_met(found, one, other) for other in shown)]
        for place, one in enumerate(shown, 1)
    ]
    left = len(found.standings) - len(shown)
    more = f" The {left:,} entrants behind are left out." if left else ""
    explained = f"How often the entrant of the row finished above that of the column, of how many meetings; a shared place counts half.{more}"
    return f"<h2>Crosstable</h2>\n<p>{explained}</p>\n{table('Crosstable', head, rows)}"


def _met(found: ReportFigures, one: int, other: int) -> str:
    met = found.met[one, other]
    return "–" if one == other or not met else f"{found.beaten[one, other] / 2:g} / {met}"


def _ratings(found: ReportFigures) -> str:
    if not found.ratings:
        return ""
    shown = [line["entrant"] for line in found.standings][:_MOST_DRAWN]
    lines = {
        f"{place}. {found.entrants[number].name}": [after[number].mean for after in found.ratings]
        for place, number in enumerate(shown, 1)
    }
    first = f" The first {len(shown)} are drawn." if len(shown) < len(found.standings) else ""
    return (
        "<h2>Ratings</h2>\n<p>As the ladder would rate these matches alone, round by round, if everybody began at 25."
        f"{first}</p>\n{lines_chart(lines, 'round', 'rating (mean)')}"
    )


def _times(found: ReportFigures) -> str:
    entrants = [found.entrants[line["entrant"]] for line in found.standings]
    if not any(one.commands for one in entrants):
        return ""
    rows = [
        [
            escape(one.name), str(one.commands), f"{one.used_ms / 1000:,.1f}",
            f"{one.used_ms / max(1, one.commands) / 1000:,.2f}", f"{one.longest_ms / 1000:,.1f}",
        ]
        for one in entrants
    ]  # fmt: skip
    head = ("entrant", "commands", "seconds", "seconds a command", "longest")
    bars = bars_chart(
        [(one.name, one.used_ms / 1000) for one in entrants[:_MOST_DRAWN]], "seconds used in all matches"
    )
    return (
        "<h2>Time used</h2>\n<p>From the command before to the own one, in all matches of the file.</p>\n"
        f"{bars}{table('Time used', head, rows)}"
    )


def _incidents(found: ReportFigures) -> str:
    rows = [
        [escape(one.name), str(one.no_shows), str(one.time_outs), str(one.resignations)]
        for one in (found.entrants[line["entrant"]] for line in found.standings)
    ]
    listed = "".join(
        f"<li>Fact {one.version}, {_moment(one.at)}: {one.what}{f': “{escape(one.why)}”' if one.why else ''}.</li>\n"
        for one in found.incidents
    )
    head = ("entrant", "no-shows", "time-outs", "resignations")
    return (
        "<h2>No-shows, time-outs, rulings</h2>\n"
        f"{table('No-shows, time-outs and resignations', head, rows)}{f'<ul>{listed}</ul>' if listed else ''}\n"
    )


def _refusals(found: ReportFigures) -> str:
    """The number of refused moves of each entrant, with a column for each kind."""
    refused = found.refused
    if refused is None:
        said = "A refused move changes nothing and is in no record: the service counts them, and a report by id shows them."
        return f"<h2>Refused moves</h2>\n<p>{said}</p>\n"
    kinds = sorted({kind for counts in refused.values() for kind in counts})
    rows = []
    for number in (line["entrant"] for line in found.standings):
        counts = refused.get(number, {})
        cells = (f"{counts.get(kind, 0):,}" for kind in kinds)
        rows.append([escape(found.entrants[number].name), f"{sum(counts.values()):,}", *cells])
    head = ("entrant", "refused", *(escape(kind.replace("_", " ")) for kind in kinds))
    return (
        "<h2>Refused moves</h2>\n<p>Moves that the service refused, by the code of the problem, as it counted them. They"
        f" are in no record, so nobody can verify them.</p>\n{table('Refused moves', head, rows)}"
    )


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _seats(found: ReportFigures) -> str:
    if not found.seats:
        return ""
    rows = [
        [f"seat {seat}", str(matches), f"{points:.2f}", f"{wins:.0%}"]
        for seat, (matches, points, wins) in enumerate(found.seats, 1)
    ]
    note = (
        "Every deal was played from every seat, so no entrant gained by where they sat."
        if found.tournament.terms.rotated
        else ""
    )
    return (
        f"<h2>Seats</h2>\n<p>What each seat brought, whoever sat there. {note}</p>\n"
        f"{table('Seats', ('seat', 'matches', 'points a match', 'wins'), rows)}"
    )


def _chance(found: ReportFigures) -> str:
    rotated = found.tournament.terms.rotated
    note = (
        "<p>Matches of a block share a deal; only the first of each is counted here.</p>\n" if rotated else ""
    )
    return f"{chance_section(found.chance, texts_in(DEFAULT_LANGUAGE))}{note}" if found.chance.tests else ""
