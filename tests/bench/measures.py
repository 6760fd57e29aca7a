"""What is measured of the service over HTTP, each as a few figures."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from uuid import uuid4

import psycopg

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.bench.lanes import Lane, Machine, Series, Slot, percentile
from tests.bench.many import Board, Table
from tests.bench.peer import moves_per_second
from tests.bench.scripts import Script, Stage, rehearse, rules_of
from tests.bench.streams import Crowd, Waiter
from tests.bench.wsgi import CEILING
from tests.support.http_connection import HttpConnection, request

LONG = 5000
"""Facts of the long match."""
EDGE = 20
"""Moves at its beginning and at its end that are compared."""
_FASTEST = 3000
"""Single moves a second for which enough matches are prepared."""
_FASTEST_TOGETHER = 9000
"""The same for moves of many matches in one request."""


@dataclass(frozen=True)
class Throughput:
    """Moves beside the ceiling, with so many matches at once."""

    game: str
    matches: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    ceiling_per_second: float
    of_ceiling: float
    """The median over pairs of neighbouring slots."""
    of_ceiling_cpu: float
    """The same of what an answer costs all processors together: on a busy machine the truer one."""
    served_cpu_ms: float
    stored_cpu_ms: float
    client_cpu_ms: float


@dataclass(frozen=True)
class Growth:
    """The first moves of a long match beside its last."""

    game: str
    facts: int
    first_ms: float
    last_ms: float
    growth: float


@dataclass(frozen=True)
class Storage:
    """What a move leaves behind."""

    game: str
    moves: int
    bytes_per_move: float
    wal_bytes_per_move: float


@dataclass(frozen=True)
class Waiting:
    """Moves of 16 matches while a crowd waits, beside the same without it."""

    clients: int
    let_in: int
    p99_alone_ms: float
    p99_ms: float
    times: float
    """The median over pairs of neighbouring slots."""
    wake_up_p50_ms: float
    wake_up_p99_ms: float


@dataclass(frozen=True)
class Final:
    """Everybody watches one match: from a move to the event of each watcher."""

    watchers: int
    let_in: int
    heard: int
    """Events that arrived, of five moves."""
    p50_ms: float
    p99_ms: float
    last_ms: float
    """Until the last of them had heard, the median over moves."""


@dataclass(frozen=True)
class Together:
    """Moves of many matches in one request, beside boardgame.io with its matches in memory."""

    game: str
    brief: bool
    """Whether the answers have neither view nor legal moves."""
    matches: int
    moves_per_second: float
    moves_per_request: float
    peer_per_second: float
    of_peer: float
    """The median over pairs of neighbouring slots."""
    served_cpu_ms: float
    stored_cpu_ms: float
    client_cpu_ms: float


class Bench:
    """One server, its players, and everything that is measured of it."""

    def __init__(self, machine: Machine, url: str, seconds: float, repeats: int) -> None:
        self.machine = machine
        self.url = url
        self.seconds = seconds
        self.repeats = repeats
        self.tokens: list[str] = []
        self._connection: HttpConnection | None = None

    async def connection(self) -> HttpConnection:
        """A connection for everything that is not measured."""
        if self._connection is None:
            self._connection = await HttpConnection.open(self.machine.server.port)
        return self._connection

    async def close(self) -> None:
        """Hangs up."""
        if self._connection is not None:
            await self._connection.close()

    async def stage(self, script: Script) -> Stage:
        """A match that is ready to be played."""
        connection = await self.connection()
        while len(self.tokens) < script.seats:
            self.tokens.append(
                (await connection.call("POST", "/v1/players", body={"name": f"Player {len(self.tokens)}"}))[
                    "token"
                ]
            )
        return await Stage.set_up(connection, script, self.tokens)

    async def fresh(self, game: Game, moves: int) -> Stage:
        """A match with its own seed, of at least so many moves if it lasts that long."""
        return await self.stage(rehearse(game, seats_of(game), f"bench {uuid4()}", most_facts=4 * moves))

    async def lanes(self, game: Game, count: int, moves_each: int) -> list[Lane]:
        """Lanes that play one match after the other, with at least so many moves."""
        return [lane_of(await self.stages(game, moves_each)) for _ in range(count)]

    async def stages(self, game: Game, moves: int) -> list[Stage]:
        """As many matches as it takes to have so many moves."""
        stages: list[Stage] = []
        while sum(len(stage.script.moves) for stage in stages) < moves:
            stages.append(await self.fresh(game, moves))
        return stages

    async def throughput(self, game: Game, at_once: int) -> Throughput:
        """Slots of moves and of the ceiling, in turn."""
        lanes = await self.lanes(
            game, at_once, int(_FASTEST * self.seconds * (self.repeats + 1) / at_once) + 50
        )
        constant = request("POST", CEILING, None, {"type": "constant"}, Idempotency_Key=str(uuid4()))
        others = [Lane(iter(lambda: constant, b"")) for _ in range(at_once)]
        await self.machine.slot(lanes, self.seconds / 2)  # every process reads the matches for the first time
        moves, ceiling = Series(), Series()
        for _ in range(self.repeats):
            moves.slots.append(await self.machine.slot(lanes, self.seconds))
            ceiling.slots.append(await self.machine.slot(others, self.seconds))
        for lane in (*lanes, *others):
            await lane.close()
        return _throughput(game, at_once, moves, ceiling)

    async def together(self, game: Game, at_once: int, peer: int, *, brief: bool) -> Together:
        """Slots of `POST /v1/moves` and of the peer, in turn; the peer's slots have the same length."""
        moves_each = int(_FASTEST_TOGETHER * self.seconds * (self.repeats + 1) / at_once) + 100
        boards = [Board(await self.stages(game, moves_each)) for _ in range(at_once)]
        table, machine = Table(boards, self.tokens[: seats_of(game)], brief), self.machine
        await table.play(machine.server.port, self.seconds / 2)
        slots, theirs, requests = list[Slot](), list[float](), table.requests
        for _ in range(self.repeats):
            before, first = machine.cpu(), table.moves
            passed = await table.play(machine.server.port, self.seconds)
            spent = [b - a for a, b in zip(before, machine.cpu(), strict=True)]
            slots.append(Slot([passed] * (table.moves - first), passed, *spent))
            theirs.append(
                await asyncio.to_thread(moves_per_second, peer, at_once, self.seconds) if peer else 0.0
            )
        ours, count = Series(slots), sum(len(slot.latencies) for slot in slots)
        return Together(
            game=game.id,
            brief=brief,
            matches=at_once,
            moves_per_second=ours.rate,
            moves_per_request=count / (table.requests - requests),
            peer_per_second=median(theirs),
            of_peer=median(slot.rate / rate for slot, rate in zip(slots, theirs, strict=True))
            if peer
            else 0.0,
            served_cpu_ms=ours.cpu_milliseconds(lambda slot: slot.served_cpu),
            stored_cpu_ms=ours.cpu_milliseconds(lambda slot: slot.stored_cpu),
            client_cpu_ms=ours.cpu_milliseconds(lambda slot: slot.client_cpu),
        )

    async def growth(self) -> Growth:
        """Plays a long match to its end; its last moves in turn with the first ones of another such match."""
        script = long_script()
        long, short = await self.stage(script), await self.stage(script)
        late, early = list(long.requests()), list(short.requests())
        port, connection = self.machine.server.port, await HttpConnection.open(self.machine.server.port)
        for sent in late[:-EDGE]:
            await connection.send(sent)
        await connection.send(
            request("GET", f"/v1/matches/{short.id}", self.tokens[0])
        )  # so that it is in memory like the other
        lanes = Lane(iter(early), connection), Lane(iter(late[-EDGE:]), connection)
        pairs = [[await lane.step(port) for lane in lanes] for _ in range(EDGE)]
        await connection.close()
        first, last = (median(times) * 1000 for times in zip(*pairs, strict=True))
        return Growth(script.game, long.version + sum(script.facts), first, last, last / first)

    async def storage(self, game: Game) -> Storage:
        """What a slot of moves adds to the table with its indexes, and to the log of the database."""
        lanes = await self.lanes(game, 4, int(_FASTEST * self.seconds / 4) + 50)
        before = self._sizes()
        slot = await self.machine.slot(lanes, self.seconds)
        rows, table, wal = (b - a for a, b in zip(before, self._sizes(), strict=True))
        for lane in lanes:
            await lane.close()
        return Storage(game.id, len(slot.latencies), table / rows, wal / rows)

    def _sizes(self) -> tuple[int, int, int]:
        query = (
            "SELECT count(*), pg_total_relation_size('kontor_events'), pg_current_wal_lsn() - '0/0'::pg_lsn"
            " FROM kontor_events"
        )
        with psycopg.connect(self.url) as connection:
            rows, table, wal = connection.execute(query).fetchone() or (0, 0, 0)
        return int(rows), int(table), int(wal)

    async def waiting(self, game: Game, clients: int) -> Waiting:
        """Slots without and with a crowd, in turn.

        One client follows each match; the others wait for matches in which nothing happens.
        """
        quiet = [await self.fresh(game, 1) for _ in range(16)]
        alone, crowded, wake_ups, let_in = Series(), Series(), list[float](), clients
        crowd = Crowd(self.machine.server.port)
        for _ in range(self.repeats):
            tables = [await self.stages(game, int(_FASTEST * self.seconds / 16) + 50) for _ in range(32)]
            alone.slots.append((await self._play(tables[:16]))[0])
            followers = [
                [await crowd.join(stage.id, stage.version) for stage in stages] for stages in tables[16:]
            ]
            for number in range(clients - len(crowd.waiters)):
                await crowd.join(quiet[number % 16].id, quiet[number % 16].version)
            let_in = min(let_in, await crowd.let_in())
            slot, lanes = await self._play(tables[16:])
            crowded.slots.append(slot)
            await asyncio.sleep(0.5)
            for stages, lane, waiters in zip(tables[16:], lanes, followers, strict=True):
                wake_ups += delays(stages, lane, waiters)
            await crowd.leave()
        return Waiting(
            clients=clients,
            let_in=let_in,
            p99_alone_ms=alone.milliseconds(0.99),
            p99_ms=crowded.milliseconds(0.99),
            times=median(_p99(b) / _p99(a) for a, b in zip(alone.slots, crowded.slots, strict=True)),
            wake_up_p50_ms=percentile(wake_ups, 0.5) * 1000,
            wake_up_p99_ms=percentile(wake_ups, 0.99) * 1000,
        )

    async def _play(self, tables: Sequence[Sequence[Stage]]) -> tuple[Slot, list[Lane]]:
        lanes = [lane_of(stages) for stages in tables]
        slot = await self.machine.slot(lanes, self.seconds)
        for lane in lanes:
            await lane.close()
        return slot, lanes

    async def final(
        self, game: Game, watchers: int, when_all_watch: Callable[[], None] = lambda: None
    ) -> Final:
        """Five moves of one match, with time for all watchers to hear of each."""
        crowd, stage = Crowd(self.machine.server.port), await self.fresh(game, 10)
        for _ in range(watchers):
            await crowd.join(stage.id, stage.version)
        let_in, lane = await crowd.let_in(), Lane(stage.requests())
        for _ in range(5):
            await lane.step(self.machine.server.port)
            await asyncio.sleep(1.0 + watchers / 2000)
        when_all_watch()
        versions = list(stage.versions())[:5]
        by_watcher = [waiter.delays(versions, lane.sent_at) for waiter in crowd.waiters]
        await crowd.leave()
        await lane.close()
        return final_of(watchers, let_in, by_watcher)


