"""Audits of everything: each match played again from its record, and statistics over all that chance gave.

`kontor audit --all` reads the whole database anew. The leading process also keeps up by itself: every match that ends is audited once,
and what it drew is added to the counts from which the public fairness page is made.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from domain.audit import Auditor, BrokenRecordError, Draw
from domain.codec import Plain
from service.database import Database, Statement
from service.log import Logs, MatchLog
from service.statistics import ChiSquare, uniformity

AUDIT_TABLES = (
    "CREATE TABLE IF NOT EXISTS audited (match_id TEXT PRIMARY KEY, game TEXT NOT NULL, facts BIGINT NOT NULL, problem TEXT)",
    """CREATE TABLE IF NOT EXISTS drawn (
        game TEXT NOT NULL, stream TEXT NOT NULL, bound BIGINT NOT NULL, outcome BIGINT NOT NULL, times BIGINT NOT NULL,
        PRIMARY KEY (game, stream, bound, outcome))""",
)
_AT_ONCE = 20
"""Matches audited before the service's own work gets a breath."""

DrawCounts = Counter[tuple[str, int, int]]
"""How often each (stream, bound, value) came out."""


@dataclass(frozen=True, slots=True)
class MatchAudit:
    """What the audit of one match found."""

    match: str
    game: str
    status: str
    facts: int
    problem: str | None
    counts: DrawCounts


@dataclass(slots=True)
class AuditReport:
    """What the audit of many matches found."""

    matches: int = 0
    facts: int = 0
    values: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    counts: dict[str, DrawCounts] = field(default_factory=dict)

    def add(self, audit: MatchAudit) -> None:
        """Takes one match in."""
        self.matches += 1
        self.facts += audit.facts
        self.values += audit.counts.total()
        if audit.problem:
            self.problems.append((audit.match, audit.problem))
        self.counts.setdefault(audit.game, Counter()).update(audit.counts)

    def plain(self) -> Plain:
        """As it is published."""
        return {
            "matches": self.matches,
            "verified": self.matches - len(self.problems),
            "facts": self.facts,
            "random_values": self.values,
            "anomalies": [{"match": match, "problem": problem} for match, problem in self.problems],
            "chance": [
                {
                    "game": game,
                    "stream": stream,
                    "values": values,
                    "chi_square": round(test.statistic, 3),
                    "degrees_of_freedom": test.freedom,
                    "p_value": round(test.p_value, 6),
                }
                for game, stream, values, test in self.tests()
            ],
        }

    def tests(self) -> Iterator[tuple[str, str, int, ChiSquare]]:
        """For each game and stream: how many values, and whether they look uniform."""
        for game, counts in sorted(self.counts.items()):
            for stream in sorted({stream for stream, _, _ in counts}):
                own = {(bound, value): n for (of, bound, value), n in counts.items() if of == stream}
                yield game, stream, sum(own.values()), uniformity(own)


def audit_match(log: MatchLog) -> MatchAudit:
    """Plays a match again from its record and compares everything, the stored heads too."""
    auditor, counts, problem = Auditor(str(log.id)), DrawCounts(), None
    try:
        for entry, head in zip(log.entries, log.heads, strict=True):
            hashes, draws = auditor.take(entry)
            if hashes[-1] != head:
                raise BrokenRecordError(entry.last, "the stored hash is not that of the record")
            counts.update(_values(draws))
    except BrokenRecordError as broken:
        problem = str(broken)
    created = log.match.created
    # What a running match has drawn is nobody's to know yet, not even in sums.
    told = counts if log.match.over else DrawCounts()
    return MatchAudit(str(log.id), created.game, log.match.status, log.match.version, problem, told)


def _values(draws: Iterable[Draw]) -> Iterator[tuple[str, int, int]]:
    for draw in draws:
        for bound, value in draw.values:
            yield draw.stream, bound, value


class Audits:
    """Audits matches of this database."""

    def __init__(self, logs: Logs, database: Database) -> None:
        """Takes everything it works with as arguments."""
        self._logs = logs
        self._database = database

    def match_ids(self) -> list[UUID]:
        """Every match, the oldest first."""
        return [UUID(row["id"]) for row in self._database.read("SELECT id FROM matches ORDER BY created_at, id")]

    def audit(self, match_ids: Iterable[UUID], done: Callable[[MatchAudit], None] = lambda _: None) -> AuditReport:
        """Audits matches one after the other."""
        report = AuditReport()
        for match_id in match_ids:
            audit = audit_match(self._logs.fresh(match_id))
            report.add(audit)
            done(audit)
        return report

    def keep_up(self) -> int:
        """Audits matches that ended since the last time; answers how many."""
        rows = self._database.read(
            "SELECT m.id FROM matches m WHERE m.status IN ('finished', 'aborted')"
            " AND NOT EXISTS (SELECT 1 FROM audited a WHERE a.match_id = m.id) ORDER BY m.changed_at, m.id LIMIT ?",
            [_AT_ONCE],
        )
        for row in rows:
            self._note(audit_match(self._logs.fresh(UUID(row["id"]))))
        return len(rows)

    def _note(self, audit: MatchAudit) -> None:
        statements: list[Statement] = [
            ("INSERT INTO audited VALUES (?, ?, ?, ?)", [audit.match, audit.game, audit.facts, audit.problem]),
        ]
        statements += [
            (
                "INSERT INTO drawn VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (game, stream, bound, outcome) DO UPDATE SET times = drawn.times + excluded.times",
                [audit.game, stream, bound, value, count],
            )
            for (stream, bound, value), count in sorted(audit.counts.items())
        ]
        try:
            self._database.write(*statements)
        except IntegrityError:
            return  # another process has noted it already

    def fairness(self) -> AuditReport:
        """What all audits so far have found: the public fairness page."""
        report = AuditReport()
        for row in self._database.read("SELECT * FROM audited"):
            report.matches += 1
            report.facts += row["facts"]
            if row["problem"]:
                report.problems.append((row["match_id"], row["problem"]))
        for row in self._database.read("SELECT * FROM drawn"):
            counts = report.counts.setdefault(row["game"], Counter())
            counts[row["stream"], row["bound"], row["outcome"]] = row["times"]
            report.values += row["times"]
        return report
