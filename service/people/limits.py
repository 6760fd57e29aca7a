"""Limits of calls, CPU time and open streams, for each token, player or address.

A bucket holds the calls of one minute and fills evenly. Only the time at which it will be full again is
stored (the generic cell rate algorithm), so a full bucket needs no memory. `LimitSharing` adds the calls
of other processes.
"""

import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from ipaddress import IPv6Address
from threading import Lock
from typing import NamedTuple
from uuid import uuid4

from kontor_games.service.errors import RateLimitedError, TooManyStreamsError, UnavailableError
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database
from kontor_games.service.threads import RepeatedWork

WINDOW_MS = 60_000
_CAPACITY_MS = WINDOW_MS + 1e-6
"""A full bucket, with tolerance for rounding: an interval such as a third of a millisecond is not exact."""
_CPU_MS_PER_CALL = 20
_GENERATION_SIZE = 20_000
"""Most buckets in one generation. There are two; the older one is dropped when the younger one is full, or
after the longest time in which a bucket fills."""
_GENERATION_MS = 2 * WINDOW_MS
_CACHED_DIGESTS = 4096


class LimitState(NamedTuple):
    """The state of a bucket after a call, for the RateLimit headers."""

    limit: int
    """Calls per minute; they may arrive in one burst."""
    remaining: int
    reset_ms: int
    """Milliseconds until the bucket is full again."""


class Buckets:
    """The buckets of one cost class."""

    __slots__ = ("_began", "_full_at", "_lock", "_older", "_spent", "cost", "interval", "limit")

    def __init__(self, cost: str, limit: int) -> None:
        self.cost = cost
        self.limit = limit
        self.interval = WINDOW_MS / limit
        self._lock = Lock()
        self._full_at: dict[str, float] = {}
        self._older: dict[str, float] = {}
        self._began = 0
        self._spent: Counter[str] = Counter()

    def add(self, key: str, calls: int, now: int) -> None:
        """Count calls that were already made; the bucket can be overdrawn by up to a minute."""
        with self._lock:
            full_at = self._full_at.get(key)
            full_at = max(self._add(key, now) if full_at is None else full_at, float(now))
            self._full_at[key] = min(full_at + calls * self.interval, now + _GENERATION_MS)

    def used(self, key: str, now: int) -> float:
        """Return how many calls a bucket lacks until it is full."""
        full_at = self._full_at.get(key) or self._older.get(key, now)
        return max(0.0, full_at - now) / self.interval

    def take_spent(self) -> dict[str, int]:
        """Return the calls taken out of each bucket since the last call, for other processes."""
        with self._lock:
            spent, self._spent = self._spent, Counter()
        return spent

    def take(self, key: str, now: int, calls: int = 1, *, count_refused: bool = False) -> LimitState:
        """Take calls out of a bucket; raise RateLimitedError, without taking anything, if it holds fewer.

        With `count_refused`, refused calls are counted, too: reading the request was work, and the client
        should not repeat it at once.
        """
        calls = min(calls, self.limit)
        with self._lock:
            full_at = self._full_at.get(key)
            if full_at is None:
                full_at = self._add(key, now)
            reset = (full_at - now if full_at > now else 0.0) + calls * self.interval
            if reset <= _CAPACITY_MS:
                self._full_at[key] = now + reset
                self._spent[key] += calls
                return LimitState(self.limit, int((_CAPACITY_MS - reset) / self.interval), int(reset) + 1)
            if count_refused:
                self._full_at[key] = min(now + reset, float(now + _GENERATION_MS))
                self._spent[key] += calls
                reset = self._full_at[key] - now + calls * self.interval
        raise self._refusal(reset, calls)

    def _add(self, key: str, now: int) -> float:
        """Add a bucket to the younger generation, taking over its state from the older one."""
        if len(self._full_at) >= _GENERATION_SIZE or now >= self._began + _GENERATION_MS:
            self._full_at, self._older, self._began = {}, self._full_at, now
        full_at = self._older.get(key, float(now))
        self._full_at[key] = full_at
        return full_at

    def _refusal(self, reset: float, calls: int) -> RateLimitedError:
        wait = int(reset - WINDOW_MS) + 1
        limit = f"The limit is {self.limit} calls of the kind {self.cost!r} per minute."
        detail, reset_ms = f"{limit} Try again in {wait} ms.", int(reset - calls * self.interval) + 1
        return RateLimitedError(detail, retry_after_ms=wait, limit=self.limit, reset_ms=reset_ms)


