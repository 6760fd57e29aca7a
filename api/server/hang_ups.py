"""Notices clients that disconnect while they wait for events, so that their threads end at once."""

import select
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

HANG_UP = "patient_worker.hang_up"
"""Key of the WSGI environment for the HangUp of a request that may wait."""


class HangUp:
    """Whether the client of one request has disconnected, and what to do then."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._call: Callable[[], None] | None = None
        self.is_gone = False
        """Whether the client has disconnected; it stays False on systems without epoll."""

    def on_gone(self, call: Callable[[], None]) -> None:
        """Call this when the client disconnects, or now if it has; the last function given counts."""
        self._call = call
        if self.is_gone:
            call()

    def check(self) -> None:
        """Call the function if the client has disconnected."""
        poll = select.poll()
        try:
            poll.register(self._sock, select.POLLRDHUP)
        except ValueError:
            return  # closed meanwhile
        if poll.poll(0):
            self.is_gone = True
            if self._call is not None:
                self._call()


class HangUps:
    """Watches the sockets of all requests that wait, in one thread per process.

    A client that closes only its sending side counts as disconnected, as it does for proxies.
    """

    def __init__(self) -> None:
        """The first socket starts the thread."""
        self._epoll = select.epoll() if hasattr(select, "epoll") else None
        self._watched: dict[int, HangUp] = {}
        self._lock = Lock()
        self._is_started = False

    def watch(self, sock: socket.socket) -> HangUp:
        """Watch the socket of a request until `forget`."""
        hang_up, fd = HangUp(sock), sock.fileno()
        if self._epoll is None:
            return hang_up
        with self._lock:
            self._watched[fd] = hang_up
            self._epoll.register(fd, select.EPOLLRDHUP | select.EPOLLONESHOT)
            if not self._is_started:
                Thread(target=self._run, args=(self._epoll,), name="hang_ups", daemon=True).start()
                self._is_started = True
        return hang_up

    def forget(self, fd: int, hang_up: HangUp) -> None:
        """Stop watching; the socket may be closed, and another one may have got its number."""
        with self._lock:
            if self._epoll is not None and self._watched.get(fd) is hang_up:
                del self._watched[fd]
                with suppress(OSError):  # the kernel has forgotten a closed socket already
                    self._epoll.unregister(fd)

    def _run(self, epoll: "select.epoll") -> None:
        while True:
            for fd, _ in epoll.poll():
                hang_up = self._watched.get(fd)
                if hang_up is not None:
                    hang_up.check()
