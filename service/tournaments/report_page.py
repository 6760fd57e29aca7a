"""The report on a tournament as one HTML page: self-contained, without scripts, styled like other pages."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.tournaments.decisions import Decision
from kontor_games.domain.tournaments.standings import UNIT
from kontor_games.domain.tournaments.tournament import PlannedMatch
from kontor_games.service.documents.charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.documents.pages import render
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.tournaments.report_figures import LISTED_FACTS, ReportFigures
from kontor_games.service.trust.fairness_page import tested

_MAX_CROSSED = 40
"""Maximum number of entrants in the crosstable; a larger one would be unreadable."""
_MAX_DRAWN = 12
"""Maximum number of lines in one chart; more would be indistinguishable."""


def report_page(
    figures: ReportFigures, verdict: tuple[bool | None, str], made: str, language: str = DEFAULT_LANGUAGE
) -> str:
    """Return the page; `verdict` is whether the file was verified (None: not yet possible) and a sentence."""
    texts, order = texts_in(language), [line["entrant"] for line in figures.standings]
    return render(
        "report.html", figures.tournament.terms.title, language, figures=figures, verdict=verdict, made=made,
        about=_about(figures, texts), identity=list(_identity(figures, texts)), lines=_lines(figures),
        entrants=[figures.entrants[number] for number in order], crossed=order[:_MAX_CROSSED],
        strengths=_strengths(figures, texts), rounds=_rounds(figures, texts),
        ratings=_ratings(figures, order[:_MAX_DRAWN], texts), drawn=min(len(order), _MAX_DRAWN),
        seconds=_seconds(figures, order, texts), counts=_counts(figures, texts),
        incidents=[_incident(figures, one, texts) for one in figures.decisions if one.type in LISTED_FACTS],
        refused=figures.refused and [(number, figures.refused.get(number, {})) for number in order],
        kinds=sorted({kind for counts in (figures.refused or {}).values() for kind in counts}),
        tested=tested(figures.chance, texts),
    )  # fmt: skip


def _about(figures: ReportFigures, texts: Texts) -> str:
    tournament = figures.tournament
    terms = tournament.terms
    return texts(
        "report.about", game=texts.title(terms.game), format=texts(f"report.format.{terms.format}"),
        deals=texts("report.rotated" if terms.rotated else "report.not_rotated"), matches=figures.matches,
        entrants=len(tournament.entrants), rounds=len(tournament.rounds), edition=tournament.edition or 0,
        status=texts(f"standings.status.{tournament.status}"),
    )  # fmt: skip


def _identity(figures: ReportFigures, texts: Texts) -> Iterator[tuple[str, str]]:
    """The organiser, the dates and the id."""
    times = figures.times
    yield texts("report.organiser"), figures.name_of(figures.tournament.terms.organiser)
    dates = {
        "report.announced": "tournament_announced",
        "report.started": "tournament_started",
        "report.last_fact": "last",
    }
    for key, at in dates.items():
        if at in times:
            yield texts(key), _moment(times[at])


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _lines(figures: ReportFigures) -> list[dict[str, Any]]:
    """The standings: points and wins as numbers, intervals and strengths as far as there are any."""
    spread = figures.spread
    return [
        {
            "name": f"{line['place']}. {figures.entrants[line['entrant']].name}",
            "points": line["points"] / UNIT,
            "played": line["played"],
            "wins": line["wins"] / UNIT,
            "interval": spread.points.get(line["entrant"]),
            "strength": spread.strengths.get(line["entrant"]),
        }
        for line in figures.standings
    ]


def _strengths(figures: ReportFigures, texts: Texts) -> Markup | None:
    rows = []
    for number in (line["entrant"] for line in figures.standings):
        strength = figures.spread.strengths.get(number)
        if strength is not None:
            low, high = strength.interval
            rows.append((figures.entrants[number].name, low, strength.value, high))
    return intervals_chart(rows, texts("report.strength_axis"), texts) if rows else None


def _rounds(figures: ReportFigures, texts: Texts) -> list[dict[str, Any]]:
    """Every match that counts: its id, its players with their places, and how it was decided."""
    return [
        {
            "round": slot[0],
            "table": slot[1] + 1,
            "match": planned.match or "–",
            "seats": ", ".join(
                _seated(figures, texts, planned, seat) for seat in range(len(planned.entrants))
            ),
            "how": texts(f"report.how.{planned.reason or 'none'}"),
        }
        for slot, planned in sorted(figures.tournament.planned.items())
    ]


def _seated(figures: ReportFigures, texts: Texts, planned: PlannedMatch, seat: int) -> str:
    """The name of the entrant on a seat, with the place; after a walkover, who was absent."""
    number = planned.entrants[seat]
    name = figures.entrants[number].name
    if number in planned.absent:
        return texts("report.absent", name=name)
    if planned.finish is None or planned.reason == "walkover":
        return name
    return f"{name} ({planned.finish.places[seat]})"


def _ratings(figures: ReportFigures, shown: list[int], texts: Texts) -> Markup | None:
    if not figures.ratings:
        return None
    lines = {
        f"{place}. {figures.entrants[number].name}": [after[number].mean for after in figures.ratings]
        for place, number in enumerate(shown, 1)
    }
    return lines_chart(lines, texts("report.round"), texts("report.rating_axis"), texts)


def _seconds(figures: ReportFigures, order: list[int], texts: Texts) -> Markup | None:
    """The chart of the time that the first entrants used; None if nobody made a move."""
    entrants = [figures.entrants[number] for number in order]
    if not any(one.commands for one in entrants):
        return None
    used = [(one.name, one.used_ms / 1000) for one in entrants[:_MAX_DRAWN]]
    return bars_chart(used, texts("report.seconds_axis"), texts)


def _counts(figures: ReportFigures, texts: Texts) -> str:
    """The numbers of rulings, protests, no-shows and walkovers, and the time of outages given back."""
    types = Counter(one.type for one in figures.decisions)
    counts = texts(
        "report.counts",
        rulings=types["result_ruled"],
        protests=types["standings_protested"],
        no_shows=sum(len(one.absent) for one in figures.decisions),
        walkovers=sum(one.reason == "walkover" for one in figures.tournament.planned.values()),
    )
    if not figures.chance.returned:
        return counts
    seconds = f"{figures.chance.returned_ms / 1000:.1f}"
    return f"{counts} {texts('report.outages', matches=figures.chance.returned, seconds=seconds)}"


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
