"""Rate limits: a token bucket for each token or address and cost class, in memory.

A bucket holds the calls of one minute and fills evenly. Only the time at which it will be full again is
stored (the generic cell rate algorithm), so a full bucket needs no memory. `limit_sharing` adds the calls
of other processes.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from ipaddress import IPv6Address
from threading import Lock
from typing import NamedTuple

from kontor_games.service.errors import RateLimitedError
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings

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
