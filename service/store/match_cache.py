"""Matches as this process knows them: rebuilt from their entries once, then fast-forwarded.

A published `Match` is never changed: commands work on copies, which take its place once stored. So whoever holds one holds a
consistent picture without any lock.
"""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, RLock
from time import monotonic
from uuid import UUID

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.commands import COMMAND_CODEC, Command, Entry, command_codec
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import fact_codec, read_facts
from kontor_games.service.errors import NotFoundError, UnavailableError
from kontor_games.service.store.database import Statement
from kontor_games.service.store.event_store import EventStore, Stored, StoredEntry

_LONGEST_WAIT_S = 5.0


def read_entry(row: StoredEntry, match: Match, read_command: Callable[[Codec, Plain], Command] = Codec.decode) -> Entry:
    """A stored entry as an object; `match` is the one before it."""
    stored = row.stored
    facts = read_facts(stored.facts, match.rules if match.version else None)
    command = read_command(command_codec(match.rules) if match.version else COMMAND_CODEC, stored.command)
    return Entry(row.originator_version, stored.at, stored.by, stored.seat, command, stored.key, stored.body, facts)


def write_entry(entry: Entry, match: Match, head: str) -> Stored:
    """The stored form of an entry, `match` being the one after it."""
    encode = fact_codec(match.rules).encode
    facts = [encode(fact) for fact in entry.facts]
    command = command_codec(match.rules).encode(entry.command)
    return Stored(entry.at, entry.by, entry.key, entry.request_digest, command, facts, head, entry.seat)


class CachedMatch:
    """One match: its entries so far, where it stands, and the commands already carried out."""

    __slots__ = ("_lock", "_looked", "_store", "entries", "heads", "id", "keys", "match", "name", "told")

    def __init__(self, store: EventStore, match_id: UUID) -> None:
        """Knows nothing until it is refreshed."""
        self._store = store
        self.id = match_id
        self.name = str(match_id)
        self._lock = RLock()
        self._looked = 0.0
        self.match = Match()
        self.entries: list[Entry] = []
        self.heads: list[str] = []
        """For each entry, the head of the hash chain after it."""
        self.keys: dict[tuple[str, str], Entry] = {}
        self.told = 0
        """The version of which this process was told, or has told, that it is there."""

    @property
    @contextmanager
    def lock(self) -> Iterator[None]:
        """One command at a time. Nobody waits for ever behind others for whom the database does not answer."""
        if not self._lock.acquire(timeout=_LONGEST_WAIT_S):
            raise UnavailableError("too many commands wait for this match; try again with the same Idempotency-Key")
        try:
            yield
        finally:
            self._lock.release()

    def refresh(self) -> None:
        """Takes in what other processes have stored since."""
        asked = monotonic()
        with self.lock:
            if self._looked > asked:
                return  # while this one waited, another has looked for both
            self._looked = monotonic()
            rows = self._store.entries(self.id, after=self.match.version)
            if rows:
                self._take_in(rows)

    def _take_in(self, rows: Sequence[StoredEntry]) -> None:
        """All of them or, should one not be readable, none."""
        match = self.match.copy() if self.match.version else Match()
        entries = []
        for row in rows:
            entries.append(read_entry(row, match))
            match.fold(entries[-1])
        for row, entry in zip(rows, entries, strict=True):
            self._note(entry, row.stored.head)
        self.match = match

    def append(self, entry: Entry, match: Match, also: Sequence[Statement]) -> None:
        """Stores an entry and publishes the match after it; IntegrityError where another command came first."""
        head = self._link(entry, match)[-1]
        looked = monotonic()
        self._store.append(self.id, entry.first, write_entry(entry, match, head), also)
        self._note(entry, head)
        self.match = match
        self._looked = looked  # had there been anything else, this would not be stored

    def _link(self, entry: Entry, match: Match, before: str | None = None) -> list[str]:
        before = before or (self.heads[-1] if self.heads else GENESIS)
        return link(self.name, match.rules, entry, match.created.server_secret, before)

    def _note(self, entry: Entry, head: str) -> None:
        self.heads.append(head)
        self.entries.append(entry)
        self.keys[entry.by, entry.key] = entry

    def at_version(self, version: int) -> Match:
        """The match as it stood when so many facts had happened."""
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
        """The hash of the fact with this version."""
        place = bisect_left(self.entries, version, key=lambda entry: entry.last)
        entry = self.entries[place]
        if entry.last == version:
            return self.heads[place]
        before = self.heads[place - 1] if place else GENESIS
        return self._link(entry, self.match, before)[version - entry.first]

    def entries_after(self, version: int) -> list[Entry]:
        """The entries that hold facts beyond a version."""
        start = bisect_right(self.entries, version, key=lambda entry: entry.last)
        return self.entries[start:]


class MatchCache:
    """The matches this process holds in memory, the least used dropped first."""

    def __init__(self, store: EventStore, size: int) -> None:
        """Empty; matches are read when first asked for."""
        self._store = store
        self._size = size
        self._lock = Lock()
        self._held: OrderedDict[UUID, CachedMatch] = OrderedDict()

    def hold(self, match_id: UUID) -> CachedMatch:
        """The match's log, perhaps behind the store; NotFoundError where there is no such match."""
        return self.peek(match_id) or self._read(match_id)

    def fresh(self, match_id: UUID) -> CachedMatch:
        """The match's log, up to date."""
        log = self.peek(match_id)
        if log is None:
            return self._read(match_id)
        log.refresh()
        return log

    def at_least(self, match_id: UUID, version: int) -> CachedMatch:
        """The match's log, up to a version that is known to be stored; where this process holds that much, nobody looks at the store."""
        log = self.hold(match_id)
        if log.match.version < version:
            log.refresh()
        return log

    def begin(self, match_id: UUID) -> CachedMatch:
        """The log of a match that may not exist yet."""
        return self.peek(match_id) or CachedMatch(self._store, match_id)

    def keep(self, log: CachedMatch) -> CachedMatch:
        """Remembers a log. Two threads may have read it at once: the first one kept is the one that counts."""
        with self._lock:
            log = self._held.setdefault(log.id, log)
            self._held.move_to_end(log.id)
            while len(self._held) > self._size:
                self._held.popitem(last=False)
        return log

    def peek(self, match_id: UUID) -> CachedMatch | None:
        """The match's log if this process holds it."""
        with self._lock:
            log = self._held.get(match_id)
            if log is not None:
                self._held.move_to_end(match_id)
            return log

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """For each match the version of the first fact of its newest entry, as the store says."""
        return self._store.newest(match_ids)

    def glance_all(self, match_ids: Sequence[UUID]) -> list[CachedMatch]:
        """The logs of some matches, up to date, with one look at the store; those read for this only are not kept."""
        newest = self._store.newest(match_ids)
        logs = [self._held.get(match_id) or self._load(match_id) for match_id in match_ids]
        for log in logs:
            if log.match.version < newest[log.id]:
                log.refresh()
        return logs

    def _read(self, match_id: UUID) -> CachedMatch:
        return self.keep(self._load(match_id))

    def _load(self, match_id: UUID) -> CachedMatch:
        log = CachedMatch(self._store, match_id)
        log.refresh()
        if not log.match.version:
            raise NotFoundError("There is no such match.")
        return log
