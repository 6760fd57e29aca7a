"""Wake-ups: clients that wait for a match, or for any match of a player, are woken after a commit.

A wake-up is a hint and carries no data: the woken client reads the cached match, or the store if the cache is
behind. Between processes, wake-ups travel by LISTEN/NOTIFY on PostgreSQL, sent after the commit from a
separate thread (a NOTIFY inside the transaction would serialise all commits). On SQLite, each process polls
for new rows. A regular sweep replaces lost wake-ups.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Lock
from uuid import UUID

import msgspec

from kontor_games.domain.house_bots import is_searched
from kontor_games.domain.match import Match
from kontor_games.domain.stream import HOUSE, Stream


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A match has reached a new version."""

    match: UUID
    version: int
    players: tuple[str, ...]
    """The creator, the seated and the invited players."""
    deadline: int | None
    """When the match will next change without a command of a player."""
    bot_may_act: bool
    """Whether a house bot has a move."""
    over: bool = False
    """Whether the match has ended."""
    creator: str = ""
    """Who created the match: background work takes turns among creators."""
    searched: bool = False
    """Whether the bot that has a move plays in a process of its own, since a bot of the match searches."""


def change_of(match_id: UUID, match: Match) -> Change:
    """Return the change that announces the current version of a match."""
    players = {taken.player for taken in match.seats if taken and taken.player != HOUSE}
    invited = {player for seat in range(len(match.seats)) if (player := match.reserved_for(seat))}
    topics = players | invited | {match.created.creator}
    bot_may_act = any(taken and taken.house and match.has_move(taken.seat) for taken in match.seats)
    return Change(
        match_id,
        match.version,
        tuple(sorted(topics)),
        match.next_deadline,
        bot_may_act,
        match.over,
        match.created.creator,
        bot_may_act and is_searched(match),
    )


def tournament_change(tournament_id: UUID, version: int) -> Change:
    """Return the change that announces a version of a tournament; only those who wait for it are woken."""
    return Change(tournament_id, version, (), deadline=None, bot_may_act=False)


Listener = Callable[[Change], None]
_MAX_PENDING = 1000
"""Changes kept for a waiter whose client reads slowly; beyond that it must re-read the store."""


class Waiter(Event):
    """An event that is set when a topic changes, with the changes since the last `take_changes`."""

    def __init__(self) -> None:
        """Starts out of date: the first `take_changes` returns None."""
        super().__init__()
        self._pending: deque[tuple[str, int]] = deque()
        self._out_of_date = True

    def notify(self, match_id: str, version: int) -> None:
        """Wake the waiter: a match has reached a version."""
        if len(self._pending) < _MAX_PENDING:
            self._pending.append((match_id, version))
        else:
            self._out_of_date = True
        self.set()

    def wake(self) -> None:
        """Wake the waiter without naming a match; it must re-read the store."""
        self._out_of_date = True
        self.set()

    def take_changes(self) -> dict[str, int] | None:
        """Return the newest version of each match changed since the last call; None: re-read the store."""
        changes: dict[str, int] = {}
        for _ in range(len(self._pending)):
            match_id, version = self._pending.popleft()
            changes[match_id] = max(version, changes.get(match_id, 0))  # a late wake-up names an old version
        if not self._out_of_date:
            return changes
        # Before the caller reads the store, so that a wake-up during the read counts.
        self._out_of_date = False
        return None


class CallbackWaiter(Waiter):
    """A waiter that calls a function instead of waking a thread; the function must not block."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        super().__init__()
        self._on_change = on_change

    def set(self) -> None:
        self._on_change()


class Feed:
    """The waiters of this process, and the listeners and relays that are called on every change."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiters: defaultdict[str, dict[Waiter, None]] = defaultdict(dict)
        self._listeners: list[Listener] = []
        self._relays: list[Listener] = []
        self.closing = False
        """Whether this process is about to stop, so that no client should wait any longer."""

    def publish(self, match_id: UUID, match: Match) -> None:
        """Announce a change that this process has stored, here and to the other processes."""
        self._announce(change_of(match_id, match))

    def publish_tournament(self, tournament_id: UUID, tournament: Stream) -> None:
        """Announce that a tournament has reached a version, here and to the other processes."""
        self._announce(tournament_change(tournament_id, tournament.version))

    def _announce(self, change: Change) -> None:
        self.notify(change)
        for relay in self._relays:
            relay(change)

    def notify(self, change: Change) -> None:
        """Announce a change in this process."""
        if self._waiters:
            match_id = str(change.match)
            for waiter in self._waiters_for((match_id, *change.players)):
                waiter.notify(match_id, change.version)
        for listen in self._listeners:
            listen(change)

    def wake(self, topics: Iterable[str]) -> None:
        """Wake all waiters of these topics; they must re-read the store."""
        for waiter in self._waiters_for(topics):
            waiter.wake()

    def notify_topic(self, topic: str, versions: Mapping[UUID, int]) -> None:
        """Notify the waiters of a topic of versions that were found in the store."""
        for waiter in self._waiters_for([topic]):
            for match_id, version in versions.items():
                waiter.notify(str(match_id), version)

    def _waiters_for(self, topics: Iterable[str]) -> list[Waiter]:
        with self._lock:
            return [waiter for topic in topics for waiter in self._waiters.get(topic, ())]

    def on_change(self, listener: Listener) -> None:
        """Call a listener on every change; it must not block."""
        self._listeners.append(listener)

    def add_relay(self, relay: Listener) -> None:
        """Call a relay on every change that this process has stored; it must not block."""
        self._relays.append(relay)

    @contextmanager
    def waiting_for(self, topics: Iterable[str], waiter: Waiter | None = None) -> Iterator[Waiter]:
        """Register a waiter. Register first, then read the store, then wait, so that no change is missed."""
        waiter, waited_for = waiter or Waiter(), tuple(topics)
        with self._lock:
            for topic in waited_for:
                self._waiters[topic][waiter] = None
        try:
            yield waiter
        finally:
            self._remove(waiter, waited_for)

    def _remove(self, waiter: Waiter, topics: tuple[str, ...]) -> None:
        with self._lock:
            for topic in topics:
                self._waiters[topic].pop(waiter, None)
                if not self._waiters[topic]:
                    del self._waiters[topic]

    def end_waits(self) -> None:
        """End all waits so that this process can stop; clients reconnect to another process."""
        self.closing = True
        self.wake(self.topics())

    def topics(self) -> list[str]:
        with self._lock:
            return list(self._waiters)