class Limits:
    """The rate limits, measured by a monotonic clock."""

    def __init__(self, settings: Settings, clock: Callable[[], int]) -> None:
        self._clock = clock
        costs = ("read", "write", "move", "register", "stream")
        limits = {cost: getattr(settings, f"rate_limit_{cost}") for cost in costs}
        # In separate buckets, so that a flood of calls cannot make a node look dead.
        limits["health"] = limits["read"]
        self._buckets = {cost: Buckets(cost, limit) for cost, limit in limits.items()}
        # A random key until the secret of the server is known: no call may wait for the database.
        self.use_secret(Secret(secrets.token_hex(32)))

    def use_secret(self, secret: Secret) -> None:
        """Key the digests of addresses with the secret of the server, so that all processes have the same."""
        self._digest = lru_cache(_CACHED_DIGESTS)(partial(_address_digest, secret))

    def charge(self, caller: Caller | str, cost: str, cpu_ms: int) -> None:
        """Count an expensive call as several."""
        if cpu_ms >= _CPU_MS_PER_CALL:
            self._buckets[cost].add(self._key(caller), cpu_ms // _CPU_MS_PER_CALL, self._clock())

    def take_spent(self) -> dict[str, dict[str, int]]:
        """Return the calls since the last call of this method, by cost and bucket."""
        return {cost: buckets.take_spent() for cost, buckets in self._buckets.items()}

    def add_spent(self, calls: Mapping[str, Mapping[str, int]]) -> None:
        """Count calls that another process has answered."""
        now = self._clock()
        for cost, spent in calls.items():
            for key, count in spent.items():
                self._buckets[cost].add(key, count, now)

    def check(
        self, caller: Caller | str, cost: str, calls: int = 1, *, count_refused: bool = False
    ) -> LimitState:
        """Count calls of a token, or of an address without one; raise RateLimitedError beyond the limit.

        With `count_refused`, refused calls are counted, too.
        """
        return self._buckets[cost].take(self._key(caller), self._clock(), calls, count_refused=count_refused)

    def _key(self, caller: Caller | str) -> str:
        return caller.token if isinstance(caller, Caller) else self._digest(caller)


def _address_digest(secret: Secret, address: str) -> str:
    """A keyed hash that replaces an address in the reports: a plain one could be found by trying them all."""
    return secret.derive("rate limit", address_key(address)).hex()[:16]


def address_key(address: str) -> str:
    """Return the bucket key of an address: for IPv6 its /64 network, which one client usually controls."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or f"{int(parsed) >> 64:016x}::/64")


_CPU_US_PER_MINUTE = 6_000_000
"""Microseconds that a caller can use without ever waiting: a tenth of a core."""
_RESERVE_US = 300_000
_WAIT_S = 10.0
_MAX_WAITING = 12
"""Threads that wait for their turn; the rest of the 32 threads of a process serve others."""
_MAX_PAUSE_S = 0.25


class HeavyCallers:
    """Measures the CPU time of callers, and lets the heavy ones take turns.

    Python runs one thread of a process at a time, so a move takes longer by the number of threads that
    compute something. A heavy caller is a player, or an address without a token, whose calls, without moves,
    have lately taken more than a tenth of a core, beyond a reserve. Heavy callers are served one at a time,
    and after each call none of them is served for as long as it took. Nobody else waits.
    """

    def __init__(self) -> None:
        """Starts without any heavy caller."""
        self._used = Buckets("cpu", _CPU_US_PER_MINUTE)
        self._turn = Lock()
        self._waiting = 0

    @contextmanager
    def measured(self, key: str, *, takes_turns: bool = True) -> Iterator[Callable[[], int]]:
        """Measure the CPU time of the block, in the turn of the caller if they are heavy.

        Yields a function that returns the time in milliseconds so far. Raises UnavailableError if too many
        heavy callers wait, or if the turn does not come in time.
        """
        now = time.monotonic_ns() // 1_000_000
        heavy = takes_turns and self._used.used(key, now) > _RESERVE_US
        if heavy:
            self._wait()
        began = time.thread_time()
        try:
            yield lambda: int((time.thread_time() - began) * 1000)
        finally:
            seconds = time.thread_time() - began
            self._used.add(key, int(seconds * 1e6), time.monotonic_ns() // 1_000_000)
            if heavy:
                time.sleep(min(seconds, _MAX_PAUSE_S))
                self._turn.release()

    def _wait(self) -> None:
        if self._turn.acquire(blocking=False):
            return
        busy = UnavailableError("Your calls take much computing time, and other such calls wait. Try again.")
        if self._waiting >= _MAX_WAITING:
            raise busy
        self._waiting += 1
        try:
            if not self._turn.acquire(timeout=_WAIT_S):
                raise busy
        finally:
            self._waiting -= 1


_PAUSE_S = 1.0
_MIN_CALLS = 5
"""A bucket with fewer calls in a second is not reported."""
_MAX_BUCKETS = 1000
"""Maximum number of buckets in one report; those with the most calls are reported."""
_OLD_MS = 60_000
_UPSERT = (
    "INSERT INTO limit_reports (process, number, at, calls) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (process) DO UPDATE SET number = excluded.number, at = excluded.at, calls = excluded.calls"
)


class LimitSharing(RepeatedWork):
    """Reports the calls that this process has counted every second, and reads the reports of the others.

    No call waits for the database, so a client can exceed a limit by the calls that it sends to other
    processes within a second or two.
    """

    def __init__(
        self, limits: Limits, database: Database, clock: Callable[[], int], secret: Callable[[], Secret]
    ) -> None:
        """`secret` returns the secret of the server, which is in the database."""
        super().__init__(self.exchange, _PAUSE_S, "limits_not_shared")
        self._limits = limits
        self._database = database
        self._clock = clock
        self._secret = secret
        self._process = str(uuid4())
        self._number = 0
        self._known: dict[str, int] | None = None
        """The numbers of the reports that were read; reports from before this process are not counted."""

    def exchange(self) -> None:
        """Report the calls since the last time, and count the calls that other processes have reported."""
        if self._known is None:  # before the first report
            self._limits.use_secret(self._secret())
        busy = {cost: _busy(spent) for cost, spent in self._limits.take_spent().items()}
        now = self._clock()
        if any(busy.values()):
            self._number += 1
            self._database.write(
                (_UPSERT, (self._process, self._number, now, json.dumps(busy))),
                ("DELETE FROM limit_reports WHERE at < ?", (now - _OLD_MS,)),
            )
        rows = self._database.read(
            "SELECT process, number, calls FROM limit_reports WHERE process <> ? AND at > ?",
            (self._process, now - _OLD_MS),
        )
        known, self._known = self._known, {row["process"]: row["number"] for row in rows}
        for row in rows:
            if known is not None and known.get(row["process"]) != row["number"]:
                self._limits.add_spent(json.loads(row["calls"]))


def _busy(spent: dict[str, int]) -> dict[str, int]:
    """The buckets with the most calls, without those far below their limit."""
    return {key: count for key, count in Counter(spent).most_common(_MAX_BUCKETS) if count >= _MIN_CALLS}


_ANONYMOUS_SHARE = 0.75
"""The share of all streams that callers without a token can use; the rest is reserved for players."""

_PLAYER = "player "


class OpenStreams:
    """The open streams, long polls and exports of this process, each of which holds a thread.

    They are counted by address and by player, because a player can have many tokens.
    """

    def __init__(self, settings: Settings) -> None:
        self._per_address = settings.streams_per_address
        self._per_player = settings.streams_per_player
        self._anonymous_limit = int(settings.streams * _ANONYMOUS_SHARE)
        self._lock = Lock()
        self._open: Counter[str] = Counter()
        self._count = 0

    def open(self, address: str, caller: Caller | None) -> Callable[[], None]:
        """Count a stream until the returned function is called; raise TooManyStreamsError beyond a limit."""
        keys = [(f"address {address_key(address)}", self._per_address, "your address")]
        if caller is not None:
            keys.append((f"{_PLAYER}{caller.player}", self._per_player, "you"))
        with self._lock:
            for key, limit, whose in keys:
                if self._open[key] >= limit:
                    raise TooManyStreamsError(f"{limit} streams of {whose} are open. Close one of them.")
            if caller is None and self._count >= self._anonymous_limit:
                raise TooManyStreamsError(
                    "Too many streams without a token are open. Send a token, or try again later."
                )
            self._count += 1
            self._open.update(key for key, _, _ in keys)
        ending = ExitStack()  # closing it again does nothing
        ending.callback(self._close, [key for key, _, _ in keys])
        return ending.close

    def players(self) -> list[str]:
        """The players with an open stream."""
        with self._lock:
            return [key.removeprefix(_PLAYER) for key in self._open if key.startswith(_PLAYER)]

    def _close(self, keys: list[str]) -> None:
        with self._lock:
            self._count -= 1
            for key in keys:
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]
