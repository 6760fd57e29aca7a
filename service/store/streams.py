"""Streams in the memory of this process: built from their entries once, then kept up to date.

A published state is never changed: a command works on a copy, which replaces it once it is stored. So a
reader always sees a consistent state without taking a lock.

Rows that were read must fit the hash chain, and be signed where their author signs. A stream whose rows are
not is damaged: every use of it raises RecordDamagedError, so that nothing more is decided or signed in it.
"""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, RLock
from time import monotonic
from typing import Generic, NoReturn, TypeVar
from uuid import UUID

import structlog
from eventsourcing.persistence import StoredEvent
from prometheus_client import Counter

from kontor_games.domain.chain import GENESIS, head_of_stored, link
from kontor_games.domain.stream import Decider, Entry, Stream
from kontor_games.service.errors import NotFoundError, RecordDamagedError, ServiceError, UnavailableError
from kontor_games.service.store.database import Statement
from kontor_games.service.store.entries import UNREADABLE, opened, read_entry, require_authentic, write_entry
from kontor_games.service.store.event_store import EventStore, NewEntry, StoredEntry

S = TypeVar("S", bound=Stream)
_LOG = structlog.get_logger(__name__)
LOCK_TIMEOUT_S = 5.0
_POLL_S = 0.05
"""How often a thread that waits for the lock checks whether another thread has read the store."""
DAMAGED_RETRY_S = 60.0
"""How long a damaged stream is blocked before its rows, which may be repaired by then, are read again."""
_BYTES, _BYTES_PER_ENTRY, _BYTES_PER_FACT = 20_000, 600, 300
"""Memory of a match without its entries, and of each entry and each fact, as measured in both games."""
damage_found = Counter(
    "kontor_matches_damaged", "Number of times that a stored match or tournament was read and found damaged."
)


def too_many_waiting(kind: str) -> UnavailableError:
    """Return the error for a lock of a stream that was not acquired before the timeout."""
    return UnavailableError(
        f"Too many commands are waiting for this {kind}. Try again with the same Idempotency-Key."
    )


