"""The measurements of the service over HTTP."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from uuid import uuid4

import psycopg

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.bench.batches import MatchSequence, Table
from tests.bench.load import LoadClient, Machine, Series, Slot, percentile
from tests.bench.peer import moves_per_second
from tests.bench.scripts import Script, ScriptedMatch, make_script, rules_of
from tests.bench.stream_clients import StreamClient, StreamClients
from tests.bench.wsgi import CEILING
from tests.support.http_connection import HttpConnection, request

LONG = 5000
"""The number of facts of the long match."""
EDGE = 20
"""How many moves at its beginning and at its end are compared."""
_FASTEST = 3000
"""Enough matches are scripted for this many single moves per second."""
_FASTEST_TOGETHER = 9000
"""The same for moves in batches."""


@dataclass(frozen=True)
class Throughput:
    """Single moves in concurrent matches, compared with the ceiling."""

    game: str
    matches: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    ceiling_per_second: float
    of_ceiling: float
    """The median over pairs of neighbouring slots."""
    of_ceiling_cpu: float
    """The same ratio for the CPU time of an answer in all processes; more reliable on a busy machine."""
    served_cpu_ms: float
    stored_cpu_ms: float
    client_cpu_ms: float


@dataclass(frozen=True)
class Growth:
    """The latency of the first moves of a long match, compared with its last moves."""

    game: str
    facts: int
    first_ms: float
    last_ms: float
    growth: float


@dataclass(frozen=True)
class Storage:
    """The bytes that a move adds to the database and to its write-ahead log."""

    game: str
    moves: int
    bytes_per_move: float
    wal_bytes_per_move: float


@dataclass(frozen=True)
class Waiting:
    """The latency of moves in 16 matches with many waiting clients, compared with none."""

    clients: int
    connected: int
    p99_alone_ms: float
    p99_ms: float
    times: float
    """The median over pairs of neighbouring slots."""
    wake_up_p50_ms: float
    wake_up_p99_ms: float


@dataclass(frozen=True)
class WatchedMatch:
    """One match with many watchers: the delay from a move to the event of each watcher."""

    watchers: int
    connected: int
    received: int
    """How many events of five moves arrived, over all watchers."""
    p50_ms: float
    p99_ms: float
    last_ms: float
    """The delay until the last watcher received the event; the median over moves."""


@dataclass(frozen=True)
class BatchThroughput:
    """Moves of many matches in one request, compared with boardgame.io with matches in memory."""

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
    """A server with its players, and all measurements of it."""

    def __init__(self, machine: Machine, url: str, seconds: float, repeats: int) -> None:
        self.machine = machine
        self.url = url
        self.seconds = seconds
        self.repeats = repeats
        self.tokens: list[str] = []
        self._connection: HttpConnection | None = None

    async def connection(self) -> HttpConnection:
        """The connection for requests that are not measured."""
        if self._connection is None:
            self._connection = await HttpConnection.open(self.machine.server.port)
        return self._connection

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            await self._connection.close()

    async def create_match(self, script: Script) -> ScriptedMatch:
        """Create a match whose moves follow a script."""
        connection = await self.connection()
        while len(self.tokens) < script.seats:
            self.tokens.append(
                (await connection.call("POST", "/v1/players", body={"name": f"Player {len(self.tokens)}"}))[
                    "token"
                ]
            )
        return await ScriptedMatch.create(connection, script, self.tokens)

    async def create_random_match(self, game: Game, moves: int) -> ScriptedMatch:
        """Create a match with a new seed and a random script, which is long enough for this many moves."""
        return await self.create_match(
            make_script(game, seats_of(game), f"bench {uuid4()}", most_facts=4 * moves)
        )

    async def load_clients(self, game: Game, count: int, moves_each: int) -> list[LoadClient]:
        """Clients that play one match after the other, each with at least `moves_each` moves."""
        return [load_client_of(await self.create_matches(game, moves_each)) for _ in range(count)]

    async def create_matches(self, game: Game, moves: int) -> list[ScriptedMatch]:
        """Create matches until they have this many moves together."""
        matches: list[ScriptedMatch] = []
        while sum(len(match.script.moves) for match in matches) < moves:
            matches.append(await self.create_random_match(game, moves))
        return matches

    async def throughput(self, game: Game, at_once: int) -> Throughput:
        """Measure slots of moves and of the ceiling, in turn."""
        load_clients = await self.load_clients(
            game, at_once, int(_FASTEST * self.seconds * (self.repeats + 1) / at_once) + 50
        )
        constant = request("POST", CEILING, None, {"type": "constant"}, Idempotency_Key=str(uuid4()))
        others = [LoadClient(iter(lambda: constant, b"")) for _ in range(at_once)]
        await self.machine.slot(load_clients, self.seconds / 2)  # warm-up: every process loads the matches
        moves, ceiling = Series(), Series()
        for _ in range(self.repeats):
            moves.slots.append(await self.machine.slot(load_clients, self.seconds))
            ceiling.slots.append(await self.machine.slot(others, self.seconds))
        for load_client in (*load_clients, *others):
            await load_client.close()
        return _throughput(game, at_once, moves, ceiling)

    async def batch_throughput(self, game: Game, at_once: int, peer: int, *, brief: bool) -> BatchThroughput:
        """Measure slots of `POST /v1/moves` and of boardgame.io, in turn and of the same length."""
        moves_each = int(_FASTEST_TOGETHER * self.seconds * (self.repeats + 1) / at_once) + 100
        sequences = [MatchSequence(await self.create_matches(game, moves_each)) for _ in range(at_once)]
        table, machine = Table(sequences, self.tokens[: seats_of(game)], brief), self.machine
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
        return BatchThroughput(
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
        """Play a long match to its end; its last moves alternate with the first ones of a match like it."""
        script = long_script()
        long, short = await self.create_match(script), await self.create_match(script)
        late, early = list(long.requests()), list(short.requests())
        port, connection = self.machine.server.port, await HttpConnection.open(self.machine.server.port)
        for sent in late[:-EDGE]:
            await connection.send(sent)
        await connection.send(
            request("GET", f"/v1/matches/{short.id}", self.tokens[0])
        )  # so that it is in the match cache like the other
        load_clients = LoadClient(iter(early), connection), LoadClient(iter(late[-EDGE:]), connection)
        pairs = [[await load_client.step(port) for load_client in load_clients] for _ in range(EDGE)]
        await connection.close()
        first, last = (median(times) * 1000 for times in zip(*pairs, strict=True))
        return Growth(script.game, long.version + sum(script.facts), first, last, last / first)

    async def storage(self, game: Game) -> Storage:
        """Measure what moves add to the table with its indexes, and to the write-ahead log."""
        load_clients = await self.load_clients(game, 4, int(_FASTEST * self.seconds / 4) + 50)
        before = self._sizes()
        slot = await self.machine.slot(load_clients, self.seconds)
        rows, table, wal = (b - a for a, b in zip(before, self._sizes(), strict=True))
        for load_client in load_clients:
            await load_client.close()
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
        """Measure slots without and with waiting clients, in turn.

        One client follows each match that is played; the others wait for matches in which nothing happens.
        """
        quiet = [await self.create_random_match(game, 1) for _ in range(16)]
        alone, crowded, wake_ups, connected = Series(), Series(), list[float](), clients
        streams = StreamClients(self.machine.server.port)
        for _ in range(self.repeats):
            tables = [
                await self.create_matches(game, int(_FASTEST * self.seconds / 16) + 50) for _ in range(32)
            ]
            alone.slots.append((await self._play(tables[:16]))[0])
            followers = [
                [await streams.join(match.id, match.version) for match in matches] for matches in tables[16:]
            ]
            for number in range(clients - len(streams.clients)):
                await streams.join(quiet[number % 16].id, quiet[number % 16].version)
            connected = min(connected, await streams.connected())
            slot, load_clients = await self._play(tables[16:])
            crowded.slots.append(slot)
            await asyncio.sleep(0.5)
            for matches, load_client, own in zip(tables[16:], load_clients, followers, strict=True):
                wake_ups += delays(matches, load_client, own)
            await streams.leave()
        return Waiting(
            clients=clients,
            connected=connected,
            p99_alone_ms=alone.milliseconds(0.99),
            p99_ms=crowded.milliseconds(0.99),
            times=median(_p99(b) / _p99(a) for a, b in zip(alone.slots, crowded.slots, strict=True)),
            wake_up_p50_ms=percentile(wake_ups, 0.5) * 1000,
            wake_up_p99_ms=percentile(wake_ups, 0.99) * 1000,
        )

    async def _play(self, tables: Sequence[Sequence[ScriptedMatch]]) -> tuple[Slot, list[LoadClient]]:
        load_clients = [load_client_of(matches) for matches in tables]
        slot = await self.machine.slot(load_clients, self.seconds)
        for load_client in load_clients:
            await load_client.close()
        return slot, load_clients

    async def watched_match(
        self, game: Game, watchers: int, when_all_watch: Callable[[], None] = lambda: None
    ) -> WatchedMatch:
        """Make five moves in one match, with pauses in which all watchers receive the events."""
        streams, match = StreamClients(self.machine.server.port), await self.create_random_match(game, 10)
        for _ in range(watchers):
            await streams.join(match.id, match.version)
        connected, load_client = await streams.connected(), LoadClient(match.requests())
        for _ in range(5):
            await load_client.step(self.machine.server.port)
            await asyncio.sleep(1.0 + watchers / 2000)
        when_all_watch()
        versions = list(match.versions())[:5]
        by_watcher = [client.delays(versions, load_client.sent_at) for client in streams.clients]
        await streams.leave()
        await load_client.close()
        return watched_match_of(watchers, connected, by_watcher)


def watched_match_of(watchers: int, connected: int, by_watcher: Sequence[Sequence[float]]) -> WatchedMatch:
    """The result, from the delays of each watcher, move by move."""
    delays = [delay for own in by_watcher for delay in own]
    if not delays:
        return WatchedMatch(watchers, connected, 0, float("inf"), float("inf"), float("inf"))
    moves = max(len(own) for own in by_watcher)
    last = median(max(own[move] for own in by_watcher if len(own) > move) for move in range(moves))
    half, most = (percentile(delays, share) * 1000 for share in (0.5, 0.99))
    return WatchedMatch(watchers, connected, len(delays), half, most, last * 1000)


def seats_of(game: Game) -> int:
    """Four players, or the largest number below that the game allows."""
    return max(count for count in rules_of(game).seat_counts if count <= 4)


def load_client_of(matches: Sequence[ScriptedMatch]) -> LoadClient:
    """A client that plays these matches one after the other."""
    return LoadClient(sent for match in matches for sent in match.requests())


def delays(
    matches: Sequence[ScriptedMatch], load_client: LoadClient, followers: Sequence[StreamClient]
) -> list[float]:
    """The delay from each move of a client until the follower of its match received it."""
    found: list[float] = []
    begins = 0
    for match, follower in zip(matches, followers, strict=True):
        versions = list(match.versions())
        found += follower.delays(versions, load_client.sent_at[begins : begins + len(versions)])
        begins += len(versions)
    return found


def _p99(slot: Slot) -> float:
    return percentile(slot.latencies, 0.99)


def _cost(slot: Slot) -> float:
    """The CPU time of an answer in server, database and client."""
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
    """A script of at least `LONG` facts, or the longest that any game gives with its largest options."""
    longest: Script | None = None
    for game, seats, options in _tables():
        script = make_script(game, seats, "long", options, LONG)
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
    """The largest value of every integer option."""
    options = game.rules().options_shape.schema()["properties"]
    return {name: schema["maximum"] for name, schema in options.items() if schema.get("type") == "integer"}
