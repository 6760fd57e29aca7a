"""The report on a tournament as one HTML page: self-contained, without scripts, styled like other pages."""

from collections import Counter
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.tournaments.decisions import Decision
from kontor_games.domain.tournaments.standings import UNIT
from kontor_games.domain.tournaments.tournament import PlannedMatch
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.page_frame import policy_of, section, site_footer, site_header, style_of, table
from kontor_games.service.tournaments.report_charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.tournaments.report_figures import LISTED_FACTS, ReportFigures
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
    figures: ReportFigures, verdict: tuple[bool | None, str], made: str, language: str = DEFAULT_LANGUAGE
) -> str:
    """Return the page; `verdict` is whether the file was verified (None: not yet possible) and a sentence."""
    terms, texts = figures.tournament.terms, texts_in(language)
    title, sound = escape(terms.title), {True: " good", False: " bad", None: ""}[verdict[0]]
    parts = (_standings, _crosstable, _rounds, _ratings, _times, _incidents, _refusals, _seats)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy_of(_style()), quote=True)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · Kontor</title><style>{_style()}</style></head>\n<body>\n{site_header(None)}"
        f'<main id="content" tabindex="-1">\n<h1>{title}</h1>\n<p class="faint">{escape(made)}</p>\n'
        f'<p class="verdict{sound}">{escape(verdict[1])}</p>\n{_about(figures, texts)}'
        f"{''.join(part(figures, texts) for part in parts)}{chance_section(figures.chance, texts)}</main>\n"
        f"{site_footer(language)}</body></html>\n"
    )


def _about(figures: ReportFigures, texts: Texts) -> str:
    tournament = figures.tournament
    terms = tournament.terms
    text = texts(
        "report.about", game=title_of(terms.game, texts.language),
        format=texts(f"report.format.{terms.format}"),
        deals=texts("report.rotated" if terms.rotated else "report.not_rotated"), matches=figures.matches,
        entrants=len(tournament.entrants), rounds=len(tournament.rounds), edition=tournament.edition or 0,
        status=texts(f"standings.status.{tournament.status}"),
    )  # fmt: skip
    return f"{_paragraph(text)}{_identity(figures, texts)}"


def _identity(figures: ReportFigures, texts: Texts) -> str:
    """The organiser, the dates, the id, and the address on the service if it is known."""
    times, terms = figures.times, figures.tournament.terms
    dates = {
        "report.announced": "tournament_announced",
        "report.started": "tournament_started",
        "report.last_fact": "last",
    }
    parts = [f"{texts('report.organiser')}: {escape(figures.name_of(terms.organiser))}"]
    parts += [f"{texts(key)}: {_moment(times[at])}" for key, at in dates.items() if at in times]
    parts.append(f"{texts('report.id')}: <code>{escape(figures.id)}</code>")
    if figures.address:
        address = escape(figures.address, quote=True)
        parts.append(f'{texts("report.address")}: <a href="{address}">{address}</a>')
    return f"<p>{' · '.join(parts)}</p>\n"


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _paragraph(*texts: str) -> str:
    return f"<p>{escape(' '.join(filter(None, texts)))}</p>\n"


def _heads(texts: Texts, *keys: str) -> list[str]:
    return [escape(texts(f"report.{key}")) for key in keys]


def _standings(figures: ReportFigures, texts: Texts) -> str:
    """The standings; intervals and strengths have columns only if there are any."""
    spread = figures.spread
    keys = ["entrant", "points", "played", "wins"]
    keys += ["per_match"] * bool(spread.points) + ["strength", "ranks"] * bool(spread.strengths)
    rows = []
    for line in figures.standings:
        number = line["entrant"]
        points, strength = spread.points.get(number), spread.strengths.get(number)
        cells = {
            "entrant": f"{line['place']}. {escape(figures.entrants[number].name)}",
            "points": texts.short(line["points"] / UNIT),
            "played": str(line["played"]),
            "wins": texts.short(line["wins"] / UNIT),
            "per_match": texts.interval(*points) if points else "–",
            "strength": "–",
            "ranks": "–",
        }
        if strength:
            value = texts.number(strength.value, "+.2f")
            cells["strength"] = f"{value} ({texts.interval(*strength.interval)})"
            cells["ranks"] = f"{strength.ranks[0]} – {strength.ranks[1]}"
        rows.append([cells[key] for key in keys])
    title = texts("report.standings")
    return section(title, f"{_strengths(figures, texts)}{table(title, _heads(texts, *keys), rows)}")