class CachedStream(Generic[S]):
    """A stream with its entries so far, their heads, and the commands by Idempotency-Key."""

    __slots__ = (
        *("_damage", "_damaged_at", "_lock", "_refreshed_at", "_store"),
        *("decider", "entries", "heads", "id", "keys", "name", "notified_version", "state"),
    )

    def __init__(self, store: EventStore, decider: Decider[S], stream_id: UUID) -> None:
        self._store = store
        self.decider = decider
        self.id = stream_id
        self.name = str(stream_id)
        self._lock = RLock()
        self._refreshed_at = 0.0
        self._damage: RecordDamagedError | None = None
        self._damaged_at = 0.0
        self.state = decider.empty()
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
            raise too_many_waiting(self.decider.kind)
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
        """Read what other processes have stored since; raise RecordDamagedError if an entry is damaged."""
        called_at = monotonic()
        if not self._acquire_unless_read(called_at):
            return
        try:
            self.require_undamaged()
            if self._refreshed_at <= called_at:
                started_at = monotonic()
                self.add_rows(lambda: self._store.entries(self.id, after=self.state.version))
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
                raise too_many_waiting(self.decider.kind)
        return True

    def add_rows(self, read: Callable[[], Sequence[StoredEntry]]) -> None:
        """Apply the rows after the current version; raise RecordDamagedError if one is damaged."""
        self.require_undamaged()
        try:
            rows = read()
            if rows and (self.state.version or rows[0].kind == self.decider.kind):
                self._apply_rows(rows)  # otherwise it is the id of another kind of stream
        except UNREADABLE as error:  # its text is left out: it may contain hidden information
            self._mark_damaged(
                self._damaged(self.state.version + 1, f"it cannot be read ({type(error).__name__})")
            )
        except RecordDamagedError as error:
            self._mark_damaged(error)

    def _damaged(self, version: int, reason: str) -> RecordDamagedError:
        return RecordDamagedError(version, reason, kind=self.decider.kind)

    def _mark_damaged(self, damage: RecordDamagedError) -> NoReturn:
        kind = self.decider.kind
        self._damage, self._damaged_at = damage, monotonic()
        damage_found.inc()
        _LOG.error(f"{kind}_damaged", **{kind: self.name}, version=damage.version, reason=damage.reason)
        raise damage

    def require_undamaged(self) -> None:
        """Raise RecordDamagedError if the stored rows of the stream are damaged."""
        if self._damage is not None:
            raise self._damaged(self._damage.version, self._damage.reason)

    @property
    def bytes(self) -> int:
        """The estimated memory of the stream; a test compares it with the real one."""
        return _BYTES + _BYTES_PER_ENTRY * len(self.entries) + _BYTES_PER_FACT * self.state.version

    @property
    def must_be_read_again(self) -> bool:
        """Whether the record was found damaged long enough ago to read its rows again."""
        return self._damage is not None and monotonic() >= self._damaged_at + DAMAGED_RETRY_S

    def _apply_rows(self, rows: Sequence[StoredEntry]) -> None:
        """Apply all rows, or none if one of them can't be read or does not continue the hash chain."""
        decider, state = self.decider, self.state.copy() if self.state.version else self.decider.empty()
        head, entries = self.head, []
        for row in rows:
            if row.originator_version != state.version + 1:
                raise self._damaged(state.version + 1, "facts are missing or duplicated")
            entry = read_entry(decider, row, state)
            if state.version:
                require_authentic(decider, self.name, state, head, entry)
            known = state if state.version else opened(decider, entry)
            stored = row.stored
            head = head_of_stored(decider, self.name, known, entry, stored.facts, stored.command, head)
            if head != stored.head:
                raise self._damaged(entry.first, "the stored hash is not that of the facts")
            state.fold(entry)
            entries.append(entry)
        for row, entry in zip(rows, entries, strict=True):
            self._add(entry, row.stored.head)
        self.state = state

    @property
    def head(self) -> str:
        """The hash of the newest fact."""
        return self.heads[-1] if self.heads else GENESIS

    def new_entry(self, entry: Entry, state: S, statements: Sequence[Statement]) -> NewEntry:
        """Return an entry as it is stored, linked to the one before; `state` is the one after it."""
        self.require_undamaged()
        stored = write_entry(self.decider, entry, state, self._link(entry, state, self.head)[-1])
        return NewEntry(self.id, entry.first, stored, statements, self.decider.kind)

    def publish(self, entry: Entry, state: S, head: str, started_at: float) -> None:
        """Show readers the state after an entry that was stored; `started_at` is when storing began."""
        self._add(entry, head)
        self.state = state
        self._refreshed_at = started_at  # the entry was stored, so there was no other entry before it

    def _link(self, entry: Entry, state: S, before: str) -> list[str]:
        return link(self.decider, self.name, state, entry, before)

    def _add(self, entry: Entry, head: str) -> None:
        self.heads.append(head)
        self.entries.append(entry)
        self.keys[entry.by, entry.key] = entry

    def at_version(self, version: int) -> S:
        past = self.decider.empty()
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
        return self._link(entry, self.state, before)[version - entry.first]

    def entries_after(self, version: int) -> list[Entry]:
        """Return the entries with facts after a version."""
        start = bisect_right(self.entries, version, key=lambda entry: entry.last)
        return self.entries[start:]

    def entries_until(self, version: int) -> list[Entry]:
        """Return the entries up to a version at which an entry ends."""
        return self.entries[: bisect_right(self.entries, version, key=lambda entry: entry.last)]

    def milestone(self) -> tuple[int, str]:
        """Return version and hash after the last entry that ends with a milestone of its kind."""
        return next(
            (entry.last, head)
            for entry, head in zip(reversed(self.entries), reversed(self.heads), strict=True)
            if isinstance(entry.facts[-1], self.decider.milestones)
        )


