"""Carries commands out, in the same way for every kind of stream, one by one or many together.

A command is decided on the cached state and stored together with its facts, under its Idempotency-Key and the
version of its first fact. The store is read only after a refusal or a conflict; then the command is decided
again. After the commit the change is announced.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.refusals import Refusal
from kontor_games.domain.rules import Fact
from kontor_games.domain.stream import Command, Entry, Stream
from kontor_games.service.errors import KeyReusedError, ServiceError, StaleVersionError
from kontor_games.service.store.database import Statement
from kontor_games.service.store.streams import LOCK_TIMEOUT_S, CachedStream, StreamCache, too_many_waiting

S = TypeVar("S", bound=Stream)
ATTEMPTS = 20
"""How often a command is decided again because other commands were stored first."""
_PAUSE_S = 0.02
"""How long to wait for the lock of one stream before trying those of the others again."""
Decide = Callable[[S, int], Sequence[Fact]]
"""Executes a command on a copy of a state at a given time; returns its facts."""
Sign = Callable[[CachedStream[S], str, Command], Command]
"""Returns a command in the form that is stored; refuses one that is not signed as it must be."""
Rows = Callable[[CachedStream[S], S, S, Entry], Sequence[Statement]]
"""Returns the statements that are executed with an entry, from the states before and after it."""


class Envelope(Protocol):
    """What comes with a command: its author, the key and digest of the request, and the expected version."""

    @property
    def by(self) -> str: ...
    @property
    def key(self) -> str | None: ...
    @property
    def stored_digest(self) -> str: ...
    @property
    def if_version(self) -> int | None: ...


class Draft(NamedTuple, Generic[S]):
    """A command that was executed on a copy of a state and is not stored yet."""

    entry: Entry
    state: S
    statements: Sequence[Statement]
    before: S
    """The state before the command."""


class Done(NamedTuple, Generic[S]):
    """A stored command, and the state and head after it."""

    cached: CachedStream[S]
    entry: Entry
    state: S
    head: str
    before: S | None
    """The state before the command; None if it was carried out by an earlier request with the same key."""


@dataclass(slots=True)
class Pending(Generic[S]):
    """A command in progress, and its outcome."""

    cached: CachedStream[S]
    call: Envelope
    command: Command
    decide: Decide[S] | None = None
    is_fresh: bool = False
    """Whether the stream was read from the store for it, so that a refusal is final."""
    result: Done[S] | Exception | None = None


@dataclass(eq=False, repr=False)
class CommandHandler(Generic[S]):
    """Carries out the commands on all streams of one kind."""

    _cache: StreamCache[S]
    _clock: Callable[[], int]
    _sign: Sign[S]
    _rows: Rows[S]
    _announce: Callable[[UUID, S], None]
    """Called after each commit."""

    def carry_out(
        self, cached: CachedStream[S], call: Envelope, command: Command, decide: Decide[S] | None = None
    ) -> Done[S]:
        """Carry out one command, or raise why it can't be; `decide` replaces that of the command."""
        pending = Pending(cached, call, command, decide)
        with cached.lock:
            self._carry_out([pending])
        return _result(pending)

    def carry_out_many(self, commands: Sequence[Pending[S]]) -> None:
        """Carry out commands on many streams and store them together; each gets its result.

        Several commands on the same stream are carried out in the given order.
        """
        waiting, until = list(commands), monotonic() + LOCK_TIMEOUT_S
        while waiting:
            locked, waiting = _acquire_free_locks(waiting)
            if locked:
                self._carry_out_locked(locked)
            elif monotonic() > until:
                for pending in waiting:
                    pending.result = too_many_waiting(pending.cached.decider.kind)
                return

    def _carry_out_locked(self, locked: Sequence[Pending[S]]) -> None:
        try:
            self._carry_out(locked)
        finally:
            for pending in locked:
                pending.cached.release()

    def _carry_out(self, commands: Sequence[Pending[S]]) -> None:
        """Decide on the cached states and store all entries; decide again those that conflicted."""
        for _ in range(ATTEMPTS):
            outdated = self._store(list(self._drafts(commands)))
            if not outdated:
                return
            self._refresh(outdated)
            commands = outdated
        for pending in commands:
            version = pending.cached.state.version
            pending.result = pending.result or StaleVersionError(pending.call.if_version or 0, version)

    def _drafts(self, commands: Sequence[Pending[S]]) -> Iterator[tuple[Pending[S], Draft[S]]]:
        """The commands that are not refused; before a refusal is final, the stream is read from the store."""
        outdated = []
        for pending in commands:
            try:
                if draft := self._draft(pending):
                    yield pending, draft
            except (Refusal, StaleVersionError) as error:
                if pending.is_fresh:
                    pending.result = error
                else:
                    outdated.append(pending)
            except ServiceError as error:
                pending.result = error
        if outdated:
            self._refresh(outdated)
            yield from self._drafts([pending for pending in outdated if pending.result is None])

    def _draft(self, pending: Pending[S]) -> Draft[S] | None:
        """Execute a command on a copy of the state; None if it was carried out before or has a result."""
        call, cached = pending.call, pending.cached
        if pending.result is not None:
            return None
        if (call.by, call.key) in cached.keys:
            pending.result = self.replay(cached, call, announce=pending.is_fresh)
            return None
        return self.draft(cached, call, pending.command, pending.decide)

    def draft(
        self, cached: CachedStream[S], call: Envelope, command: Command, decide: Decide[S] | None = None
    ) -> Draft[S]:
        """Execute a command on a copy of the state, or raise the refusal."""
        before = cached.state
        require_version(call, before)
        state = before.copy() if before.version else cached.decider.empty()
        at, by = self.now(before), call.by
        if before.version:
            command = self._sign(cached, by, command)
        facts = tuple(decide(state, at) if decide else command.decide(state, by, at))
        key, seat = call.key or secrets.token_hex(8), cached.decider.seat(state)
        entry = Entry(before.version + 1, at, by, seat, command, key, call.stored_digest, facts)
        return Draft(entry, state, self._rows(cached, before, state, entry), before)

    def _refresh(self, outdated: Sequence[Pending[S]]) -> None:
        if len(outdated) == 1:
            errors = [_error_of(outdated[0].cached.refresh)]
        else:
            errors = self._cache.refresh_all([one.cached for one in outdated])
        for pending, error in zip(outdated, errors, strict=True):
            pending.is_fresh, pending.result = True, error

    def _store(self, drafts: Sequence[tuple[Pending[S], Draft[S]]]) -> list[Pending[S]]:
        """Store commands together; return those whose version another process has stored first."""
        started_at = monotonic()
        new = [pending.cached.new_entry(*draft[:3]) for pending, draft in drafts]
        outdated = []
        for (pending, draft), one, error in zip(drafts, new, self._cache.append_all(new), strict=True):
            if error is None:
                pending.cached.publish(draft.entry, draft.state, one.stored.head, started_at)
                pending.result = self._announced(pending.cached, draft)
            elif isinstance(error, IntegrityError):
                outdated.append(pending)
            else:
                pending.result = error
        return outdated

    def _announced(self, cached: CachedStream[S], draft: Draft[S]) -> Done[S]:
        self.announce(cached)
        return Done(cached, draft.entry, draft.state, cached.heads[-1], draft.before)

    def announce(self, cached: CachedStream[S]) -> None:
        """Notify listeners of the newest version."""
        cached.notified_version = cached.state.version
        self._announce(cached.id, cached.state)

    def replay(self, cached: CachedStream[S], call: Envelope, *, announce: bool = False) -> Done[S]:
        """The outcome of the command that was stored under the same key.

        With `announce`, listeners are notified again: perhaps this process stored the command but lost the
        answer of the database, so that nobody was notified.
        """
        if announce:
            self.announce(cached)
        entry = cached.keys.get((call.by, call.key or ""))
        if entry is None or entry.request_digest != call.stored_digest:
            raise KeyReusedError("This Idempotency-Key was already used for a different request.")
        return replayed(cached, entry)

    def now(self, state: S) -> int:
        """The time of a command that is decided on a state; never earlier than the one before."""
        return max(self._clock(), state.at)


