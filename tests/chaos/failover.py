"""The primary of PostgreSQL dies in the middle of play, and its synchronous replica takes over.

What was acknowledged is there, once.
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
from tests.chaos.players import Journal, Table
from tests.chaos.storm import Damage, Records, Report, read_records, report_of
from tests.support.coroutines import run_coroutine
from tests.support.replication import Pair
from tests.support.serving import Served, served

if TYPE_CHECKING:
    from aiohttp import ClientSession

_CALM = 60
"""So many moves are acknowledged before the primary dies, and after it."""
_PATIENCE_S = 300.0


@dataclass
class Watcher:
    """Somebody who watches a match and comes back when the stream ends, with the last version seen."""

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
        """Whether a version is missing or came twice."""
        return self.versions != list(range(1, len(self.versions) + 1))


@dataclass
class Drill:
    """What happened in the drill."""

    report: Report
    fail_overs: int
    longest_pause_s: float
    """The longest time from the death of a primary to the next acknowledged move."""
    watched: int
    """Streams that went on behind the version at which the primary died."""
    torn: list[str]
    """Matches whose streams had a gap or a repetition."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled, broken or torn."""
        return self.report.good and not self.torn and self.watched > 0


class Director:
    """Lets primaries die while tables play and watchers watch."""

    def __init__(self, server: Served, pair: Pair, journal: Journal) -> None:
        self._server = server
        self._pair = pair
        self._journal = journal
        self.watchers: list[Watcher] = []
        self.pauses_s: list[float] = []
        self.continued = 0
        self.over = False

    async def direct(self, fail_overs: int) -> None:
        """So many fail-overs, each with play before and after it."""
        try:
            for number in range(fail_overs):
                if number:
                    await asyncio.to_thread(self._pair.replicate)
                await self._more_moves(_CALM)
                await self._fail_over()
        finally:
            self.over = True

    async def lose(self) -> None:
        """One fail-over to a replica that has heard nothing of the last moves."""
        try:
            await self._more_moves(_CALM)
            await asyncio.to_thread(self._pair.cut)
            await self._more_moves(_CALM)
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
        await self._more_moves(_CALM)
        last = {move.id: move.version for move in self._journal.moves}
        behind = [one for one in watchers if last[one.match] > before[one.match]]
        await self._until(lambda: all(one.versions[-1] >= last[one.match] for one in behind))
        self.continued += len(behind)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.watchers += watchers

    async def _more_moves(self, count: int) -> None:
        enough = len(self._journal.moves) + count
        await self._until(lambda: len(self._journal.moves) >= enough or bool(self._journal.odd))

    async def _until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while not happened():
                await asyncio.sleep(0.01)


async def _play(server: Served, pair: Pair, tables: int, fail_overs: int) -> tuple[Journal, Director]:
    journal = Journal()
    director = Director(server, pair, journal)
    playing = [
        Table(server.port, number, journal).play_until(lambda: director.over) for number in range(tables)
    ]
    await asyncio.gather(director.direct(fail_overs), *playing)
    return journal, director


def drill(tables: int, fail_overs: int) -> Drill:
    """Play at so many tables while one primary after the other dies, then look at what the last one has."""
    began = time.monotonic()
    with Pair.temporary() as pair:
        url = pair.fresh_database()
        with served(url) as server:
            journal, director = run_coroutine(_play(server, pair, tables, fail_overs))
        records = _records(url, journal)
    damage = Damage(databases_crashed=fail_overs)
    return Drill(
        report_of(time.monotonic() - began, journal, damage, records),
        fail_overs,
        max(director.pauses_s),
        director.continued,
        [watcher.match for watcher in director.watchers if watcher.has_gap],
    )


def _records(url: str, journal: Journal) -> Records:
    kontor = Kontor(Settings(database_url=url))
    try:
        return read_records(kontor, journal)
    finally:
        kontor.close()


async def _play_and_lose(server: Served, pair: Pair, tables: int) -> Journal:
    journal = Journal()
    director = Director(server, pair, journal)
    playing = [
        Table(server.port, number, journal).play_until(lambda: director.over) for number in range(tables)
    ]
    await asyncio.gather(director.lose(), *playing)
    return journal


def drill_without_synchronous_commit(tables: int) -> Report:
    """A planted fault: the replica that takes over is asynchronous and behind. Lost moves must be found."""
    began = time.monotonic()
    with Pair.temporary(synchronous=False) as pair:
        url = pair.fresh_database()
        with served(url) as server:
            journal = run_coroutine(_play_and_lose(server, pair, tables))
        records = _records(url, journal)
    return report_of(time.monotonic() - began, journal, Damage(databases_crashed=1), records)
