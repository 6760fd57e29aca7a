"""A gunicorn worker in which slow clients occupy no threads.

gunicorn's own threaded worker reads requests in its threads, so a thousand clients that send half
a request occupy a thousand threads. It also closes connections in its main thread, so that one slow
client blocks all others. In this worker, the main thread reads from all sockets without blocking;
only complete requests get a thread, round-robin by address; and responses that wait for events
(streams, long polls) have separate threads.
"""

import errno
import gc
import os
import selectors
import socket
import time
from abc import abstractmethod
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from gunicorn.workers.base import Worker  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.connections import PHASE_LIMITS_S, Connections
from kontor_games.api.server.exchange import Exchange
from kontor_games.api.server.hooks import ServerHooks
from kontor_games.api.server.listeners import ConnectionCounts, Listeners, make_process_directory
from kontor_games.api.server.own_responses import (
    WIRE_ERRORS,
    OwnResponses,
    RequestTimeoutError,
    TooManyConnectionsError,
)
from kontor_games.api.server.plain_request import client_of
from kontor_games.api.server.stream_writer import StreamWriter
from kontor_games.api.server.thread_pools import RequestThreads, StreamThreads

_ACCEPTED_AT_ONCE = 32
_FEW = 64
"""With fewer connections, a process accepts one at a time, so that the processes share them evenly."""
_ORPHAN_GRACE_S = 1.0
_CLOSE_S = 3.0
"""How long background work may take to finish its current step when the process stops."""
_OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class PatientWorker(Worker):  # type: ignore[misc]
    """Reads from and writes to sockets in the main thread, and calls the application in other threads.

    An application derives its own worker from it, with the methods `prepare` and `hooks_of`.
    """

    process_directory: Path | None = None
    """The directory through which the processes of this server find each other; None for one process."""
    connection_counts: ConnectionCounts | None = None
    """The number of connections of each process of this server; None for one process."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Prepare an application in gunicorn's main process; the forked workers inherit it and start faster.

        gunicorn calls this before it forks workers. Objects that exist by then are never garbage collected.
        """
        cls.prepare()
        if cfg.workers > 1:
            cls.process_directory, cls.connection_counts = make_process_directory(), ConnectionCounts()
        gc.collect()
        gc.freeze()

    @classmethod
    def prepare(cls) -> None:
        """Build what does not depend on settings; the forked workers inherit it."""

    @classmethod
    @abstractmethod
    def hooks_of(cls, application: Any) -> ServerHooks:
        """What this worker needs from its application besides WSGI."""

    def init_process(self) -> None:
        """Create the poller and the wake-up socket; gunicorn then loads the application and calls `run`."""
        self._poller = selectors.DefaultSelector()
        self._returned: deque[Connection] = deque()
        self._waker, self._woken = socket.socketpair()
        self._waker.setblocking(False)
        self._woken.setblocking(False)
        super().init_process()

    def run(self) -> None:
        """Serve until gunicorn tells this process to stop, or gunicorn's main process has died."""
        self._hooks = self.hooks_of(self.wsgi)
        self._responses = OwnResponses(self._hooks)
        self._exchange = Exchange(self.wsgi, self.cfg, StreamWriter(self._give_back), self._hooks)
        self._requests = RequestThreads(self._exchange, self._give_back, self.cfg.threads)
        self._streams = StreamThreads(self._exchange, self._give_back, self._hooks.streams)
        self._connections = Connections(
            self._poller, self.cfg.worker_connections, self._hooks.connections_per_address
        )
        self._poller.register(self._woken, selectors.EVENT_READ)
        if self.process_directory is not None:
            self._hooks.join(self.process_directory)
        self._listeners = Listeners(self._poller, self.sockets, self.connection_counts, self.age)
        while self.alive and self.ppid == os.getppid():
            self._run_once()
        self._stop(self.cfg.graceful_timeout if self.ppid == os.getppid() else _ORPHAN_GRACE_S)

    def _run_once(self) -> None:
        self.notify()
        self._listeners.write_count(self._connections.count)
        for key, _ in self._poller.select(self._listeners.wait_s):
            if isinstance(key.data, Connection):
                if key.data.phase is not Phase.CLOSED:  # accepting another one may just have closed it
                    self._handle_event(key.data)
            elif key.fileobj is self._woken:
                self._take_back()
            elif not self._listeners.leave(key.data, self._connections.count):
                self._accept(key.data)
        for listener in self._listeners.take_back():
            self._accept(listener)
        for connection in self._connections.overdue():
            self._time_out(connection)

    def _accept(self, listener: Any) -> None:
        """Accept a limited number of connections at a time, so that existing ones are served, too."""
        for _ in range(1 if self._connections.count < _FEW else _ACCEPTED_AT_ONCE):
            try:
                sock, client = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _OUT_OF_FILES:
                    self._connections.make_room()
                return
            is_known = isinstance(client, tuple) and not self._hooks.proxies
            if is_known and self._connections.is_flooding(client[0]):
                sock.close()
                continue
            self._admit(Connection(sock, client, listener.getsockname(), self.cfg, self._hooks.body_limit))

    def _admit(self, connection: Connection) -> None:
        if self._hooks.proxies:
            connection.address = ""
        if self._connections.admit(connection):
            self._connections.wait(connection)
        else:
            connection.refuse(self._responses.to_error(TooManyConnectionsError()))
            connection.close()

    def _handle_event(self, connection: Connection) -> None:
        """Read from or write to a waiting connection."""
        try:
            if connection.phase is Phase.SENDING:
                connection.flush()
            else:
                connection.receive()
        except WIRE_ERRORS as error:
            connection.refuse(self._responses.to_error(error))
        self._update(connection)

    def _time_out(self, connection: Connection) -> None:
        """Close a connection that has timed out; if part of a request has arrived, send a problem first."""
        if connection.phase in (Phase.HEAD, Phase.BODY):
            connection.refuse(self._responses.to_error(RequestTimeoutError()))
        else:
            connection.close()
        self._update(connection)

    def _update(self, connection: Connection) -> None:
        """Record the phase of a connection that was waiting; pass it on if it no longer waits."""
        if connection.phase in PHASE_LIMITS_S:
            self._connections.update_phase(connection)
        else:
            self._connections.take(connection)
            self._route(connection)

    # --- to the threads and back ----------------------------------------------------------------------------

    def _route(self, connection: Connection) -> None:
        """Pass a connection on by its phase: to a thread, to the poller, or close it."""
        if connection.phase is Phase.IDLE and self._exchange.closing:
            connection.close()
        if connection.phase is Phase.READY:
            self._dispatch(connection)
        elif connection.phase is Phase.CLOSED:
            self._connections.forget(connection)
        elif not self._connections.wait(connection):
            connection.close()
            self._connections.forget(connection)

    def _dispatch(self, connection: Connection) -> None:
        """Pass a complete request to a thread, unless the same request was refused just now."""
        if self._exchange.throttles.repeat(connection):
            self._route(connection)
            return
        if self._hooks.may_wait(connection.head):
            if not self._streams.submit(connection):
                connection.refuse(self._responses.to_error(TooManyConnectionsError()))
                self._route(connection)
            return
        proxies = self._hooks.proxies
        self._requests.submit(
            client_of(proxies, connection.header("X-Forwarded-For")) if proxies else connection.address,
            connection,
        )

    def _give_back(self, connection: Connection) -> None:
        """Return a connection to the main thread; other threads call this."""
        self._returned.append(connection)
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # the socket is full of earlier wake-ups
            self._waker.send(b"\0")

    def _take_back(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        while self._returned:
            self._route(self._returned.popleft())

    # --- shutdown -------------------------------------------------------------------------------------------

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.alive = False
        self._wake()

    handle_quit = handle_exit
    """Ctrl-C is handled like a regular stop: responses are completed, background work finishes its step."""

    def _stop(self, grace_s: float) -> None:
        """Stop accepting connections, end all streams, and wait for the responses in progress."""
        self._exchange.closing = True
        self._listeners.close()
        Thread(target=self._hooks.end_waits, name="end_waits", daemon=True).start()
        for connection in self._connections.without_request():
            self._connections.take(connection)
            connection.close()
            self._connections.forget(connection)
        until = time.monotonic() + grace_s
        while self._connections.count and time.monotonic() < until:
            self._run_once()
        self._poller.close()
        closing = Thread(target=self._hooks.close, name="close", daemon=True)
        closing.start()
        closing.join(_CLOSE_S)
