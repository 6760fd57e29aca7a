"""How often a token may call: a bucket for each token and cost class, in the memory of each process.

A bucket holds a minute's worth of calls and fills evenly. All that is kept of it is the moment at which it will be full again
(GCRA, the form in which token buckets are kept where they are many), so an idle bucket and a forgotten one are the same.
"""

from ipaddress import IPv6Address
from threading import Lock
from typing import NamedTuple

from kontor_games.service.errors import RateLimitedError
from kontor_games.service.people.token_keys import Clock
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings

WINDOW_MS = 60_000
_BRIM = WINDOW_MS + 1e-6
"""A full bucket, with a hair of tolerance: a third of a millisecond is no exact number."""
_REMEMBERED = 20_000
"""Buckets of one class before the least used are forgotten; at most twice as many are held."""


class LimitState(NamedTuple):
    """What a caller may know of their bucket after a call, for the RateLimit headers."""

    limit: int
    """Calls a minute; as many can be made at once."""
    remaining: int
    reset_ms: int
    """Milliseconds until the bucket is full again."""


class Buckets:
    """The buckets of one cost class."""

    __slots__ = ("_earlier", "_full_at", "_lock", "cost", "interval", "limit")

    def __init__(self, cost: str, limit: int) -> None:
        """All are full."""
        self.cost = cost
        self.limit = limit
        self.interval = WINDOW_MS / limit
        self._lock = Lock()
        self._full_at: dict[str, float] = {}
        self._earlier: dict[str, float] = {}

    def take(self, who: str, now: int) -> LimitState:
        """Takes one call out of the bucket; a refused one costs nothing."""
        with self._lock:
            full_at = self._full_at.get(who)
            if full_at is None:
                full_at = self._make_room(who, now)
            reset = (full_at - now if full_at > now else 0.0) + self.interval
            if reset <= _BRIM:
                self._full_at[who] = now + reset
                return LimitState(self.limit, int((_BRIM - reset) / self.interval), int(reset) + 1)
        raise self._refusal(reset)

    def _make_room(self, who: str, now: int) -> float:
        """Two generations: when the younger is full of buckets, those not used since the last change are forgotten."""
        if len(self._full_at) >= _REMEMBERED:
            self._full_at, self._earlier = {}, self._full_at
        full_at = self._earlier.get(who, float(now))
        self._full_at[who] = full_at
        return full_at

    def _refusal(self, reset: float) -> RateLimitedError:
        wait = int(reset - WINDOW_MS) + 1
        detail = f"more than {self.limit} calls of the kind {self.cost!r} in a minute; come back in {wait} ms"
        return RateLimitedError(detail, retry_after_ms=wait, limit=self.limit, reset_ms=int(reset - self.interval) + 1)


class Limits:
    """The limits of this process. Several processes each allow the full rate, so together they allow a multiple of it."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        """The rates are settings."""
        self._clock = clock
        rates = {
            "read": settings.rate_limit_read,
            "write": settings.rate_limit_write,
            "move": settings.rate_limit_move,
            "register": settings.rate_limit_register,
            "stream": settings.rate_limit_stream,
        }
        self._buckets = {cost: Buckets(cost, limit) for cost, limit in rates.items()}

    def check(self, who: Caller | str, cost: str) -> LimitState:
        """Lets a call pass that a token, or an address without one, makes now; raises RateLimitedError where it came too soon."""
        return self._buckets[cost].take(who.token if isinstance(who, Caller) else neighbourhood(who), self._clock())


def neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 the network of 64 bits, since whoever has one address there has them all."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or f"{int(parsed) >> 64:016x}::/64")