def final_of(watchers: int, let_in: int, by_watcher: Sequence[Sequence[float]]) -> Final:
    """The figures of a final, from the delays of each watcher, move by move."""
    delays = [delay for own in by_watcher for delay in own]
    if not delays:
        return Final(watchers, let_in, 0, float("inf"), float("inf"), float("inf"))
    moves = max(len(own) for own in by_watcher)
    last = median(max(own[move] for own in by_watcher if len(own) > move) for move in range(moves))
    half, most = (percentile(delays, share) * 1000 for share in (0.5, 0.99))
    return Final(watchers, let_in, len(delays), half, most, last * 1000)


def seats_of(game: Game) -> int:
    """Four players, or the most that a game takes below."""
    return max(count for count in rules_of(game).seat_counts if count <= 4)


def lane_of(stages: Sequence[Stage]) -> Lane:
    """One match after the other."""
    return Lane(sent for stage in stages for sent in stage.requests())


def delays(stages: Sequence[Stage], lane: Lane, followers: Sequence[Waiter]) -> list[float]:
    """How long after each move of a lane the follower of its match had heard of it."""
    found: list[float] = []
    begins = 0
    for stage, follower in zip(stages, followers, strict=True):
        versions = list(stage.versions())
        found += follower.delays(versions, lane.sent_at[begins : begins + len(versions)])
        begins += len(versions)
    return found


