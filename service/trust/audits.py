"""Audits of everything: each match played again from its stored record, and statistics over all that chance gave.

`kontor audit --all` reads the whole database anew. The leading process also keeps up by itself: every match that ends is audited once,
and what it drew is added to the counts from which the public fairness page is made.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.audit import Auditor, BrokenRecordError, Draw
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.stored_record import read_record
from kontor_games.service.trust.audit_report import AuditReport, DrawCounts

AUDIT_TABLES = (
    "CREATE TABLE IF NOT EXISTS audited (match_id TEXT PRIMARY KEY, game TEXT NOT NULL, facts BIGINT NOT NULL, problem TEXT)",
    """CREATE TABLE IF NOT EXISTS drawn (
        game TEXT NOT NULL, stream TEXT NOT NULL, bound BIGINT NOT NULL, outcome BIGINT NOT NULL, times BIGINT NOT NULL,
        PRIMARY KEY (game, stream, bound, outcome))""",
)
_AT_ONCE = 20
"""Matches audited before the service's own work gets a breath."""
PRIVATE_PROBLEM = "the record of a private match does not hold"
"""All that the public is told of it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A match that there should be: from the list of matches, or from what is stored or signed without being on it."""

    id: UUID
    game: str = ""
    leaves: tuple[tuple[int, str], ...] = ()
    """What checkpoints say of it: at which version it had which head."""


@dataclass(frozen=True, slots=True)
class MatchAudit:
    """What the audit of one match found."""

    match: str
    game: str
    facts: int
    problem: str | None
    counts: DrawCounts


def audit_match(store: EventStore, listed: Listed) -> MatchAudit:
    """Plays a match again from its record and compares everything: the stored heads too, and what checkpoints say of them."""
    auditor, counts, hashes, problem = Auditor(str(listed.id)), DrawCounts(), list[str](), None
    try:
        for entry, head in read_record(store, listed.id, lambda: auditor.match):
            linked, draws = auditor.take(entry)
            hashes += linked
            counts.update(_values(draws))
            if linked[-1] != head:
                raise BrokenRecordError(entry.last, "the stored hash is not that of the record")
        _compare(listed, hashes)
    except BrokenRecordError as broken:
        problem = str(broken) if broken.version else broken.detail
    match = auditor.match
    # What a running match has drawn is nobody's to know yet, not even in sums; and an open seed is no chance at all.
    told = counts if match.over and match.created.open_seed is None else DrawCounts()
    return MatchAudit(str(listed.id), match.created.game if match.version else listed.game, len(hashes), problem, told)


def _compare(listed: Listed, hashes: list[str]) -> None:
    if not hashes:
        raise BrokenRecordError(0, "there should be a record of this match, and there is none")
    if not listed.game:
        raise BrokenRecordError(0, "the match is not on the list of matches")
    for version, head in listed.leaves:
        if version > len(hashes):
            raise BrokenRecordError(len(hashes), f"the record ends here, but a checkpoint holds version {version}: facts were taken away")
        if hashes[version - 1] != head:
            raise BrokenRecordError(version, "a checkpoint holds another hash: the record was rewritten")


def _values(draws: Iterable[Draw]) -> Iterator[tuple[str, int, int]]:
    for draw in draws:
        for bound, value in draw.values:
            yield draw.stream, bound, value


class Audits:
    """Audits matches of this database."""

    def __init__(self, store: EventStore, database: Database) -> None:
        """Reads what is stored, and nothing that this process has in memory."""
        self._store = store
        self._database = database

    def everything(self) -> list[Listed]:
        """Every match that there is or should be, the oldest first, with what checkpoints say of it."""
        games = {row["id"]: row["game"] for row in self._database.read("SELECT id, game FROM matches ORDER BY created_at, id")}
        stored = [str(UUID(str(row["id"]))) for row in self._database.read("SELECT DISTINCT originator_id AS id FROM kontor_events")]
        leaves: dict[str, list[tuple[int, str]]] = {}
        for row in self._database.read("SELECT match_id, version, head FROM checkpoint_leaves ORDER BY place"):
            leaves.setdefault(row["match_id"], []).append((row["version"], row["head"]))
        ids = dict.fromkeys([*games, *sorted(stored), *leaves])
        return [Listed(UUID(one), games.get(one, ""), tuple(leaves.get(one, ()))) for one in ids]

    def audit(self, listed: Iterable[Listed], done: Callable[[MatchAudit], None] = lambda _: None) -> AuditReport:
        """Audits matches one after the other."""
        report = AuditReport()
        for one in listed:
            audit = audit_match(self._store, one)
            report.add(audit.match, audit.game, audit.facts, audit.problem, audit.counts)
            done(audit)
        return report

    def keep_up(self) -> int:
        """Audits matches that ended since the last time; answers how many."""
        rows = self._database.read(
            "SELECT m.id, m.game FROM matches m WHERE m.status IN ('finished', 'aborted')"
            " AND NOT EXISTS (SELECT 1 FROM audited a WHERE a.match_id = m.id) ORDER BY m.changed_at, m.id LIMIT ?",
            [_AT_ONCE],
        )
        for row in rows:
            self._note(audit_match(self._store, Listed(UUID(row["id"]), row["game"])))
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
        """What all audits so far have found: the public fairness page, on which private matches stay private."""
        report = AuditReport()
        for row in self._database.read("SELECT game, COUNT(*) AS matches, SUM(facts) AS facts FROM audited GROUP BY game ORDER BY game"):
            report.games[row["game"]] = row["matches"]
            report.facts += int(row["facts"])
        broken = (
            "SELECT a.match_id, a.problem, m.private FROM audited a LEFT JOIN matches m ON m.id = a.match_id"
            " WHERE a.problem IS NOT NULL ORDER BY a.match_id"
        )
        for row in self._database.read(broken):
            public = row["private"] == 0
            report.broken += 1
            report.problems.append((row["match_id"], row["problem"]) if public else (None, PRIVATE_PROBLEM))
        for row in self._database.read("SELECT * FROM drawn"):
            counts: DrawCounts = report.counts.setdefault(row["game"], Counter())
            counts[row["stream"], row["bound"], row["outcome"]] = row["times"]
        return report
