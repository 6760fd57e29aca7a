"""Checks the stored rows of tournaments, seeks and ratings against what must always be true."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kontor_games.domain.ladders import rated_result
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC, MatchOpened, ResultRecorded, RoundPaired
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.tournaments.answers import TournamentAnswer
from tests.simulation.referee import _DECODER, Referee, Violation

OFFERS = (
    "CREATE TABLE simulated_offers (seek TEXT, turn INTEGER, player TEXT, match_id TEXT)",
    """CREATE TRIGGER simulated_offer AFTER UPDATE ON seeks
    WHEN NEW.status = 'offered' AND OLD.status = 'waiting'
    BEGIN INSERT INTO simulated_offers VALUES (NEW.id, NEW.turn, NEW.player, NEW.match_id); END""",
)
"""SQL that records every offer of a match to a seek, even if the offer is declined later."""
_RATING_TABLES = ("ratings", "rating_points", "rated_matches")


@dataclass
class TournamentRecord:
    """The stored facts of one tournament."""

    id: str
    tournament: Tournament = field(default_factory=Tournament)
    heads: dict[int, str] = field(default_factory=dict)
    firsts: dict[tuple[str, str], int] = field(default_factory=dict)
    paired_at: float = 0.0
    changed_at: float = 0.0


class TournamentReferee:
    """The committed rows of all tournaments, and the checks of these rows and of all answers."""

    def __init__(self) -> None:
        self.records: dict[str, TournamentRecord] = {}
        self.checks = 0
        self._sent: set[tuple[str, str]] = set()
        self._answered: dict[tuple[str, str], tuple[int, int, str]] = {}

    def on_row(self, now: float, tournament_id: str, version: int, state: bytes) -> None:
        """Check and keep a row that was just committed."""
        stored = _DECODER.decode(state)
        record = self.records.setdefault(tournament_id, TournamentRecord(tournament_id))
        if version != record.tournament.version + 1:
            raise Violation(f"tournament {tournament_id}: an entry begins at version {version}")
        if (stored.by, stored.key) in record.firsts:
            raise Violation(f"tournament {tournament_id}: the command {stored.key} is stored twice")
        if stored.by != HOUSE and (stored.by, stored.key) not in self._sent:
            raise Violation(f"tournament {tournament_id}: nobody sent the stored command {stored.key}")
        for plain in stored.facts:
            fact = TOURNAMENT_CODEC.decode(plain)
            self._check_once(record, fact)
            record.tournament.fold_fact(fact)
            if isinstance(fact, RoundPaired):
                record.paired_at = now
        record.changed_at = now
        record.heads[record.tournament.version] = stored.head
        record.firsts[stored.by, stored.key] = version

    def _check_once(self, record: TournamentRecord, fact: Any) -> None:
        """Check that no round is paired, no match opened and no result recorded a second time."""
        tournament = record.tournament
        self.checks += 1
        if isinstance(fact, RoundPaired) and fact.round != len(tournament.rounds) + 1:
            raise Violation(f"tournament {record.id}: round {fact.round} is paired twice")
        if isinstance(fact, MatchOpened):
            planned = tournament.planned[fact.round, fact.table, fact.number]
            if planned.match is not None or fact.match in tournament.slots:
                raise Violation(f"tournament {record.id}: two matches are opened for {planned.slot}")
        if isinstance(fact, ResultRecorded):
            planned = tournament.planned[tournament.slots[fact.match]]
            if planned.finish is not None or planned.match != fact.match:
                raise Violation(f"tournament {record.id}: the result of {fact.match} is counted twice")

    def sent(self, call: Call) -> None:
        """Note a command that a client is about to send for the first time."""
        self._sent.add((call.by, str(call.key)))

    def acknowledged(self, call: Call, answer: TournamentAnswer) -> None:
        """Check an acknowledged command: it must be stored once, and all its answers must be equal."""
        self.checks += 1
        details, key = answer.details, (call.by, str(call.key))
        record = self.records.get(details.id)
        if record is None or record.firsts.get(key) != answer.first:
            raise Violation(f"tournament {details.id}: {call.key} is acknowledged, but not stored")
        shown = (answer.first, details.version, details.head)
        if (
            record.heads.get(details.version) != details.head
            or self._answered.setdefault(key, shown) != shown
        ):
            raise Violation(f"tournament {details.id}: the answer to {call.key} is not as stored")

    def refused(self, call: Call, why: str) -> None:
        """Check a refused command: it must not have been acknowledged before."""
        if (call.by, str(call.key)) in self._answered:
            raise Violation(f"{call.key} was acknowledged, and then refused: {why}")

    def check_progress(self, referee: Referee, now: float, behind_s: float) -> None:
        """Check in a calm that nothing is overdue: matches to open, results to record, matches to end."""
        for record in self.records.values():
            if record.tournament.over and record.changed_at < now - behind_s:
                left = [
                    match for match in record.tournament.slots if not referee.records[match].match.revealed
                ]
                if left:
                    raise Violation(f"tournament {record.id} is over, but nobody ended its matches {left}")
            running = record.tournament.status == "running"
            for planned in record.tournament.unfinished if running else ():
                if planned.match is None:
                    if record.paired_at < now - behind_s and not planned.attempts:
                        raise Violation(f"tournament {record.id}: nobody opened the match of {planned.slot}")
                    continue
                match = referee.records[planned.match]
                ended = match.match.outcome is not None and max(match.stored_at.values()) < now - behind_s
                if ended:
                    raise Violation(
                        f"tournament {record.id}: the result of {planned.match} was never counted"
                    )


def check_seeks(connection: sqlite3.Connection, referee: Referee) -> None:
    """Check that each seek has one offer at a time, and that each match has the players of its seeks."""
    tables: dict[str, list[str]] = {}
    turns: set[tuple[str, int]] = set()
    for seek, turn, player, match_id in connection.execute("SELECT * FROM simulated_offers"):
        if (seek, turn) in turns:
            raise Violation(f"seek {seek} had two offers at a time")
        turns.add((seek, turn))
        tables.setdefault(match_id, []).append(player)
    for match_id, players in tables.items():
        record = referee.records.get(match_id)
        if record is None:
            continue
        invited = [seat.player for seat in record.match.created.seats]
        if sorted(map(str, invited)) != sorted(players) or len(set(players)) != len(players):
            raise Violation(f"match {match_id} has the seats {invited}, but its seeks are of {players}")
    made = [r.id for r in referee.records.values() if r.entries and r.entries[0].key.startswith("seeks.")]
    if unexplained := [match_id for match_id in made if match_id not in tables]:
        raise Violation(f"matches {unexplained} were created without seeks")


def check_ratings(kontor: Kontor, connection: sqlite3.Connection, referee: Referee) -> int:
    """Check that every rated match counts once, and that ratings rebuilt from the facts are the same.

    Return the number of rated matches.
    """
    while kontor.rating_projection.count_new():
        pass
    before = _ratings(connection)
    rated = {
        one.id for one in referee.records.values() if one.match.over and rated_result(one.match) is not None
    }
    if rated != {row[0] for row in before[-1]}:
        raise Violation(f"{len(before[-1])} matches are rated, but {len(rated)} should be")
    kontor.rating_projection.rebuild()
    if _ratings(connection) != before:
        raise Violation("rebuilt ratings differ")
    return len(rated)


def _ratings(connection: sqlite3.Connection) -> list[Sequence[Any]]:
    return [sorted(connection.execute(f"SELECT * FROM {table}").fetchall()) for table in _RATING_TABLES]  # noqa: S608
