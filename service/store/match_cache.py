"""The cached matches of a process, and how much memory they take."""

from prometheus_client import Counter, Gauge

from kontor_games.domain.match import Match
from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.streams import CachedStream, StreamCache

CachedMatch = CachedStream[Match]
cached_matches = Gauge(
    "kontor_match_cache_matches", "Matches in the caches of all processes.", multiprocess_mode="livesum"
)
cached_bytes = Gauge(
    "kontor_match_cache_bytes", "Estimated bytes of the cached matches.", multiprocess_mode="livesum"
)
evictions = Counter("kontor_match_cache_evictions", "Matches evicted from a cache to make room.")


class MatchCache(StreamCache[Match]):
    """The cached matches of this process."""

    def __init__(self, store: EventStore, size: int, max_bytes: int) -> None:
        super().__init__(store, MATCHES, size, max_bytes)

    def measured(self) -> None:
        """Show number and size."""
        cached_matches.set(len(self._streams))
        cached_bytes.set(self.bytes)
        if self.evicted:
            evictions.inc(self.evicted)
            self.evicted = 0
