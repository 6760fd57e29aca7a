"""What breaks while people play, and what is found afterwards."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from random import Random
from uuid import UUID

from kontor_games.domain.audit import Auditor, BrokenRecordError
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import MatchDamagedError, NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch
from tests.chaos.players import Acknowledged, Fleet, Journal, Table
from tests.support.coroutines import run_coroutine
from tests.support.postgres import Cluster
from tests.support.serving import Served, served


@dataclass
class Report:
    """What was done, and what of it was found in the database."""

    seconds: float
    acknowledged: int
    lost: int
    """Acknowledged, but not there, or not as acknowledged."""
    doubled: int
    """There under one key more than once."""
    broken: list[str]
    """Matches whose record can't be true: a gap, a fork, a wrong hash, a move that was not allowed."""
    matches: int
    facts: int
    workers_killed: int
    databases_crashed: int
    unavailable: int
    """Answers 503."""
    odd: list[str]
    """Any other answer than success and 503."""
    lost_connections: int
    longest_wait_s: float
    batched: int = 0
    """Of the acknowledged moves, those in batches."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled or broken."""
        return not (self.lost or self.doubled or self.broken or self.odd) and self.acknowledged > 0


@dataclass
class Damage:
    """What was broken on purpose."""

    workers_killed: int = 0
    databases_crashed: int = 0


_CALM = 40
"""So many moves are made before the next thing breaks: on a slow machine the storm is slower too."""


_PATIENCE_S = 300.0
"""How much longer than asked for a storm may take on a slow machine."""


class Storm:
    """Kills a serving process, then the whole database, again and again."""

    def __init__(self, server: Served, cluster: Cluster, journal: Journal, seed: int) -> None:
        self._server = server
        self._cluster = cluster
        self._journal = journal
        self._random = Random(seed)
        self.damage = Damage()
        self.over = False

    async def rage_until(self, end: float) -> None:
        """Breaks things, with pauses in which play goes on, until the time is over.

        Each kind came at least once by then, and a batch was acknowledged.
        """
        while not self.over:
            for strike in (self._kill_worker, self._crash_database):
                await self._calm(end)
                if not self.over:
                    await asyncio.to_thread(strike)

    async def _calm(self, end: float) -> None:
        enough = len(self._journal.moves) + _CALM
        while len(self._journal.moves) < enough and not self.over:
            await asyncio.sleep(0.02)
            done = self.damage.workers_killed and self.damage.databases_crashed and self._journal.batched
            self.over = bool(self._journal.odd) or (bool(done) and time.monotonic() > end)
        await asyncio.sleep(self._random.uniform(0.0, 0.5))

    def _kill_worker(self) -> None:
        self._server.kill_worker(self._random.randrange(8))
        self.damage.workers_killed += 1

    def _crash_database(self) -> None:
        self._cluster.crash()
        self.damage.databases_crashed += 1
        time.sleep(self._random.uniform(0.0, 1.0))
        self._cluster.start()


async def _weather(
    server: Served, cluster: Cluster, seconds: float, tables: int, seed: int
) -> tuple[Journal, Damage]:
    journal, end = Journal(), time.monotonic() + seconds
    storm = Storm(server, cluster, journal, seed)
    lanes = [(Table if number % 4 else Fleet)(server.port, number, journal) for number in range(tables)]
    playing = [lane.play_until(lambda: storm.over) for lane in lanes]
    async with asyncio.timeout(seconds + _PATIENCE_S):
        await asyncio.gather(storm.rage_until(end), *playing)
    return journal, storm.damage


def run(seconds: float, tables: int, seed: int) -> Report:
    """Plays at so many tables while everything is being killed, then looks at what is left."""
    began = time.monotonic()
    with Cluster.temporary(durable=True) as cluster:
        url = cluster.fresh_database()
        with served(url) as server:
            journal, damage = run_coroutine(_weather(server, cluster, seconds, tables, seed))
        kontor = Kontor(Settings(database_url=url))
        records = read_records(kontor, journal)
        kontor.close()
    return report_of(time.monotonic() - began, journal, damage, records)


@dataclass
class Records:
    """What is stored of the matches in which clients have moved."""

    logs: list[CachedMatch]
    unreadable: list[str]
    """Matches that are not there, or whose rows can't be read one after the other."""


def read_records(kontor: Kontor, journal: Journal) -> Records:
    """The records of the matches in a journal, as they are stored."""
    found = Records([], [])
    for match_id in sorted({move.id for move in journal.moves}):
        try:
            found.logs.append(kontor.cache.get_fresh(UUID(match_id)))
        except (NotFoundError, MatchDamagedError) as error:
            found.unreadable.append(f"{match_id}: {error.code}")
    return found


def report_of(seconds: float, journal: Journal, damage: Damage, records: Records) -> Report:
    """What clients saw, compared with what is stored."""
    logs = records.logs
    stored = {log.name: log for log in logs}
    return Report(
        seconds=seconds,
        acknowledged=len(journal.moves),
        lost=sum(move.id not in stored or not is_there(move, stored[move.id]) for move in journal.moves),
        doubled=sum(map(doubled, logs)),
        broken=[*records.unreadable, *(fault for log in logs if (fault := fault_in(log)))],
        matches=len(logs),
        facts=sum(log.match.version for log in logs),
        workers_killed=damage.workers_killed,
        databases_crashed=damage.databases_crashed,
        unavailable=journal.statuses[503],
        odd=journal.odd,
        lost_connections=journal.lost_connections,
        longest_wait_s=journal.longest_wait_s,
        batched=journal.batched,
    )


def is_there(move: Acknowledged, log: CachedMatch) -> bool:
    """Whether an acknowledged move is stored under its key, with the versions and the head that were told."""
    told = (move.key, move.first, move.version, move.receipt.head)
    return any(
        (entry.key, entry.first, entry.last, head) == told
        for entry, head in zip(log.entries, log.heads, strict=True)
    )


def doubled(log: CachedMatch) -> int:
    """How many commands are stored more than once."""
    return sum(count - 1 for count in Counter((entry.by, entry.key) for entry in log.entries).values())


def fault_in(log: CachedMatch) -> str:
    """What is wrong with a match's record; played again, every fact and hash must come out as stored."""
    auditor = Auditor(log.name, is_signed)
    try:
        for entry, head in zip(log.entries, log.heads, strict=True):
            auditor.take(entry)
            if auditor.head != head:
                return f"{log.name}: another hash at version {entry.last}"
    except BrokenRecordError as error:
        return f"{log.name}: {error}"
    return ""
