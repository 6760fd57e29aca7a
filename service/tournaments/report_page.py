"""The report on a tournament as one HTML page: self-contained, without scripts, styled like other pages."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.tournaments.standings import UNIT
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.page_frame import policy_of, site_footer, site_header, style_of
from kontor_games.service.tournaments.report_charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.tournaments.report_figures import Incident, ReportFigures
from kontor_games.service.trust.fairness_page import chance_section, title_of

_MAX_CROSSED = 40
"""Maximum number of entrants in the crosstable; a larger one would be unreadable."""
_MAX_DRAWN = 12
"""Maximum number of lines in one chart; more would be indistinguishable."""


@cache
def _style() -> str:
    package = files("kontor_games.service")
    sheets = (package.joinpath("trust", "fairness.css"), package.joinpath("tournaments", "report.css"))
    return style_of("".join(sheet.read_text(encoding="utf-8") for sheet in sheets))


def report_page(
    found: ReportFigures, verdict: tuple[bool | None, str], made: str, language: str = DEFAULT_LANGUAGE
) -> str:
    """Return the page; `verdict` is whether the file was verified (None: not yet possible) and a sentence."""
    terms, say = found.tournament.terms, texts_in(language)
    title, sound = escape(terms.title), {True: " good", False: " bad", None: ""}[verdict[0]]
    sections = (_standings, _crosstable, _ratings, _times, _incidents, _refusals, _seats, _chance)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy_of(_style()), quote=True)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · Kontor</title><style>{_style()}</style></head>\n<body>\n{site_header(None)}"
        f'<main id="content" tabindex="-1">\n<h1>{title}</h1>\n<p class="faint">{escape(made)}</p>\n'
        f'<p class="verdict{sound}">{escape(verdict[1])}</p>\n{_about(found, say)}'
        f"{''.join(section(found, say) for section in sections)}</main>\n"
        f"{site_footer(language)}</body></html>\n"
    )


def _about(found: ReportFigures, say: Texts) -> str:
    tournament = found.tournament
    terms = tournament.terms
    text = say(
        "report.about", game=title_of(terms.game, say.language), format=say(f"report.format.{terms.format}"),
        deals=say("report.rotated" if terms.rotated else "report.not_rotated"), matches=found.matches,
        entrants=len(tournament.entrants), rounds=len(tournament.rounds), edition=tournament.edition or 0,
        status=say(f"standings.status.{tournament.status}"),
    )  # fmt: skip
    return _paragraph(text)


def _paragraph(*texts: str) -> str:
    return f"<p>{escape(' '.join(filter(None, texts)))}</p>\n"


def _heads(say: Texts, *keys: str) -> list[str]:
    return [escape(say(f"report.{key}")) for key in keys]


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


def _titled(title: str, content: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{content}"


def _span(say: Texts, low: float, high: float) -> str:
    return f"{say.number(low, '.2f')} – {say.number(high, '.2f')}"


def _standings(found: ReportFigures, say: Texts) -> str:
    rows = []
    for line in found.standings:
        number = line["entrant"]
        points, strength = found.spread.points.get(number), found.spread.strengths.get(number)
        rows.append(
            [
                f"{line['place']}. {escape(found.entrants[number].name)}",
                say.number(line["points"] / UNIT, "g"),
                _span(say, *points) if points else "",
                str(line["played"]),
                say.number(line["wins"] / UNIT, "g"),
                f"{say.number(strength.value, '+.2f')} ({_span(say, *strength.interval)})"
                if strength
                else "",
                f"{strength.ranks[0]} – {strength.ranks[1]}" if strength else "",
            ]
        )
    head = _heads(say, "entrant", "points", "per_match", "played", "wins", "strength", "ranks")
    title = say("report.standings")
    return _titled(title, f"{_strengths(found, say)}{table(title, head, rows)}")


def _strengths(found: ReportFigures, say: Texts) -> str:
    strengths = found.spread.strengths
    rows = [
        (
            found.entrants[number].name,
            strengths[number].interval[0],
            strengths[number].value,
            strengths[number].interval[1],
        )
        for line in found.standings
        if (number := line["entrant"]) in strengths
    ]
    if not rows:
        return _paragraph(say("report.no_intervals"))
    chart = intervals_chart(rows, say("report.strength_axis"), say)
    return f"{_paragraph(say('report.intervals'))}{chart}"


def _crosstable(found: ReportFigures, say: Texts) -> str:
    shown = [line["entrant"] for line in found.standings][:_MAX_CROSSED]
    head = (*_heads(say, "entrant"), *(str(place) for place in range(1, len(shown) + 1)))
    rows = [
        [f"{place}. {escape(found.entrants[one].name)}", *(_met(found, say, one, other) for other in shown)]
        for place, one in enumerate(shown, 1)
    ]
    left, title = len(found.standings) - len(shown), say("report.crosstable")
    more = say("report.left_out", n=left, count=say.number(left)) if left else ""
    return _titled(title, f"{_paragraph(say('report.crosstable_text'), more)}{table(title, head, rows)}")


def _met(found: ReportFigures, say: Texts, one: int, other: int) -> str:
    met = found.met[one, other]
    return "–" if one == other or not met else f"{say.number(found.beaten[one, other] / 2, 'g')} / {met}"


def _ratings(found: ReportFigures, say: Texts) -> str:
    if not found.ratings:
        return ""
    shown = [line["entrant"] for line in found.standings][:_MAX_DRAWN]
    lines = {
        f"{place}. {found.entrants[number].name}": [after[number].mean for after in found.ratings]
        for place, number in enumerate(shown, 1)
    }
    first = say("report.first_drawn", n=len(shown)) if len(shown) < len(found.standings) else ""
    chart = lines_chart(lines, say("report.round"), say("report.rating_axis"), say)
    return _titled(say("report.ratings"), f"{_paragraph(say('report.ratings_text'), first)}{chart}")


def _times(found: ReportFigures, say: Texts) -> str:
    entrants = [found.entrants[line["entrant"]] for line in found.standings]
    if not any(one.commands for one in entrants):
        return ""
    rows = [
        [
            escape(one.name),
            say.number(one.commands),
            say.number(one.used_ms / 1000, ",.1f"),
            say.number(one.used_ms / max(1, one.commands) / 1000, ",.2f"),
            say.number(one.longest_ms / 1000, ",.1f"),
        ]
        for one in entrants
    ]
    head = _heads(say, "entrant", "commands", "seconds", "seconds_each", "longest")
    used = [(one.name, one.used_ms / 1000) for one in entrants[:_MAX_DRAWN]]
    bars, title = bars_chart(used, say("report.seconds_axis"), say), say("report.times")
    return _titled(title, f"{_paragraph(say('report.times_text'))}{bars}{table(title, head, rows)}")


def _incidents(found: ReportFigures, say: Texts) -> str:
    rows = [
        [escape(one.name), str(one.no_shows), str(one.time_outs), str(one.resignations)]
        for one in (found.entrants[line["entrant"]] for line in found.standings)
    ]
    listed = "".join(f"<li>{escape(_incident(one, say))}</li>\n" for one in found.incidents)
    head, title = _heads(say, "entrant", "no_shows", "time_outs", "resignations"), say("report.incidents")
    return _titled(title, f"{table(title, head, rows)}{f'<ul>{listed}</ul>' if listed else ''}\n")


def _incident(one: Incident, say: Texts) -> str:
    what = say(f"report.incident.{one.what}")
    values: dict[str, str | int] = {"version": one.version, "at": _moment(one.at), "what": what}
    return say("report.incident_why", **values, why=one.why) if one.why else say("report.incident", **values)


def _refusals(found: ReportFigures, say: Texts) -> str:
    """The number of refused moves of each entrant, with a column for each kind."""
    refused, title = found.refused, say("report.refusals")
    if refused is None:
        return _titled(title, _paragraph(say("report.refusals_unknown")))
    kinds = sorted({kind for counts in refused.values() for kind in counts})
    rows = []
    for number in (line["entrant"] for line in found.standings):
        counts = refused.get(number, {})
        cells = (say.number(counts.get(kind, 0)) for kind in kinds)
        rows.append([escape(found.entrants[number].name), say.number(sum(counts.values())), *cells])
    head = (*_heads(say, "entrant", "refused"), *(f"<code>{escape(kind)}</code>" for kind in kinds))
    return _titled(title, f"{_paragraph(say('report.refusals_text'))}{table(title, head, rows)}")


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _seats(found: ReportFigures, say: Texts) -> str:
    if not found.seats:
        return ""
    rows = [
        [
            escape(say("report.seat_number", number=seat)),
            str(matches),
            say.number(points, ".2f"),
            say.number(wins, ".0%"),
        ]
        for seat, (matches, points, wins) in enumerate(found.seats, 1)
    ]
    note = say("report.seats_rotated") if found.tournament.terms.rotated else ""
    head, title = _heads(say, "seat", "matches", "points_each", "wins"), say("report.seats")
    return _titled(title, f"{_paragraph(say('report.seats_text'), note)}{table(title, head, rows)}")


def _chance(found: ReportFigures, say: Texts) -> str:
    note = _paragraph(say("report.chance_once")) if found.tournament.terms.rotated else ""
    return f"{chance_section(found.chance, say)}{note}" if found.chance.tests else ""
