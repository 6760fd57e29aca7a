"""The figures of a report on a tournament, computed from its export only."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.ladders import Kind
from kontor_games.domain.tournaments.decisions import Decision, follow
from kontor_games.domain.tournaments.export import TournamentFile, read_file
from kontor_games.domain.tournaments.standings import UNIT, points_of
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.ratings.model import Rating, rate
from kontor_games.service.tournaments.intervals import Spread, spread_of
from kontor_games.service.trust.audit_report import AuditReport, DrawCounts


@dataclass
class EntrantFigures:
    """The totals of one entrant over all matches."""

    name: str
    commands: int = 0
    used_ms: int = 0
    """The sum of the times from the previous command of the match to each of their own, or to a time-out."""
    longest_ms: int = 0
    no_shows: int = 0
    time_outs: int = 0
    resignations: int = 0


@dataclass
class ReportFigures:
    """Everything that a report shows."""

    tournament: Tournament
    standings: list[Mapping[str, Plain]]
    """The lines of the standings, best first, as the service has signed them."""
    spread: Spread
    entrants: dict[int, EntrantFigures]
    beaten: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often the first finished above the second, in halves: a shared place is one half."""
    met: Counter[tuple[int, int]] = field(default_factory=Counter)
    ratings: list[dict[int, Rating]] = field(default_factory=list)
    """The rating of each entrant after each round."""
    seats: list[tuple[int, float, float]] = field(default_factory=list)
    """For each seat: matches, mean points, share of wins."""
    chance: AuditReport = field(default_factory=AuditReport)
    decisions: list[Decision] = field(default_factory=list)
    """The rulings, no-shows, protests and so on, in order."""
    id: str = ""
    times: dict[str, int] = field(default_factory=dict)
    """When the first fact of each type was recorded, and the `last` fact of all."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of players by id, as far as they are known."""
    address: str | None = None
    """The address of the tournament on its service, if the report was made from there."""
    matches: int = 0
    refused: Mapping[int, Mapping[str, int]] | None = None
    """The refused moves of each entrant by kind; None if the service was not queried for them."""

    def name_of(self, player: str) -> str:
        """Return the name of a player, or the first digits of the id."""
        return self.names.get(player) or player[:8]


def report_figures(content: bytes, names: Mapping[str, str]) -> ReportFigures:
    """Read an export; raise BrokenFileError if it is malformed. `names` are by id of the player."""
    file = read_file(content)
    tournament, decisions = follow(file.records)
    entrants = {
        one.number: EntrantFigures(names.get(one.player) or one.player[:8]) for one in tournament.entrants
    }
    figures = ReportFigures(tournament, list(file.footer["standings"]), spread_of(tournament), entrants)
    figures.id, figures.names, figures.decisions = str(file.header["tournament"]), names, decisions
    figures.times = {one["fact"]["type"]: one["at"] for one in reversed(file.records)}
    figures.times["last"] = file.records[-1]["at"]
    figures.matches = len(file.matches)
    _count_meetings(figures)
    _rate_rounds(figures)
    _count_seats(figures)
    _count_no_shows(figures)
    _read_matches(figures, file)
    return figures


def _count_meetings(figures: ReportFigures) -> None:
    for finish in figures.tournament.finishes:
        for one, place in zip(finish.entrants, finish.places, strict=True):
            for other, theirs in zip(finish.entrants, finish.places, strict=True):
                if one != other:
                    figures.met[one, other] += 1
                    figures.beaten[one, other] += 2 * (place < theirs) + (place == theirs)


def _rate_rounds(figures: ReportFigures) -> None:
    """Rate the results round by round as the ladder would; all entrants start with the initial rating."""
    tournament = figures.tournament
    kind: Kind = "programs" if all(one.bot for one in tournament.entrants) else "people"
    now = {one.number: Rating() for one in tournament.entrants}
    for paired in tournament.rounds:
        for table in range(len(paired.tables)):
            for finish in tournament.finishes_of((paired.round, table)):
                after = rate(kind, [now[number] for number in finish.entrants], finish.places)
                now |= dict(zip(finish.entrants, after, strict=True))
        figures.ratings.append(dict(now))


def _count_seats(figures: ReportFigures) -> None:
    terms = figures.tournament.terms
    for seat in range(terms.seats):
        sat = [one for one in figures.tournament.finishes if seat < len(one.entrants)]
        if sat:
            points = sum(points_of(terms.points, one.places)[seat] for one in sat) / UNIT
            wins = sum((one.places[seat] == 1) / one.places.count(1) for one in sat)
            figures.seats.append((len(sat), points / len(sat), wins / len(sat)))


LISTED_FACTS = {
    "match_voided", "result_ruled", "standings_protested", "entrant_withdrew", "tournament_cancelled"
}  # fmt: skip
"""The decisions that a report lists one by one; each has a text `report.incident.…`."""


def _count_no_shows(figures: ReportFigures) -> None:
    for decision in figures.decisions:
        for number in decision.absent:
            figures.entrants[number].no_shows += 1


def _read_matches(figures: ReportFigures, file: TournamentFile) -> None:
    tournament = figures.tournament
    for match, content in file.matches.items():
        slot = tournament.slots.get(match)
        lines = [json.loads(line) for line in content.split(b"\n")[1:-2]]
        _read_times(figures, lines)
        returned = [line["fact"] for line in lines if line["fact"]["type"] == "time_returned"]
        figures.chance.add_returned(sum(one["until"] - one["since"] for one in returned))
        if slot is None:
            continue
        deal = slot[:2] if tournament.terms.rotated else None
        figures.chance.add(match, tournament.terms.game, len(lines), None, _drawn(lines), deal)


def _read_times(figures: ReportFigures, lines: list[dict[str, Any]]) -> None:
    """Add up the time that each player used, and count time-outs and resignations."""
    entrants = {player: figures.entrants[number] for player, number in figures.tournament.numbers.items()}
    seated: dict[int, EntrantFigures] = {}
    before: int | None = None
    for line in lines:
        fact, entrant = line["fact"], entrants.get(line["by"])
        if fact["type"] == "seat_taken" and fact["player"] in entrants:
            seated[fact["seat"]] = entrants[fact["player"]]
        elif fact["type"] == "seat_timed_out" and fact["seat"] in seated:
            seated[fact["seat"]].time_outs += 1
        elif fact["type"] == "seat_resigned" and fact["seat"] in seated:
            seated[fact["seat"]].resignations += 1
        timed_out = fact["type"] == "seat_timed_out"
        user = seated.get(fact["seat"]) if timed_out else entrant if "command" in line else None
        if before is not None and user is not None:
            used = max(0, line["at"] - before)
            user.commands += not timed_out
            user.used_ms += used
            user.longest_ms = max(user.longest_ms, used)
        if before is not None or fact["type"] == "match_started":
            before = line["at"]


def _drawn(lines: list[dict[str, Any]]) -> DrawCounts:
    counts = DrawCounts()
    for line in lines:
        for draw in line.get("draws", ()):
            counts.update((draw["stream"], bound, value) for bound, value in draw["values"])
    return counts
