"""Audits: matches are replayed from their stored records, and their random values are counted.

`kontor audit --all` audits the whole database. The leading process audits every match once after it has
ended, and adds its random values to the counts that the public fairness page shows.
"""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.anomalies import Anomaly, anomaly, read_anomaly
from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import canonical
from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.domain.match import Match
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.stream import HOUSE
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.stored_record import replay_record
from kontor_games.service.trust.audit_report import AuditedMatch, AuditReport, DrawCounts
from kontor_games.service.trust.log_store import LogStore

_ADD_DRAWN = (
    "INSERT INTO draw_counts VALUES (?, ?, ?, ?, ?) ON CONFLICT (game, stream, bound, outcome)"
    " DO UPDATE SET times = draw_counts.times + excluded.times"
)
_BATCH = 20
"""Matches audited in one go, so that the audits leave time for requests."""
_LISTED = 100
"""Matches that the public report lists one by one."""
PRIVATE_PROBLEM = anomaly("private")
"""Shown on the public page instead of the details."""


@dataclass(frozen=True, slots=True)
class AuditTarget:
    """A match to audit: from the list of matches, or found only among stored events or checkpoints."""

    id: UUID
    game: str = ""
    """Empty if the match is missing from the list of matches."""
    leaves: tuple[tuple[int, str], ...] = ()
    """The versions and heads of the match in checkpoints."""


@dataclass(frozen=True, slots=True)
class MatchAudit:
    """The result of the audit of one match."""

    match: str
    game: str
    facts: int
    problem: Anomaly | str | None
    counts: DrawCounts
    deal: str | None
    """Identifies the seed, if other matches may have the same; all matches of a block do."""
    secret: bool
    """Whether the match is over, but its deal is still secret, so that its draws can't be counted yet."""
    returned_ms: int = 0
    """The time of outages that its clocks were given back."""


def audit_match(store: EventStore, target: AuditTarget, *, recompute_bots: bool = False) -> MatchAudit:
    """Replay a match from its record and compare everything, including the stored and signed heads.

    Letting house bots choose their moves again takes longer than all the rest, so it is done on request.
    """
    auditor = MatchAuditor(str(target.id), is_signed, recompute_bots=recompute_bots)
    counts, hashes, problem = DrawCounts(), list[str](), None
    try:
        for linked, draws in replay_record(store, target.id, auditor):
            hashes += linked
            if draws:
                counts.update((draw.stream, *drawn) for draw in draws for drawn in draw.values)
        _compare(target, hashes)
    except BrokenRecordError as broken:
        problem = broken.problem
        if broken.version:
            problem = anomaly("at_version", version=broken.version, problem=problem)
    match = auditor.match
    # The draws of a running match are secret, even in sums; and with an open seed they are not random.
    public = match.revealed and match.created.open_seed is None
    return MatchAudit(
        str(target.id),
        match.created.game if match.version else target.game,
        len(hashes),
        problem,
        counts if public else DrawCounts(),
        _deal_of(match) if public else None,
        secret=problem is None and match.over and not match.revealed,
        returned_ms=match.returned_ms,
    )


def _deal_of(match: Match) -> str | None:
    """The hash of the seed of a match that may share it; only the service creates such matches."""
    shared = match.begun and match.created.creator == HOUSE
    return sha256(match.seed()).hexdigest() if shared else None


def _compare(target: AuditTarget, hashes: list[str]) -> None:
    if not hashes:
        raise BrokenRecordError(0, anomaly("no_record"))
    if not target.game:
        raise BrokenRecordError(0, anomaly("unlisted"))
    for version, head in target.leaves:
        if version > len(hashes):
            raise BrokenRecordError(len(hashes), anomaly("facts_taken_away", held=version))
        if hashes[version - 1] != head:
            raise BrokenRecordError(version, anomaly("rewritten"))


def _written(problem: Anomaly | str | None) -> str | None:
    """Return a problem as it is stored: code and values as JSON."""
    return canonical(problem.plain()).decode() if isinstance(problem, Anomaly) else problem


def _read(stored: str) -> Anomaly | str:
    """Return a stored problem; older services stored an English sentence, which is shown as it is."""
    try:
        return read_anomaly(json.loads(stored))
    except (LookupError, TypeError, ValueError):
        return stored


