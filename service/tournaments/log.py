"""The tournaments in the memory of this process: built from their entries once, then kept up to date."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, RLock
from uuid import UUID

import structlog

from kontor_games.domain.tournaments.chain import GENESIS, TournamentEntry, records_of
from kontor_games.domain.tournaments.commands import COMMAND_CODEC
from kontor_games.domain.tournaments.facts import (
    TOURNAMENT_CODEC,
    ContributionsDue,
    EditionSigned,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentStarted,
)
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.errors import MatchDamagedError, NotFoundError, UnavailableError
from kontor_games.service.store.database import Statement
from kontor_games.service.store.event_store import EventStore, Stored, StoredEntry
from kontor_games.service.store.match_cache import UNREADABLE
from kontor_games.service.tournaments.answers import TournamentEvents
from kontor_games.service.trust.tournament_chain import read_tournament_entry

_LOG = structlog.get_logger(__name__)
_LOCK_TIMEOUT_S = 10.0
_MAX_CACHED = 200
_MAX_ANSWERS = 64
_MILESTONES = (TournamentAnnounced, ContributionsDue, TournamentStarted, EditionSigned, TournamentCancelled)
"""The facts after which the log gets a leaf immediately."""


class TournamentLog:
    """A tournament with its log: the entries so far, their heads, and the commands by Idempotency-Key."""

    def __init__(self, store: EventStore, tournament_id: UUID) -> None:
        self._store = store
        self._lock = RLock()
        self.id = tournament_id
        self.name = str(tournament_id)
        self.tournament = Tournament()
        self.entries: list[TournamentEntry] = []
        self.heads: list[str] = []
        """For each entry, the head of the hash chain after it."""
        self.keys: dict[tuple[str, str], TournamentEntry] = {}
        self._recent: tuple[int, dict[tuple[int, int], TournamentEvents]] = (0, {})

    @property
    @contextmanager
    def lock(self) -> Iterator[None]:
        """Allow one command at a time; raise UnavailableError if the lock is not acquired in time."""
        if not self._lock.acquire(timeout=_LOCK_TIMEOUT_S):
            raise UnavailableError("Too many commands are waiting for this tournament. Try again.")
        try:
            yield
        finally:
            self._lock.release()

    @property
    def head(self) -> str:
        """The hash of the newest fact."""
        return self.heads[-1] if self.heads else GENESIS

    def refresh(self) -> None:
        """Read what other processes have stored since; raise MatchDamagedError if an entry is damaged."""
        with self.lock:
            version = self.tournament.version + 1
            try:
                rows = self._store.entries(self.id, after=self.tournament.version)
                if rows and rows[0].kind == "tournament":  # it is not the id of a match
                    self._apply_rows(rows)
            except UNREADABLE as error:  # its text is left out: it may contain hidden information
                raise self._damage(version, f"it cannot be read ({type(error).__name__})") from error

    def _apply_rows(self, rows: Sequence[StoredEntry]) -> None:
        """Apply all rows, or none if one of them can't be read or does not continue the hash chain."""
        tournament, head, entries = self.tournament.copy(), self.head, list[TournamentEntry]()
        for row in rows:
            entry = read_tournament_entry(row)
            head = self._head_after(entry, (self.entries or entries or [entry])[0], head)
            if row.originator_version != tournament.version + 1 or head != row.stored.head:
                raise self._damage(tournament.version + 1, "a row does not continue the hash chain")
            for fact in entry.facts:
                tournament.fold_fact(fact)
            tournament.at = entry.at
            entries.append(entry)
        for row, entry in zip(rows, entries, strict=True):
            self._add(entry, row.stored.head)
        self.tournament = tournament

    def _damage(self, version: int, reason: str) -> MatchDamagedError:
        _LOG.error("tournament_damaged", tournament=self.name, version=version, reason=reason)
        return MatchDamagedError(version, reason, "tournament")

    def append(self, entry: TournamentEntry, after: Tournament, statements: Sequence[Statement]) -> None:
        """Store an entry and publish the tournament; raise IntegrityError if its version is taken."""
        head = self._head_after(entry, (self.entries or [entry])[0], self.head)
        facts = [TOURNAMENT_CODEC.encode(fact) for fact in entry.facts]
        command = COMMAND_CODEC.encode(entry.command)
        stored = Stored(entry.at, entry.by, entry.key, entry.request_digest, command, facts, head)
        self._store.append(self.id, entry.first, stored, statements, kind="tournament")
        self._add(entry, head)
        self.tournament = after

    def _head_after(self, entry: TournamentEntry, first: TournamentEntry, head: str) -> str:
        """Return the head after an entry, from the first entry of the tournament and the head before."""
        announced = first.facts[0]
        if not isinstance(announced, TournamentAnnounced):
            raise self._damage(1, "the first fact is not an announcement")
        last: str = records_of(self.name, entry, announced.server_secret, head)[-1]["hash"]
        return last

    def _add(self, entry: TournamentEntry, head: str) -> None:
        self.heads.append(head)
        self.entries.append(entry)
        self.keys[entry.by, entry.key] = entry

    def recent_events(self, after: int, limit: int, make: Callable[[], TournamentEvents]) -> TournamentEvents:
        """Return the answer to readers of the newest version; it is cached and shared by them."""
        version, kept = self._recent
        if version != self.tournament.version:
            version, kept = self._recent = self.tournament.version, {}
        if (after, limit) not in kept and len(kept) < _MAX_ANSWERS:
            made = make()
            if made.version != version:
                return made
            kept.setdefault((after, limit), made)
        return kept.get((after, limit)) or make()

    def index_of(self, version: int) -> int:
        """Return the index of the entry that contains this version, or the number of entries if none does."""
        return bisect_left(self.entries, version, key=lambda entry: entry.last)

    def entry_of(self, by: str, key: str | None) -> TournamentEntry | None:
        """Return the entry that was stored under a key."""
        return self.keys.get((by, key)) if key else None

    def head_at(self, version: int) -> str:
        """Return the head after the entry that ends with this version."""
        return self.heads[self.index_of(version)]


