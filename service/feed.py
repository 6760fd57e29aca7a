"""Wake-ups: who waits for a match, or for any of a player's matches, is told when something new is stored.

A wake-up is a hint, never data: the woken reads the log. Between processes they travel by LISTEN/NOTIFY on PostgreSQL, sent
after the commit and by a thread of its own (a NOTIFY inside the transaction would serialise all commits), and by looking at the
newest row on SQLite. A lost hint is made good by a sweep over the matches that someone waits for.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from uuid import UUID

import msgspec

from domain.entry import HOUSE
from domain.match import Match


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


class Feed:
    """Who waits in this process, and whom to tell elsewhere."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._lock = Lock()
        self._waiting: defaultdict[str, list[Event]] = defaultdict(list)
        self._listeners: list[Listener] = []
        self._relays: list[Listener] = []

    def publish(self, match_id: UUID, match: Match) -> None:
        """Something was stored by this process."""
        change = change_of(match_id, match)
        self.tell(change)
        for relay in self._relays:
            relay(change)

    def tell(self, change: Change) -> None:
        """Something was stored, here or elsewhere."""
        if self._waiting:
            self.wake((str(change.match), *change.players))
        for listen in self._listeners:
            listen(change)

    def wake(self, topics: Iterable[str]) -> None:
        """Wakes whoever waits for one of these."""
        with self._lock:
            events = [event for topic in topics for event in self._waiting.get(topic, ())]
        for event in events:
            event.set()

    def on_change(self, listener: Listener) -> None:
        """Calls a worker whenever a match has changed; it must return at once."""
        self._listeners.append(listener)

    def relay_to(self, relay: Listener) -> None:
        """Adds a way to the other processes; it must return at once."""
        self._relays.append(relay)

    @contextmanager
    def waiting_for(self, topics: Iterable[str]) -> Iterator[Event]:
        """An event that is set when one of the topics changes: take it, then look, then wait, so that nothing slips between."""
        event, wanted = Event(), tuple(topics)
        with self._lock:
            for topic in wanted:
                self._waiting[topic].append(event)
        try:
            yield event
        finally:
            self._leave(event, wanted)

    def _leave(self, event: Event, topics: tuple[str, ...]) -> None:
        with self._lock:
            for topic in topics:
                self._waiting[topic].remove(event)
                if not self._waiting[topic]:
                    del self._waiting[topic]

    def awaited(self) -> list[str]:
        """The topics that someone waits for."""
        with self._lock:
            return list(self._waiting)