class Audits:
    """Audits the matches of a database."""

    def __init__(self, store: EventStore, database: Database) -> None:
        """Reads the store only, and not the cache of matches."""
        self._store = store
        self._database = database
        self._secret: dict[UUID, int] = {}
        """The matches that wait for an audit until their deals are revealed, and their newest versions."""

    def all_matches(self) -> list[AuditTarget]:
        """Return all matches that are listed, stored or in a checkpoint, the oldest first."""
        listed = self._database.read("SELECT id, game FROM matches ORDER BY created_at, id")
        games = {row["id"]: row["game"] for row in listed}
        events = self._database.read(
            "SELECT DISTINCT originator_id AS id FROM kontor_events WHERE substr(topic, 1, 6) = 'match.'"
        )
        stored = [str(UUID(str(row["id"]))) for row in events]
        leaves: dict[str, list[tuple[int, str]]] = {}
        for leaf in LogStore(self._database).leaves():
            if isinstance(leaf, MatchLeaf):
                leaves.setdefault(leaf.match, []).append((leaf.version, leaf.head))
        ids = dict.fromkeys([*games, *sorted(stored), *leaves])
        return [AuditTarget(UUID(id_), games.get(id_, ""), tuple(leaves.get(id_, ()))) for id_ in ids]

    def audit_ended(self) -> int:
        """Audit a batch of finished matches that were not audited yet; return their number.

        A match of a block is audited when the block is over: before that, its draws are secret.
        """
        newest = self._store.newest(list(self._secret), self._secret)
        self._secret = {match: at for match, at in self._secret.items() if newest.get(match) == at}
        rows = self._database.read(
            "SELECT m.id, m.game FROM matches m WHERE m.status IN ('finished', 'aborted')"
            " AND NOT EXISTS (SELECT 1 FROM match_audits a WHERE a.match_id = m.id)"
            " ORDER BY m.changed_at, m.id LIMIT ?",
            [_BATCH + len(self._secret)],
        )
        due = [AuditTarget(UUID(row["id"]), row["game"]) for row in rows]
        due = [target for target in due if target.id not in self._secret][:_BATCH]
        newest = self._store.newest([target.id for target in due])
        for target in due:
            found = audit_match(self._store, target)
            if found.secret:
                self._secret[target.id] = newest[target.id]
            else:
                self._store_result(found)
        return len(due)

    def _store_result(self, audit: MatchAudit) -> None:
        """Store a result; of several matches with the same deal, only the draws of the first are counted."""
        counted, deal_of = list[Statement](), None
        if audit.deal is not None:
            find = "SELECT match_id FROM counted_deals WHERE deal = ?"
            deal_of = next((row["match_id"] for row in self._database.read(find, [audit.deal])), None)
            counted.append(("INSERT INTO counted_deals VALUES (?, ?)", [audit.deal, audit.match]))
        counted += [
            (_ADD_DRAWN, [audit.game, *drawn, count]) for drawn, count in sorted(audit.counts.items())
        ]
        result = [audit.match, audit.game, audit.facts, _written(audit.problem), deal_of]
        with suppress(IntegrityError):  # another process has stored it already, or the same deal
            self._database.write(
                ("INSERT INTO match_audits VALUES (?, ?, ?, ?, ?)", result),
                *(counted if deal_of is None else ()),
            )

    def fairness(self) -> AuditReport:
        """Return the public report on all audits so far, without details of private matches."""
        report = AuditReport()
        totals = (
            "SELECT game, COUNT(*) AS matches, SUM(facts) AS facts, COUNT(deal_of) AS repeated"
            " FROM match_audits GROUP BY game ORDER BY game"
        )
        for row in self._database.read(totals):
            report.games[row["game"]] = row["matches"]
            report.facts += int(row["facts"])
            report.repeated_deals += row["repeated"]
        broken = (
            "SELECT a.match_id, a.problem, m.private FROM match_audits a"
            " LEFT JOIN matches m ON m.id = a.match_id"
            " WHERE a.problem IS NOT NULL ORDER BY a.match_id"
        )
        for row in self._database.read(broken):
            public = row["private"] == 0
            report.broken += 1
            found = (row["match_id"], _read(row["problem"])) if public else (None, PRIVATE_PROBLEM)
            report.problems.append(found)
        report.listed.extend(self._newest_public())
        for row in self._database.read("SELECT * FROM draw_counts"):
            counts: DrawCounts = report.counts.setdefault(row["game"], Counter())
            counts[row["stream"], row["bound"], row["outcome"]] = row["times"]
        return report

    def _newest_public(self) -> list[AuditedMatch]:
        """Return the audited matches that ended last and that everyone may see, the oldest of them first."""
        rows = self._database.read(
            "SELECT a.match_id, a.game, a.facts, a.problem FROM match_audits a"
            " JOIN matches m ON m.id = a.match_id"
            " WHERE m.private = 0 ORDER BY m.changed_at DESC, m.id LIMIT ?",
            [_LISTED],
        )
        return [
            AuditedMatch(row["match_id"], row["game"], int(row["facts"]), sound=row["problem"] is None)
            for row in reversed(rows)
        ]
