"""Fail-over drill: the primary of PostgreSQL is killed during play, and its synchronous replica takes over.

Afterwards every acknowledged move must be stored exactly once.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.chaos.faults import Damage, Records, Report, read_records, report_of
from tests.chaos.players import Journal, Table
from tests.support.coroutines import run_coroutine
from tests.support.replication import Pair
from tests.support.serving import Served, served

if TYPE_CHECKING:
    from aiohttp import ClientSession

_MOVES_BETWEEN_FAULTS = 60
"""How many moves are acknowledged before the primary is killed, and after it."""
_TIMEOUT_S = 300.0


@dataclass
class Watcher:
    """A spectator who reconnects when the stream of a match breaks off, with the last version seen."""

    match: str
    versions: list[int] = field(default_factory=list)
    streams: int = 0

    async def watch(self, port: int) -> None:
        """Watch until cancelled, or until the match is over."""
        import aiohttp  # slow to import

        async with aiohttp.ClientSession(headers={"Accept": "application/x-ndjson"}) as session:
            while True:
                with suppress(aiohttp.ClientError, OSError):
                    await self._read(session, f"http://127.0.0.1:{port}/v1/matches/{self.match}/events")
                await asyncio.sleep(0.1)

    async def _read(self, session: "ClientSession", url: str) -> None:
        after = self.versions[-1] if self.versions else 0
        async with session.get(url, params={"after": after}) as answer:
            if answer.status != 200:
                return
            self.streams += 1
            async for line in answer.content:
                if line.strip():
                    self.versions.append(msgspec.json.decode(line)["version"])

    @property
    def has_gap(self) -> bool:
        """Whether a version is missing or was sent twice."""
        return self.versions != list(range(1, len(self.versions) + 1))


@dataclass
class FailOverResults:
    """The results of the drill."""

    report: Report
    fail_overs: int
    longest_pause_s: float
    """The longest time from the promotion of a replica to the next acknowledged move."""
    continued_streams: int
    """How many streams continued past the version at which the primary was killed."""
    streams_with_gaps: list[str]
    """Matches with a stream in which a version was missing or came twice."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost, stored twice or broken, and all streams were complete."""
        return self.report.good and not self.streams_with_gaps and self.continued_streams > 0


class FailOverRunner:
    """Kills primaries while tables play and spectators watch."""

    def __init__(self, server: Served, pair: Pair, journal: Journal) -> None:
        self._server = server
        self._pair = pair
        self._journal = journal
        self.watchers: list[Watcher] = []
        self.pauses_s: list[float] = []
        self.continued = 0
        self.over = False

    async def run(self, fail_overs: int) -> None:
        """Carry out this many fail-overs, with moves before and after each."""
        try:
            for number in range(fail_overs):
                if number:
                    await asyncio.to_thread(self._pair.replicate)
                await self._more_moves(_MOVES_BETWEEN_FAULTS)
                await self._fail_over()
        finally:
            self.over = True

    async def fail_over_to_stale_replica(self) -> None:
        """Carry out one fail-over to a replica that has not received the last moves."""
        try:
            await self._more_moves(_MOVES_BETWEEN_FAULTS)
            await asyncio.to_thread(self._pair.cut)
            await self._more_moves(_MOVES_BETWEEN_FAULTS)
            await asyncio.to_thread(self._pair.fail_over)
        finally:
            self.over = True

    async def _fail_over(self) -> None:
        running = {move.id: move.version for move in self._journal.moves[-20:]}
        watchers = [Watcher(match) for match in running]
        tasks = [asyncio.create_task(watcher.watch(self._server.port)) for watcher in watchers]
        await self._until(lambda: all(watcher.versions for watcher in watchers))
        await asyncio.to_thread(self._pair.fail_over)
        promoted, before = time.monotonic(), dict(running)
        await self._more_moves(1)
        self.pauses_s.append(time.monotonic() - promoted)
        await self._more_moves(_MOVES_BETWEEN_FAULTS)
        last = {move.id: move.version for move in self._journal.moves}
        continuing = [one for one in watchers if last[one.match] > before[one.match]]
        await self._until(lambda: all(one.versions[-1] >= last[one.match] for one in continuing))
        self.continued += len(continuing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.watchers += watchers

    async def _more_moves(self, count: int) -> None:
        enough = len(self._journal.moves) + count
        await self._until(lambda: len(self._journal.moves) >= enough or bool(self._journal.unexpected))

    async def _until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(_TIMEOUT_S):
            while not happened():
                await asyncio.sleep(0.01)


async def _play(server: Served, pair: Pair, tables: int, fail_overs: int) -> tuple[Journal, FailOverRunner]:
    journal = Journal()
    runner = FailOverRunner(server, pair, journal)
    playing = [
        Table(server.port, number, journal).play_until(lambda: runner.over) for number in range(tables)
    ]
    await asyncio.gather(runner.run(fail_overs), *playing)
    return journal, runner


def run_drill(tables: int, fail_overs: int) -> FailOverResults:
    """Play at this many tables while primaries are killed one after the other, then check the last one."""
    began = time.monotonic()
    with Pair.temporary() as pair:
        url = pair.fresh_database()
        with served(url) as server:
            journal, runner = run_coroutine(_play(server, pair, tables, fail_overs))
        records = _records(url, journal)
    damage = Damage(databases_crashed=fail_overs)
    return FailOverResults(
        report_of(time.monotonic() - began, journal, damage, records),
        fail_overs,
        max(runner.pauses_s),
        runner.continued,
        [watcher.match for watcher in runner.watchers if watcher.has_gap],
    )


def _records(url: str, journal: Journal) -> Records:
    kontor = Kontor(Settings(database_url=url))
    try:
        return read_records(kontor, journal)
    finally:
        kontor.close()


async def _play_with_stale_replica(server: Served, pair: Pair, tables: int) -> Journal:
    journal = Journal()
    runner = FailOverRunner(server, pair, journal)
    playing = [
        Table(server.port, number, journal).play_until(lambda: runner.over) for number in range(tables)
    ]
    await asyncio.gather(runner.fail_over_to_stale_replica(), *playing)
    return journal


def run_drill_without_synchronous_commit(tables: int) -> Report:
    """A planted fault: the replica is asynchronous and lags behind. The check must find lost moves."""
    began = time.monotonic()
    with Pair.temporary(synchronous=False) as pair:
        url = pair.fresh_database()
        with served(url) as server:
            journal = run_coroutine(_play_with_stale_replica(server, pair, tables))
        records = _records(url, journal)
    return report_of(time.monotonic() - began, journal, Damage(databases_crashed=1), records)