class TournamentLogs:
    """The logs of the most recently used tournaments."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._lock = Lock()
        self._logs: OrderedDict[UUID, TournamentLog] = OrderedDict()

    def get_or_new(self, tournament_id: UUID) -> TournamentLog:
        """Return the log of a tournament, up to date; it is empty if there is none."""
        with self._lock:
            log = self._logs.get(tournament_id) or TournamentLog(self._store, tournament_id)
            self._logs[tournament_id] = log
            self._logs.move_to_end(tournament_id)
            while len(self._logs) > _MAX_CACHED:
                self._logs.popitem(last=False)
        log.refresh()
        return log

    def get(self, tournament_id: UUID, at_least: int | None = None) -> TournamentLog:
        """Return the log of a tournament, up to date; raise NotFoundError if there is none.

        With `at_least`, a cached log that has this version counts as up to date.
        """
        known = self._logs.get(tournament_id)
        if at_least is not None and known is not None and 0 < at_least <= known.tournament.version:
            return known
        log = self.get_or_new(tournament_id)
        if not log.tournament.version:
            with self._lock:
                self._logs.pop(tournament_id, None)
            raise NotFoundError("There is no such tournament.")
        return log

    def newest_head(self, tournament_id: UUID) -> tuple[int, str]:
        """Return the version of the newest fact of a tournament, and its hash."""
        log = self.get(tournament_id)
        with log.lock:
            return log.tournament.version, log.head

    def milestone_head(self, tournament_id: UUID) -> tuple[int, str]:
        """Return version and hash after the last announcement, start, signed edition or cancellation."""
        log = self.get(tournament_id)
        with log.lock:
            return next(
                (entry.last, head)
                for entry, head in zip(reversed(log.entries), reversed(log.heads), strict=True)
                if isinstance(entry.facts[-1], _MILESTONES)
            )