def _strengths(figures: ReportFigures, texts: Texts) -> str:
    rows = []
    for number in (line["entrant"] for line in figures.standings):
        strength = figures.spread.strengths.get(number)
        if strength is not None:
            low, high = strength.interval
            rows.append((figures.entrants[number].name, low, strength.value, high))
    if not rows:
        return _paragraph(texts("report.no_intervals"))
    chart = intervals_chart(rows, texts("report.strength_axis"), texts)
    return f"{_paragraph(texts('report.intervals'))}{chart}"


def _crosstable(figures: ReportFigures, texts: Texts) -> str:
    shown = [line["entrant"] for line in figures.standings][:_MAX_CROSSED]
    head = (*_heads(texts, "entrant"), *(str(place) for place in range(1, len(shown) + 1)))
    rows = [
        [
            f"{place}. {escape(figures.entrants[one].name)}",
            *(_crosstable_cell(figures, texts, one, other) for other in shown),
        ]
        for place, one in enumerate(shown, 1)
    ]
    left, title = len(figures.standings) - len(shown), texts("report.crosstable")
    more = texts("report.left_out", n=left, count=texts.number(left)) if left else ""
    return section(title, f"{_paragraph(texts('report.crosstable_text'), more)}{table(title, head, rows)}")


def _crosstable_cell(figures: ReportFigures, texts: Texts, one: int, other: int) -> str:
    met = figures.met[one, other]
    return "–" if one == other or not met else f"{texts.number(figures.beaten[one, other] / 2, 'g')} / {met}"


def _rounds(figures: ReportFigures, texts: Texts) -> str:
    """Every match that counts: its id, its players with their places, and how it was decided."""
    rows = []
    for slot, planned in sorted(figures.tournament.planned.items()):
        seats = [_seated(figures, texts, planned, seat) for seat in range(len(planned.entrants))]
        how = texts(f"report.how.{planned.reason or 'none'}")
        match = f"<code>{escape(planned.match or '–')}</code>"
        rows.append([str(slot[0]), str(slot[1] + 1), match, escape(", ".join(seats)), escape(how)])
    if not rows:
        return ""
    head, title = _heads(texts, "round", "table", "match", "by_seat", "how"), texts("report.rounds")
    listed = table(title, head, rows, numbers=(0, 1))
    return section(title, f"{_paragraph(texts('report.rounds_text'))}{listed}")


def _seated(figures: ReportFigures, texts: Texts, planned: PlannedMatch, seat: int) -> str:
    """The name of the entrant on a seat, with the place; after a walkover, who was absent."""
    number = planned.entrants[seat]
    name = figures.entrants[number].name
    if number in planned.absent:
        return texts("report.absent", name=name)
    if planned.finish is None or planned.reason == "walkover":
        return name
    return f"{name} ({planned.finish.places[seat]})"


def _ratings(figures: ReportFigures, texts: Texts) -> str:
    if not figures.ratings:
        return ""
    shown = [line["entrant"] for line in figures.standings][:_MAX_DRAWN]
    lines = {
        f"{place}. {figures.entrants[number].name}": [after[number].mean for after in figures.ratings]
        for place, number in enumerate(shown, 1)
    }
    first = texts("report.first_drawn", n=len(shown)) if len(shown) < len(figures.standings) else ""
    chart = lines_chart(lines, texts("report.round"), texts("report.rating_axis"), texts)
    return section(texts("report.ratings"), f"{_paragraph(texts('report.ratings_text'), first)}{chart}")


def _times(figures: ReportFigures, texts: Texts) -> str:
    entrants = [figures.entrants[line["entrant"]] for line in figures.standings]
    if not any(one.commands for one in entrants):
        return ""
    rows = [
        [
            escape(one.name),
            texts.number(one.commands),
            texts.number(one.used_ms / 1000, ",.1f"),
            texts.number(one.used_ms / max(1, one.commands) / 1000, ",.2f"),
            texts.number(one.longest_ms / 1000, ",.1f"),
        ]
        for one in entrants
    ]
    head = _heads(texts, "entrant", "commands", "seconds", "seconds_each", "longest")
    used = [(one.name, one.used_ms / 1000) for one in entrants[:_MAX_DRAWN]]
    bars, title = bars_chart(used, texts("report.seconds_axis"), texts), texts("report.times")
    about = _paragraph(texts("report.times_text"), texts("report.times_out"))
    return section(title, f"{about}{bars}{table(title, head, rows)}")


