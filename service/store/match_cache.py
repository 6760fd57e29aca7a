"""The matches in the memory of this process: built from their entries once, then kept up to date.

A published `Match` is never changed: a command works on a copy, which replaces it once it is stored. So a
reader always sees a consistent match without taking a lock.

Rows that were read must fit the hash chain, and be signed where their seat signs. A match whose rows are not
is damaged: every use of it raises MatchDamagedError, so that nothing more is decided or signed in it.
"""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, RLock
from time import monotonic
from typing import NoReturn
from uuid import UUID

import structlog
from eventsourcing.persistence import StoredEvent
from msgspec import MsgspecError
from prometheus_client import Counter, Gauge

from kontor_games.domain.chain import GENESIS, head_of_stored, link, salts_of
from kontor_games.domain.commands import Entry, command_codec
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import fact_codec
from kontor_games.service.errors import MatchDamagedError, NotFoundError, ServiceError, UnavailableError
from kontor_games.service.store.database import Statement
from kontor_games.service.store.entries import announced, read_entry, require_authentic
from kontor_games.service.store.event_store import EventStore, NewEntry, Stored, StoredEntry

_LOG = structlog.get_logger(__name__)
LOCK_TIMEOUT_S = 5.0
_POLL_S = 0.05
"""How often a thread that waits for the lock checks whether another thread has read the store."""
DAMAGED_RETRY_S = 60.0
"""How long a damaged match is blocked before its rows are read again: the operator may have repaired them."""
UNREADABLE = (AttributeError, LookupError, MsgspecError, TypeError, ValueError)
"""The errors that decoding or folding an altered row can raise."""
_BYTES, _BYTES_PER_ENTRY, _BYTES_PER_FACT = 20_000, 600, 300
"""Memory of a match without its log, and of each entry and each fact, as measured in both games."""
cached_matches = Gauge(
    "kontor_match_cache_matches", "Matches in the caches of all processes.", multiprocess_mode="livesum"
)
cached_bytes = Gauge(
    "kontor_match_cache_bytes", "Estimated bytes of the cached matches.", multiprocess_mode="livesum"
)
evictions = Counter("kontor_match_cache_evictions", "Matches evicted from a cache to make room.")
damage_found = Counter(
    "kontor_matches_damaged", "Number of times that a stored match was read and found damaged."
)


def too_many_waiting() -> UnavailableError:
    """Return the error for a lock of a match that was not acquired before the timeout."""
    return UnavailableError(
        "Too many commands are waiting for this match. Try again with the same Idempotency-Key."
    )


def write_entry(entry: Entry, match: Match, head: str) -> Stored:
    """Encode an entry for the store; `match` is the match after it."""
    encode = fact_codec(match.rules).encode
    facts = [encode(fact) for fact in entry.facts]
    command = command_codec(match.rules).encode(entry.command)
    return Stored(entry.at, entry.by, entry.key, entry.request_digest, command, facts, head, entry.seat)


