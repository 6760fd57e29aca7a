"""The listening sockets of a process; new connections are spread evenly over the processes of one server.

All processes wait on the same sockets, and the kernel does not choose the one with the fewest connections: of
33 connections, one of two processes got 24. So a process with more connections than another one ignores a new
connection for a moment, so that the other one can accept it.
"""

import atexit
import os
import selectors
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from mmap import mmap
from pathlib import Path
from socket import socket

_PROCESSES = 64
_ALIVE_S = 1.0
"""A process that has not updated its count for this long is ignored: it is busy, suspended or dead."""
_TURN_S = 0.5
_LEAVE_S = 0.005
"""How long a new connection is left for other processes."""


class ConnectionCounts:
    """The number of connections of each process, in memory that forked processes share."""

    def __init__(self) -> None:
        """Allocate the shared memory; must be called before processes are forked."""
        values = memoryview(mmap(-1, 2 * 8 * _PROCESSES)).cast("d")
        self._written_at, self._counts = values[:_PROCESSES], values[_PROCESSES:]

    def write(self, process: int, count: int) -> None:
        """Record the number of connections that a process has now."""
        index = process % _PROCESSES
        self._counts[index], self._written_at[index] = count, time.monotonic()

    def others_have_fewer(self, process: int, count: int) -> bool:
        """Return whether another process that can accept a connection has fewer than this one."""
        alive_since = time.monotonic() - _ALIVE_S
        return any(
            written_at > alive_since and other < count and index != process % _PROCESSES
            for index, (written_at, other) in enumerate(zip(self._written_at, self._counts, strict=True))
        )


class Listeners:
    """Registers listening sockets with a poller, except while their next connection is left for others."""

    def __init__(
        self,
        poller: selectors.BaseSelector,
        sockets: Sequence[socket],
        counts: ConnectionCounts | None,
        process: int,
    ) -> None:
        """Register the sockets, each with itself as data; `counts` is None if there is only one process."""
        self._poller = poller
        self._sockets = sockets
        self._counts = counts
        self._process = process
        self._left: dict[socket, float] = {}
        """The sockets that are currently left for other processes, and until when."""
        for listener in sockets:
            listener.setblocking(False)
            self._register(listener)

    def _register(self, listener: socket) -> None:
        self._poller.register(listener, selectors.EVENT_READ, listener)

    def write_count(self, count: int) -> None:
        """Tell the other processes how many connections this one has."""
        if self._counts is not None:
            self._counts.write(self._process, count)

    @property
    def wait_s(self) -> float:
        """How long the poller may block, in seconds."""
        return _LEAVE_S if self._left else _TURN_S

    def leave(self, listener: socket, count: int) -> bool:
        """Leave the next connection for a process that has fewer; return False if there is none."""
        if self._counts is None or not self._counts.others_have_fewer(self._process, count):
            return False
        self._poller.unregister(listener)
        self._left[listener] = time.monotonic() + _LEAVE_S
        return True

    def take_back(self) -> Iterator[socket]:
        """Yield the sockets whose time has passed, registered again."""
        if self._left:
            now = time.monotonic()
            for listener in [one for one, until in self._left.items() if until <= now]:
                del self._left[listener]
                self._register(listener)
                yield listener

    def close(self) -> None:
        for listener in self._sockets:
            if self._left.pop(listener, None) is None:
                self._poller.unregister(listener)
            listener.close()


def make_process_directory() -> Path:
    """Create the directory; it is removed when gunicorn's main process exits."""
    directory, creator = Path(tempfile.mkdtemp(prefix="patient-worker-")), os.getpid()

    def remove() -> None:
        if os.getpid() == creator:  # not in the workers, which inherit this exit handler
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return directory