class StreamCache(Generic[S]):
    """The cached streams of one kind in this process; the least recently used are dropped first."""

    def __init__(self, store: EventStore, decider: Decider[S], size: int, max_bytes: int) -> None:
        """Takes the maximum number of streams and of estimated bytes; one in use is never evicted."""
        self._store = store
        self._decider = decider
        self._size = size
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._streams: OrderedDict[UUID, CachedStream[S]] = OrderedDict()
        self._weights: dict[UUID, int] = {}
        self.bytes = 0
        self.evicted = 0

    def get(self, stream_id: UUID) -> CachedStream[S]:
        """Return a stream, which may be behind the store; raise NotFoundError if it does not exist."""
        return self.get_cached(stream_id) or self.add(self._load(stream_id))

    def get_fresh(self, stream_id: UUID) -> CachedStream[S]:
        """Return a stream that is up to date with the store."""
        cached = self.get_cached(stream_id)
        if cached is None:
            return self.add(self._load(stream_id))
        cached.refresh()
        return cached

    def get_at_least(self, stream_id: UUID, version: int | None) -> CachedStream[S]:
        """Return a stream at a stored version or later; read the store only if the cache is behind.

        Without a version, it is up to date with the store.
        """
        if version is None:
            return self.get_fresh(stream_id)
        cached = self.get(stream_id)
        if cached.state.version < version:
            cached.refresh()
        return cached

    def get_or_new(self, stream_id: UUID) -> CachedStream[S]:
        """Return the cached stream, or an empty one for one that may not exist yet."""
        return self.get_cached(stream_id) or CachedStream(self._store, self._decider, stream_id)

    def add(self, cached: CachedStream[S]) -> CachedStream[S]:
        """Cache a stream and return it; if another thread has already cached it, return that one."""
        with self._lock:
            cached = self._streams.setdefault(cached.id, cached)
            self._mark_used(cached)
        return cached

    def _mark_used(self, cached: CachedStream[S]) -> None:
        """Mark a stream as used and update its size; evict the least recently used if the cache is full."""
        self._streams.move_to_end(cached.id)
        weight = cached.bytes
        if weight == self._weights.get(cached.id):
            return
        self.bytes += weight - self._weights.get(cached.id, 0)
        self._weights[cached.id] = weight
        while len(self._streams) > self._size or (self.bytes > self._max_bytes and len(self._streams) > 1):
            self._remove(next(iter(self._streams)))
            self.evicted += 1
        self.measured()

    def measured(self) -> None:
        """Called after each change of the size."""

    def _remove(self, stream_id: UUID) -> None:
        del self._streams[stream_id]
        self.bytes -= self._weights.pop(stream_id)

    def get_cached(self, stream_id: UUID) -> CachedStream[S] | None:
        """Return a stream if it is in the cache; raise RecordDamagedError if it was found damaged."""
        with self._lock:
            cached = self._streams.get(stream_id)
            if cached is None:
                return None
            if cached.must_be_read_again:
                self._remove(stream_id)
                return None
            self._mark_used(cached)
        cached.require_undamaged()
        return cached

    def refresh_all(self, found: Sequence[CachedStream[S]]) -> list[ServiceError | None]:
        """Update streams whose locks the caller holds, with one query; return an error or None for each."""
        try:
            rows = self._store.rows_of_many({cached.id: cached.state.version for cached in found})
        except UnavailableError as error:
            return [error] * len(found)
        return [self._add_rows(cached, rows[cached.id]) for cached in found]

    def _add_rows(self, cached: CachedStream[S], rows: Sequence[StoredEvent]) -> ServiceError | None:
        try:
            cached.add_rows(lambda: self._store.decoded(rows))
        except RecordDamagedError as error:
            return error
        return None

    def append_all(self, entries: Sequence[NewEntry]) -> list[Exception | None]:
        """Store entries of several streams together; each has its result, as of `EventStore.append_all`."""
        return self._store.append_all(entries)

    def newest(self, stream_ids: Sequence[UUID], known: Mapping[UUID, int]) -> dict[UUID, int]:
        """Return the newest version of each stream, as `EventStore.newest` does."""
        return self._store.newest(stream_ids, known)

    def load_many(self, stream_ids: Sequence[UUID]) -> list[CachedStream[S]]:
        """Return up-to-date streams, with one query for those in the cache; the others are not cached.

        Damaged ones are left out.
        """
        cached = {stream_id: self.get_cached(stream_id) for stream_id in stream_ids}
        known = {stream_id: one.state.version for stream_id, one in cached.items() if one is not None}
        newest, found = self._store.newest(list(known), known), []
        for stream_id, one in cached.items():
            with suppress(RecordDamagedError):
                stream = one or self._load(stream_id)
                if stream.state.version < newest.get(stream_id, 0):
                    stream.refresh()
                found.append(stream)
        return found

    def _load(self, stream_id: UUID) -> CachedStream[S]:
        cached = CachedStream(self._store, self._decider, stream_id)
        try:
            cached.refresh()
        except RecordDamagedError:
            self.add(cached)  # so that the next request does not read all rows again
            raise
        if not cached.state.version:
            raise NotFoundError(f"There is no such {self._decider.kind}.")
        return cached