class CachedMatch:
    """A match with its log: the entries so far, their heads, and the commands by Idempotency-Key."""

    __slots__ = (
        *("_damage", "_damaged_at", "_lock", "_refreshed_at", "_store"),
        *("entries", "heads", "id", "keys", "match", "name", "notified_version"),
    )

    def __init__(self, store: EventStore, match_id: UUID) -> None:
        self._store = store
        self.id = match_id
        self.name = str(match_id)
        self._lock = RLock()
        self._refreshed_at = 0.0
        self._damage: MatchDamagedError | None = None
        self._damaged_at = 0.0
        self.match = Match()
        self.entries: list[Entry] = []
        self.heads: list[str] = []
        """For each entry, the head of the hash chain after it."""
        self.keys: dict[tuple[str, str], Entry] = {}
        self.notified_version = 0
        """The newest version that the waiters of this process have been notified of."""

    @property
    @contextmanager
    def lock(self) -> Iterator[None]:
        """Allow one command at a time; raise UnavailableError if the lock is not acquired in time."""
        if not self.acquire(LOCK_TIMEOUT_S):
            raise too_many_waiting()
        try:
            yield
        finally:
            self.release()

    def acquire(self, seconds: float) -> bool:
        """Try to acquire the lock for some seconds; return whether that succeeded."""
        return self._lock.acquire(timeout=seconds)

    def release(self) -> None:
        self._lock.release()

    def refresh(self) -> None:
        """Read what other processes have stored since; raise MatchDamagedError if an entry is damaged."""
        called_at = monotonic()
        if not self._acquire_unless_read(called_at):
            return
        try:
            self.require_undamaged()
            if self._refreshed_at <= called_at:
                started_at = monotonic()
                self.add_rows(lambda: self._store.entries(self.id, after=self.match.version))
                self._refreshed_at = started_at
        finally:
            self.release()

    def _acquire_unless_read(self, called_at: float) -> bool:
        """Take the lock; return False, without it, if another thread has read the store since the call.

        Of many concurrent callers, one reads the store, and the others need not queue for the lock.
        """
        while not self.acquire(_POLL_S):
            if self._refreshed_at > called_at:
                return False
            if monotonic() > called_at + LOCK_TIMEOUT_S:
                raise too_many_waiting()
        return True

    def add_rows(self, read: Callable[[], Sequence[StoredEntry]]) -> None:
        """Apply the rows after the current version; raise MatchDamagedError if one is damaged."""
        self.require_undamaged()
        try:
            if rows := read():
                self._apply_rows(rows)
        except UNREADABLE as error:  # its text is left out: it may contain hidden information
            self._mark_damaged(
                MatchDamagedError(self.match.version + 1, f"it cannot be read ({type(error).__name__})")
            )
        except MatchDamagedError as error:
            self._mark_damaged(error)

    def _mark_damaged(self, damage: MatchDamagedError) -> NoReturn:
        self._damage, self._damaged_at = damage, monotonic()
        damage_found.inc()
        _LOG.error("match_damaged", match=self.name, version=damage.version, reason=damage.reason)
        raise damage

    def require_undamaged(self) -> None:
        """Raise MatchDamagedError if the stored rows of the match are damaged."""
        if self._damage is not None:
            raise MatchDamagedError(self._damage.version, self._damage.reason)

    @property
    def bytes(self) -> int:
        """The estimated memory of the match; a test compares it with the real one."""
        return _BYTES + _BYTES_PER_ENTRY * len(self.entries) + _BYTES_PER_FACT * self.match.version

    @property
    def must_be_read_again(self) -> bool:
        """Whether the match was found damaged long enough ago to read its rows again."""
        return self._damage is not None and monotonic() >= self._damaged_at + DAMAGED_RETRY_S

    def _apply_rows(self, rows: Sequence[StoredEntry]) -> None:
        """Apply all rows, or none if one of them can't be read or does not continue the hash chain."""
        match = self.match.copy() if self.match.version else Match()
        head, entries = self.heads[-1] if self.heads else GENESIS, []
        for row in rows:
            if row.originator_version != match.version + 1:
                raise MatchDamagedError(match.version + 1, "facts are missing or duplicated")
            entry = read_entry(row, match)
            if match.version:
                require_authentic(self.name, match, head, entry)
            known = match if match.version else announced(entry)
            head = head_of_stored(
                self.name,
                known.rules,
                entry,
                row.stored.facts,
                row.stored.command,
                salts_of(self.name, known.created),
                head,
            )
            if head != row.stored.head:
                raise MatchDamagedError(entry.first, "the stored hash is not that of the facts")
            match.fold(entry)
            entries.append(entry)
        for row, entry in zip(rows, entries, strict=True):
            self._add(entry, row.stored.head)
        self.match = match

    def append(self, entry: Entry, match: Match, statements: Sequence[Statement]) -> None:
        """Store an entry and publish the match after it; raise IntegrityError if its version is taken."""
        new, started_at = self.new_entry(entry, match, statements), monotonic()
        self._store.append(*new)
        self.publish(entry, match, new.stored.head, started_at)

    def new_entry(self, entry: Entry, match: Match, statements: Sequence[Statement]) -> NewEntry:
        """Return an entry as it is stored, linked to the one before."""
        self.require_undamaged()
        stored = write_entry(entry, match, self._link(entry, match)[-1])
        return NewEntry(self.id, entry.first, stored, statements)

    def publish(self, entry: Entry, match: Match, head: str, started_at: float) -> None:
        """Show readers the match after an entry that was stored; `started_at` is when storing began."""
        self._add(entry, head)
        self.match = match
        self._refreshed_at = started_at  # the entry was stored, so there was no other entry before it

    def _link(self, entry: Entry, match: Match, before: str | None = None) -> list[str]:
        before = before or (self.heads[-1] if self.heads else GENESIS)
        return link(self.name, match.rules, entry, salts_of(self.name, match.created), before)

    def _add(self, entry: Entry, head: str) -> None:
        self.heads.append(head)
        self.entries.append(entry)
        self.keys[entry.by, entry.key] = entry

    def at_version(self, version: int) -> Match:
        """Return the match as it was at a version."""
        past = Match()
        for entry in self.entries:
            if entry.last <= version:
                past.fold(entry)
            else:
                for fact in entry.facts[: max(0, version - past.version)]:
                    past.fold_fact(fact)
                break
        return past

    def head_at(self, version: int) -> str:
        """Return the hash of the fact with this version."""
        index = bisect_left(self.entries, version, key=lambda entry: entry.last)
        entry = self.entries[index]
        if entry.last == version:
            return self.heads[index]
        before = self.heads[index - 1] if index else GENESIS
        return self._link(entry, self.match, before)[version - entry.first]

    def entries_after(self, version: int) -> list[Entry]:
        """Return the entries with facts after a version."""
        start = bisect_right(self.entries, version, key=lambda entry: entry.last)
        return self.entries[start:]