def _p99(slot: Slot) -> float:
    return percentile(slot.latencies, 0.99)


def _cost(slot: Slot) -> float:
    """What an answer cost all processors."""
    return (slot.served_cpu + slot.stored_cpu + slot.client_cpu) / len(slot.latencies)


def _throughput(game: Game, at_once: int, moves: Series, ceiling: Series) -> Throughput:
    pairs = list(zip(moves.slots, ceiling.slots, strict=True))
    return Throughput(
        game=game.id,
        matches=at_once,
        moves_per_second=moves.rate,
        p50_ms=moves.milliseconds(0.5),
        p99_ms=moves.milliseconds(0.99),
        ceiling_per_second=ceiling.rate,
        of_ceiling=median(ours.rate / theirs.rate for ours, theirs in pairs),
        of_ceiling_cpu=median(_cost(theirs) / _cost(ours) for ours, theirs in pairs),
        served_cpu_ms=moves.cpu_milliseconds(lambda slot: slot.served_cpu),
        stored_cpu_ms=moves.cpu_milliseconds(lambda slot: slot.stored_cpu),
        client_cpu_ms=moves.cpu_milliseconds(lambda slot: slot.client_cpu),
    )


def long_script() -> Script:
    """A match of many facts: of the game and table that last longest when all limits are at their widest."""
    longest: Script | None = None
    for game, seats, options in _tables():
        script = rehearse(game, seats, "long", options, LONG)
        if longest is None or sum(script.facts) > sum(longest.facts):
            longest = script
        if sum(longest.facts) >= LONG:
            break
    assert longest is not None
    return longest


def _tables() -> Iterator[tuple[Game, int, dict[str, Plain]]]:
    for game in installed_games().values():
        for data in reversed(game.data_sets):
            for seats in game.rules(data).seat_counts:
                yield game, seats, {**widest_options(game), game.data_option: data.name}


def widest_options(game: Game) -> dict[str, Plain]:
    """Every option that is a number, at its largest."""
    options = game.rules().options_shape.schema()["properties"]
    return {name: schema["maximum"] for name, schema in options.items() if schema.get("type") == "integer"}