def replayed(cached: CachedStream[S], entry: Entry) -> Done[S]:
    """The outcome of a stored command, computed again."""
    state = cached.state if cached.state.version == entry.last else cached.at_version(entry.last)
    return Done(cached, entry, state, cached.head_at(entry.last), None)


def require_version(call: Envelope, state: Stream) -> None:
    """Raise StaleVersionError if the command is based on another version."""
    if call.if_version is not None and call.if_version != state.version:
        raise StaleVersionError(call.if_version, state.version)


def _result(pending: Pending[S]) -> Done[S]:
    result = pending.result
    if isinstance(result, Exception):
        raise result
    if result is None:
        raise RuntimeError("a command was neither carried out nor refused")
    return result


def _error_of(work: Callable[[], None]) -> ServiceError | None:
    try:
        work()
    except ServiceError as error:
        return error
    return None


def _acquire_free_locks(waiting: Sequence[Pending[S]]) -> tuple[list[Pending[S]], list[Pending[S]]]:
    """Take the locks that are free, one command for each stream; return those commands, and the others.

    Nothing waits for a lock while it holds another, so two requests can't block each other for ever.
    """
    tried, locked, others = set(), list[Pending[S]](), list[Pending[S]]()
    for pending in waiting:
        is_free = pending.cached.id not in tried and pending.cached.acquire(0)
        (locked if is_free else others).append(pending)
        tried.add(pending.cached.id)
    if not locked and waiting[0].cached.acquire(_PAUSE_S):
        return [others[0]], others[1:]
    return locked, others