class MatchCache:
    """The cached matches of this process; the least recently used are dropped first."""

    def __init__(self, store: EventStore, size: int, max_bytes: int) -> None:
        """Takes the maximum number of matches and of estimated bytes; a match in use is never evicted."""
        self._store = store
        self._size = size
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._matches: OrderedDict[UUID, CachedMatch] = OrderedDict()
        self._weights: dict[UUID, int] = {}
        self.bytes = 0

    def get(self, match_id: UUID) -> CachedMatch:
        """Return a match, which may be behind the store; raise NotFoundError if it does not exist."""
        return self.get_cached(match_id) or self.add(self._load(match_id))

    def get_fresh(self, match_id: UUID) -> CachedMatch:
        """Return a match that is up to date with the store."""
        log = self.get_cached(match_id)
        if log is None:
            return self.add(self._load(match_id))
        log.refresh()
        return log

    def get_at_least(self, match_id: UUID, version: int | None) -> CachedMatch:
        """Return a match at a stored version or later; read the store only if the cache is behind.

        Without a version, it is up to date with the store.
        """
        if version is None:
            return self.get_fresh(match_id)
        log = self.get(match_id)
        if log.match.version < version:
            log.refresh()
        return log

    def get_or_new(self, match_id: UUID) -> CachedMatch:
        """Return the cached match, or an empty one for a match that may not exist yet."""
        return self.get_cached(match_id) or CachedMatch(self._store, match_id)

    def add(self, log: CachedMatch) -> CachedMatch:
        """Cache a match and return it; if another thread has already cached this match, return that one."""
        with self._lock:
            log = self._matches.setdefault(log.id, log)
            self._mark_used(log)
        return log

    def _mark_used(self, log: CachedMatch) -> None:
        """Mark a match as used and update its size; evict the least recently used if the cache is full."""
        self._matches.move_to_end(log.id)
        weight = log.bytes
        if weight == self._weights.get(log.id):
            return
        self.bytes += weight - self._weights.get(log.id, 0)
        self._weights[log.id] = weight
        while len(self._matches) > self._size or (self.bytes > self._max_bytes and len(self._matches) > 1):
            self._remove(next(iter(self._matches)))
            evictions.inc()
        cached_matches.set(len(self._matches))
        cached_bytes.set(self.bytes)

    def _remove(self, match_id: UUID) -> None:
        del self._matches[match_id]
        self.bytes -= self._weights.pop(match_id)

    def get_cached(self, match_id: UUID) -> CachedMatch | None:
        """Return a match if it is in the cache; raise MatchDamagedError if it was found damaged."""
        with self._lock:
            log = self._matches.get(match_id)
            if log is None:
                return None
            if log.must_be_read_again:
                self._remove(match_id)
                return None
            self._mark_used(log)
        log.require_undamaged()
        return log

    def refresh_all(self, logs: Sequence[CachedMatch]) -> list[ServiceError | None]:
        """Update matches whose locks the caller holds, with one query; return an error or None for each."""
        try:
            rows = self._store.rows_of_many({log.id: log.match.version for log in logs})
        except UnavailableError as error:
            return [error] * len(logs)
        return [self._add_rows(log, rows[log.id]) for log in logs]

    def _add_rows(self, log: CachedMatch, rows: Sequence[StoredEvent]) -> ServiceError | None:
        try:
            log.add_rows(lambda: self._store.decoded(rows))
        except MatchDamagedError as error:
            return error
        return None

    def append_all(self, entries: Sequence[NewEntry]) -> list[Exception | None]:
        """Store entries of several matches together; each has its result, as of `EventStore.append_all`."""
        return self._store.append_all(entries)

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, as stored."""
        return self._store.newest(match_ids)

    def load_many(self, match_ids: Sequence[UUID]) -> list[CachedMatch]:
        """Return up-to-date matches, with one query for those in the cache; the others are not cached.

        Damaged matches are left out.
        """
        newest, logs = self._store.newest(match_ids), []
        for match_id in match_ids:
            with suppress(MatchDamagedError):
                log = self.get_cached(match_id) or self._load(match_id)
                if log.match.version < newest[log.id]:
                    log.refresh()
                logs.append(log)
        return logs

    def _load(self, match_id: UUID) -> CachedMatch:
        log = CachedMatch(self._store, match_id)
        try:
            log.refresh()
        except MatchDamagedError:
            self.add(log)  # so that the next request does not read all rows again
            raise
        if not log.match.version:
            raise NotFoundError("There is no such match.")
        return log
