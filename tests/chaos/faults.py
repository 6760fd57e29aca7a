"""Kills API processes and databases during play, and compares acknowledgements with the database."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from random import Random
from uuid import UUID

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch
from tests.chaos.players import Acknowledged, BatchTable, Journal, Table
from tests.support.coroutines import run_coroutine
from tests.support.postgres import Cluster
from tests.support.serving import Served, served


@dataclass
class Report:
    """The results of a chaos run."""

    seconds: float
    acknowledged: int
    lost: int
    """Acknowledged moves that are not stored, or not as acknowledged."""
    duplicated: int
    """Commands that are stored more than once with the same key."""
    broken: list[str]
    """Matches whose record fails the audit: a gap, a fork, a wrong hash, an illegal move."""
    matches: int
    facts: int
    workers_killed: int
    databases_crashed: int
    unavailable: int
    """The number of 503 answers."""
    unexpected: list[str]
    """Answers other than success and 503."""
    lost_connections: int
    longest_wait_s: float
    batched: int = 0
    """How many of the acknowledged moves were sent in batches."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost, duplicated or broken, and every answer was as expected."""
        return not (self.lost or self.duplicated or self.broken or self.unexpected) and self.acknowledged > 0


@dataclass
class Damage:
    """How many processes and databases were killed."""

    workers_killed: int = 0
    databases_crashed: int = 0


_MOVES_BETWEEN_FAULTS = 40
"""A number of moves, not a time, so that a slow machine has as many moves between faults as a fast one."""
_EXTRA_TIME_S = 300.0
"""How much longer than requested a run may take on a slow machine."""


class FaultInjector:
    """Kills an API process, then the database server, again and again."""

    def __init__(self, server: Served, cluster: Cluster, journal: Journal, seed: int) -> None:
        self._server = server
        self._cluster = cluster
        self._journal = journal
        self._random = Random(seed)
        self.damage = Damage()
        self.over = False

    async def inject_until(self, end: float) -> None:
        """Kill processes and databases in turn, with moves in between, until the monotonic time `end`.

        It goes on beyond `end` until each kind of fault has occurred and a batch has been acknowledged.
        """
        while not self.over:
            for fault in (self._kill_worker, self._crash_database):
                await self._wait_for_moves(end)
                if not self.over:
                    await asyncio.to_thread(fault)

    async def _wait_for_moves(self, end: float) -> None:
        enough = len(self._journal.moves) + _MOVES_BETWEEN_FAULTS
        while len(self._journal.moves) < enough and not self.over:
            await asyncio.sleep(0.02)
            done = self.damage.workers_killed and self.damage.databases_crashed and self._journal.batched
            self.over = bool(self._journal.unexpected) or (bool(done) and time.monotonic() > end)
        await asyncio.sleep(self._random.uniform(0.0, 0.5))

    def _kill_worker(self) -> None:
        self._server.kill_worker(self._random.randrange(8))
        self.damage.workers_killed += 1

    def _crash_database(self) -> None:
        self._cluster.crash()
        self.damage.databases_crashed += 1
        time.sleep(self._random.uniform(0.0, 1.0))
        self._cluster.start()


async def _play_with_faults(
    server: Served, cluster: Cluster, seconds: float, tables: int, seed: int
) -> tuple[Journal, Damage]:
    journal, end = Journal(), time.monotonic() + seconds
    injector = FaultInjector(server, cluster, journal, seed)
    playing_tables = [
        (Table if number % 4 else BatchTable)(server.port, number, journal) for number in range(tables)
    ]
    playing = [table.play_until(lambda: injector.over) for table in playing_tables]
    async with asyncio.timeout(seconds + _EXTRA_TIME_S):
        await asyncio.gather(injector.inject_until(end), *playing)
    return journal, injector.damage


def run(seconds: float, tables: int, seed: int) -> Report:
    """Play at this many tables while processes and databases are killed, then check the database."""
    began = time.monotonic()
    with Cluster.temporary(durable=True) as cluster:
        url = cluster.fresh_database()
        with served(url) as server:
            journal, damage = run_coroutine(_play_with_faults(server, cluster, seconds, tables, seed))
        kontor = Kontor(Settings(database_url=url))
        records = read_records(kontor, journal)
        kontor.close()
    return report_of(time.monotonic() - began, journal, damage, records)


@dataclass
class Records:
    """The stored records of all matches in which a move was acknowledged."""

    logs: list[CachedMatch]
    unreadable: list[str]
    """Matches that are missing or damaged."""


def read_records(kontor: Kontor, journal: Journal) -> Records:
    """Read the stored records of all matches in a journal."""
    found = Records([], [])
    for match_id in sorted({move.id for move in journal.moves}):
        try:
            found.logs.append(kontor.cache.get_fresh(UUID(match_id)))
        except (NotFoundError, RecordDamagedError) as error:
            found.unreadable.append(f"{match_id}: {error.code}")
    return found


def report_of(seconds: float, journal: Journal, damage: Damage, records: Records) -> Report:
    """Compare what clients saw with what is stored."""
    logs = records.logs
    stored = {log.name: log for log in logs}
    return Report(
        seconds=seconds,
        acknowledged=len(journal.moves),
        lost=sum(move.id not in stored or not is_stored(move, stored[move.id]) for move in journal.moves),
        duplicated=sum(map(count_duplicates, logs)),
        broken=[*records.unreadable, *(fault for log in logs if (fault := find_fault(log)))],
        matches=len(logs),
        facts=sum(log.state.version for log in logs),
        workers_killed=damage.workers_killed,
        databases_crashed=damage.databases_crashed,
        unavailable=journal.statuses[503],
        unexpected=journal.unexpected,
        lost_connections=journal.lost_connections,
        longest_wait_s=journal.longest_wait_s,
        batched=journal.batched,
    )


def is_stored(move: Acknowledged, log: CachedMatch) -> bool:
    """Whether an acknowledged move is stored with its key, versions and head."""
    acknowledged = (move.key, move.first, move.version, move.receipt.head)
    return any(
        (entry.key, entry.first, entry.last, head) == acknowledged
        for entry, head in zip(log.entries, log.heads, strict=True)
    )


def count_duplicates(log: CachedMatch) -> int:
    """How many surplus copies of commands are stored."""
    return sum(count - 1 for count in Counter((entry.by, entry.key) for entry in log.entries).values())


def find_fault(log: CachedMatch) -> str:
    """Audit a match; return the first fault, or an empty text."""
    auditor = MatchAuditor(log.name, is_signed)
    try:
        for entry, head in zip(log.entries, log.heads, strict=True):
            auditor.take(entry)
            if auditor.head != head:
                return f"{log.name}: wrong hash at version {entry.last}"
    except BrokenRecordError as error:
        return f"{log.name}: {error}"
    return ""
