"""Wake-ups: who waits for a match, or for any of a player's matches, is told when something new is stored.

A wake-up is a hint, never data: the woken reads the log, and the store only if this process does not hold that version yet. Between processes they travel by LISTEN/NOTIFY on PostgreSQL, sent
after the commit and by a thread of its own (a NOTIFY inside the transaction would serialise all commits), and by looking at the
newest row on SQLite. A lost hint is made good by a sweep over the matches that someone waits for.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from uuid import UUID

import msgspec

from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE


class Change(msgspec.Struct, frozen=True, array_like=True):
    """That something new was stored of a match, and what its followers need to know before they look."""

    match: UUID
    version: int
    players: tuple[str, ...]
    """Everyone who has part in the match."""
    deadline: int | None
    """When time alone will change it."""
    house: bool
    """Whether a house bot may want to move."""


def change_of(match_id: UUID, match: Match) -> Change:
    """The hint that a match has changed."""
    players = {taken.player for taken in match.seats if taken and taken.player != HOUSE}
    invited = {plan.player for plan in match.created.seats if plan.player}
    topics = players | invited | {match.created.creator}
    return Change(match_id, match.version, tuple(topics), match.next_deadline, bots_may_act(match))


def bots_may_act(match: Match) -> bool:
    """Whether a house bot has a move now."""
    bots = [seat for seat, taken in enumerate(match.seats) if taken and taken.house]
    return bool(bots) and any(seat in bots for seat in match.may_act)


Listener = Callable[[Change], None]
_MOST_TOLD = 1000
"""Changes that a waiter keeps in mind; whoever is that far behind, as with a client that reads slowly, looks for themselves."""


class Waiter(Event):
    """Somebody who waits: set when there is news, and told of which matches."""

    def __init__(self) -> None:
        """Has not looked yet, so knows nothing."""
        super().__init__()
        self._told: deque[tuple[str, int]] = deque()
        self._unsure = True

    def tell(self, match_id: str, version: int) -> None:
        """A match has come to a version."""
        if len(self._told) < _MOST_TOLD:
            self._told.append((match_id, version))
        else:
            self._unsure = True
        self.set()

    def startle(self) -> None:
        """Something may have happened; nobody knows what."""
        self._unsure = True
        self.set()

    def news(self) -> dict[str, int] | None:
        """The versions to which matches have come since the last time; None when only the store can say."""
        told = dict(self._told.popleft() for _ in range(len(self._told)))
        if not self._unsure:
            return told
        self._unsure = False  # whoever is startled from here on looks again
        return None


class Feed:
    """Who waits in this process, and whom to tell elsewhere."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._lock = Lock()
        self._waiting: defaultdict[str, list[Waiter]] = defaultdict(list)
        self._listeners: list[Listener] = []
        self._relays: list[Listener] = []
        self.closing = False
        """Whether nobody should wait any longer: this process is about to end."""

    def publish(self, match_id: UUID, match: Match) -> None:
        """Something was stored by this process."""
        change = change_of(match_id, match)
        self.tell(change)
        for relay in self._relays:
            relay(change)

    def tell(self, change: Change) -> None:
        """Something was stored, here or elsewhere."""
        if self._waiting:
            match_id = str(change.match)
            for waiter in self._who_wait_for((match_id, *change.players)):
                waiter.tell(match_id, change.version)
        for listen in self._listeners:
            listen(change)

    def wake(self, topics: Iterable[str]) -> None:
        """Wakes whoever waits for one of these; they look for themselves."""
        for waiter in self._who_wait_for(topics):
            waiter.startle()

    def _who_wait_for(self, topics: Iterable[str]) -> list[Waiter]:
        with self._lock:
            return [waiter for topic in topics for waiter in self._waiting.get(topic, ())]

    def on_change(self, listener: Listener) -> None:
        """Calls a worker whenever a match has changed; it must return at once."""
        self._listeners.append(listener)

    def relay_to(self, relay: Listener) -> None:
        """Adds a way to the other processes; it must return at once."""
        self._relays.append(relay)

    @contextmanager
    def waiting_for(self, topics: Iterable[str]) -> Iterator[Waiter]:
        """A waiter that is told when one of the topics changes: take it, then look, then wait, so that nothing slips between."""
        waiter, wanted = Waiter(), tuple(topics)
        with self._lock:
            for topic in wanted:
                self._waiting[topic].append(waiter)
        try:
            yield waiter
        finally:
            self._leave(waiter, wanted)

    def _leave(self, waiter: Waiter, topics: tuple[str, ...]) -> None:
        with self._lock:
            for topic in topics:
                self._waiting[topic].remove(waiter)
                if not self._waiting[topic]:
                    del self._waiting[topic]

    def dismiss(self) -> None:
        """Sends everybody away who waits, so that a process can end: they come back, and find another one."""
        self.closing = True
        self.wake(self.awaited())

    def awaited(self) -> list[str]:
        """The topics that someone waits for."""
        with self._lock:
            return list(self._waiting)
