"""The connections that wait for their clients without a thread; each is closed at its deadline."""

import selectors
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from kontor_games.api.server.connection import Connection, Phase

PHASE_LIMITS_S = {
    Phase.NEW: 10.0,
    Phase.HEAD: 10.0,
    Phase.BODY: 20.0,
    Phase.IDLE: 75.0,  # longer than proxies keep idle connections, so that they never use a closing one
    Phase.SENDING: 120.0,
    Phase.DRAINING: 2.0,
}
"""The time limit of each phase, regardless of what the client sends meanwhile."""
_WITHOUT_REQUEST = (Phase.NEW, Phase.HEAD, Phase.IDLE, Phase.DRAINING)
_MAX_UNREAD_RESPONSES = 32
"""Maximum number of responses that the clients of one address have not read yet."""
_MAX_EXCESS_PER_SECOND = 100
"""An address at its limit may open this many connections per second; further ones are closed unread."""


class Connections:
    """All connections of a process with their phases; only the main thread uses it."""

    def __init__(self, poller: selectors.BaseSelector, max_connections: int, max_per_address: int) -> None:
        """Waiting connections are registered with the poller, each with itself as data."""
        self._poller = poller
        self._max_connections = max_connections
        self._max_per_address = max_per_address
        self._since: dict[Phase, dict[Connection, float]] = {phase: {} for phase in PHASE_LIMITS_S}
        self._waiting: defaultdict[str, dict[Connection, Phase]] = defaultdict(dict)
        self._of_address: defaultdict[str, int] = defaultdict(int)
        self._excess: Counter[str] = Counter()
        self._excess_second = 0
        self.count = 0
        """The number of connections, including those that are being answered."""

    def is_flooding(self, address: str) -> bool:
        """Whether an address opens so many connections that even closing its old ones is expensive."""
        return self._excess[address] >= _MAX_EXCESS_PER_SECOND and self._excess_second == int(
            time.monotonic()
        )

    def admit(self, connection: Connection) -> bool:
        """Count a new connection; if there are too many, close a waiting one. Return False if none waits."""
        address = connection.address
        if self.count >= self._max_connections:
            has_room = self.make_room()
        elif address and self._of_address[address] >= self._max_per_address:
            self._note_excess(address)
            has_room = self._close_oldest(address)
        else:
            has_room = True
        if has_room:
            self.count += 1
            self._of_address[address] += 1
        return has_room

    def _note_excess(self, address: str) -> None:
        second = int(time.monotonic())
        if second != self._excess_second:
            self._excess.clear()
            self._excess_second = second
        self._excess[address] += 1

    def make_room(self) -> bool:
        """Close a waiting connection of the address with the most connections; return False if none waits."""
        return self._close_oldest(max(self._of_address, key=self._of_address.__getitem__, default=""))

    def _close_oldest(self, address: str) -> bool:
        oldest = next(iter(self._waiting.get(address, ())), None)
        if oldest is None:
            return False
        self.take(oldest)
        oldest.close()
        self.forget(oldest)
        return True

    def forget(self, connection: Connection) -> None:
        """Stop counting a connection that was closed."""
        self.count -= 1
        self._of_address[connection.address] -= 1
        if not self._of_address[connection.address]:
            del self._of_address[connection.address]

    def wait(self, connection: Connection) -> bool:
        """Wait for the client of a connection; return False if its address has too many unread responses."""
        phase, waiting = connection.phase, self._waiting[connection.address]
        if (
            phase is Phase.SENDING
            and connection.address
            and list(waiting.values()).count(phase) >= _MAX_UNREAD_RESPONSES
        ):
            return False
        self._poller.register(connection.fd, _event(phase), connection)
        self._since[phase][connection] = time.monotonic()
        waiting[connection] = phase
        return True

    def update_phase(self, connection: Connection) -> None:
        """Record the new phase of a waiting connection; only a new phase restarts its time limit."""
        before, phase = self._waiting[connection.address][connection], connection.phase
        if phase is not before:
            del self._since[before][connection]
            self._since[phase][connection] = time.monotonic()
            self._waiting[connection.address][connection] = phase
            if Phase.SENDING in (before, phase):
                self._poller.modify(connection.fd, _event(phase), connection)

    def take(self, connection: Connection) -> None:
        """Stop waiting for a client."""
        waiting = self._waiting[connection.address]
        del self._since[waiting.pop(connection)][connection]
        if not waiting:
            del self._waiting[connection.address]
        self._poller.unregister(connection.fd)

    def overdue(self) -> Iterator[Connection]:
        """Yield the connections whose phase has lasted too long; the caller must remove or update each."""
        now = time.monotonic()
        for phase, longest in PHASE_LIMITS_S.items():
            since = self._since[phase]
            while (first := next(iter(since), None)) is not None and since[first] + longest <= now:
                yield first

    def without_request(self) -> list[Connection]:
        """The connections without a request in progress and without a pending response."""
        return [one for phase in _WITHOUT_REQUEST for one in self._since[phase]]


def _event(phase: Phase) -> int:
    return selectors.EVENT_WRITE if phase is Phase.SENDING else selectors.EVENT_READ
