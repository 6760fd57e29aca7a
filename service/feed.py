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

from domain.entry import HOUSE
from domain.match import Match

Listener = Callable[[UUID], None]


def topics_of(match_id: UUID, match: Match) -> tuple[str, ...]:
    """What can be waited for that changes with a match: itself, and everyone who has part in it."""
    players = {taken.player for taken in match.seats if taken and taken.player != HOUSE}
    invited = {plan.player for plan in match.created.seats if plan.player}
    return (str(match_id), *sorted(players | invited | {match.created.creator}))


class Feed:
    """Who waits in this process, and whom to tell elsewhere."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._lock = Lock()
        self._waiting: defaultdict[str, list[Event]] = defaultdict(list)
        self._listeners: list[Listener] = []
        self._relays: list[Callable[[tuple[str, ...]], None]] = []

    def publish(self, match_id: UUID, match: Match) -> None:
        """Something was stored by this process."""
        topics = topics_of(match_id, match)
        self.wake(topics)
        for relay in self._relays:
            relay(topics)

    def wake(self, topics: tuple[str, ...]) -> None:
        """Something was stored, here or elsewhere, on a match (the first topic) and its players (the others)."""
        with self._lock:
            events = [event for topic in topics for event in self._waiting.get(topic, ())]
        for event in events:
            event.set()
        for listen in self._listeners:
            listen(UUID(topics[0]))

    def on_change(self, listener: Listener) -> None:
        """Calls a worker whenever a match has changed; it must return at once."""
        self._listeners.append(listener)

    def relay_to(self, relay: Callable[[tuple[str, ...]], None]) -> None:
        """Adds a way to the other processes."""
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