def _incidents(figures: ReportFigures, texts: Texts) -> str:
    rows = [
        [escape(one.name), str(one.no_shows), str(one.time_outs), str(one.resignations)]
        for one in (figures.entrants[line["entrant"]] for line in figures.standings)
    ]
    types = Counter(one.type for one in figures.decisions)
    counts = texts(
        "report.counts",
        rulings=types["result_ruled"],
        protests=types["standings_protested"],
        no_shows=sum(len(one.absent) for one in figures.decisions),
        walkovers=sum(one.reason == "walkover" for one in figures.tournament.planned.values()),
    )
    if chance := figures.chance if figures.chance.returned else None:
        seconds = f"{chance.returned_ms / 1000:.1f}"
        counts = f"{counts} {texts('report.outages', matches=chance.returned, seconds=seconds)}"
    shown = [one for one in figures.decisions if one.type in LISTED_FACTS]
    listed = "".join(f"<li>{escape(_incident(figures, one, texts))}</li>\n" for one in shown)
    head, title = _heads(texts, "entrant", "no_shows", "time_outs", "resignations"), texts("report.incidents")
    items = f"<ul>{listed}</ul>" if listed else ""
    return section(title, f"{_paragraph(counts)}{table(title, head, rows)}{items}\n")


def _incident(figures: ReportFigures, decision: Decision, texts: Texts) -> str:
    """One decision in words: who decided, about which match or entrant, and what it changed."""
    by = figures.name_of(decision.by)
    what = texts(f"report.incident.{decision.type}", **_values(figures, decision, texts), by=by)
    sentence: dict[str, str | int] = {"version": decision.version, "at": _moment(decision.at), "what": what}
    if decision.why:
        return texts("report.incident_why", **sentence, why=decision.why)
    return texts("report.incident", **sentence)


def _values(figures: ReportFigures, decision: Decision, texts: Texts) -> dict[str, str | int]:
    if decision.match is None:
        return {"name": ", ".join(figures.entrants[one].name for one in decision.entrants)}
    names = [figures.entrants[one].name for one in decision.entrants]

    def shown(places: tuple[int, ...] | None) -> str:
        if places is None:
            return texts("report.how.none")
        return ", ".join(f"{name} {place}." for name, place in zip(names, places, strict=True))

    slot = decision.slot or (0, 0, 0)
    return {
        "match": decision.match, "round": slot[0], "table": slot[1] + 1,
        "before": shown(decision.before), "after": shown(decision.after),
    }  # fmt: skip


def _refusals(figures: ReportFigures, texts: Texts) -> str:
    """The number of refused moves of each entrant, with a column for each kind."""
    refused, title = figures.refused, texts("report.refusals")
    if refused is None:
        return section(title, _paragraph(texts("report.refusals_unknown")))
    kinds = sorted({kind for counts in refused.values() for kind in counts})
    rows = []
    for number in (line["entrant"] for line in figures.standings):
        counts = refused.get(number, {})
        cells = (texts.number(counts.get(kind, 0)) for kind in kinds)
        rows.append([escape(figures.entrants[number].name), texts.number(sum(counts.values())), *cells])
    head = (*_heads(texts, "entrant", "refused"), *(f"<code>{escape(kind)}</code>" for kind in kinds))
    return section(title, f"{_paragraph(texts('report.refusals_text'))}{table(title, head, rows)}")


def _seats(figures: ReportFigures, texts: Texts) -> str:
    if not figures.seats:
        return ""
    rows = [
        [
            escape(texts("report.seat_number", number=seat)),
            str(matches),
            texts.number(points, ".2f"),
            texts.number(wins, ".0%"),
        ]
        for seat, (matches, points, wins) in enumerate(figures.seats)
    ]
    note = texts("report.seats_rotated") if figures.tournament.terms.rotated else ""
    head, title = _heads(texts, "seat", "matches", "points_each", "wins"), texts("report.seats")
    about = _paragraph(texts("report.seats_text"), texts("report.seats_from_zero"), note)
    return section(title, f"{about}{table(title, head, rows)}")
