"""Our worker of gunicorn.

gunicorn's own threaded worker reads requests in its threads, so a thousand clients that send half
a request hold a thousand threads, and closes connections in its main thread, so that one slow
client stops everyone. Here the main thread reads what arrives, without waiting for anyone; only
complete requests get a thread, in turn by address; and answers that wait for something to happen
(streams, long polls) have threads of their own.
"""

import errno
import gc
import os
import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from gunicorn.workers.base import Worker  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api import prepare
from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.connections import LONGEST_S, Connections
from kontor_games.api.server.exchange import Exchange
from kontor_games.api.server.hooks import ServerHooks, client_of, may_wait
from kontor_games.api.server.listeners import ConnectionCounts, Listeners
from kontor_games.api.server.meeting_place import make_meeting_place
from kontor_games.api.server.stream_writer import StreamWriter
from kontor_games.api.server.threads import RequestThreads, StreamThreads
from kontor_games.api.server.wire_problems import (
    WIRE_ERRORS,
    RequestTimeoutError,
    TooManyConnectionsError,
    answer_of_wire,
)

_ACCEPTED_AT_ONCE = 32
_FEW = 64
"""Below this number of connections a process accepts one at a time, so that processes share them evenly."""
_ORPHAN_GRACE_S = 1.0
_CLOSE_S = 3.0
"""How long background work may take to finish its current step."""
_OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class KontorWorker(Worker):  # type: ignore[misc]
    """Reads and writes in the main thread, and answers in others."""

    meeting_place: Path | None = None
    """Where the processes of this server find each other; None if there is only one."""
    connection_counts: ConnectionCounts | None = None
    """The connections of all processes of this server; None if there is only one."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Prepare an application in gunicorn's main process; the forked workers inherit it and start faster.

        gunicorn calls this before it starts workers. What is there by then is never garbage.
        """
        prepare()
        if cfg.workers > 1:
            cls.meeting_place, cls.connection_counts = make_meeting_place(), ConnectionCounts()
        gc.collect()
        gc.freeze()

    def init_process(self) -> None:
        """Prepare for `run`; gunicorn then loads the application and calls `run`."""
        self._poller = selectors.DefaultSelector()
        self._returned: deque[tuple[Connection, Exception | None]] = deque()
        self._waker, self._woken = socket.socketpair()
        self._waker.setblocking(False)
        self._woken.setblocking(False)
        super().init_process()

    def run(self) -> None:
        """Serve until gunicorn tells this process to stop, or has died."""
        self._hooks: ServerHooks = self.wsgi.extensions["kontor.server"]
        self._exchange = Exchange(self.wsgi, self.cfg, StreamWriter(self._give_back))
        self._requests = RequestThreads(self._exchange, self._give_back, self.cfg.threads)
        self._streams = StreamThreads(self._exchange, self._give_back, self._hooks.streams)
        self._connections = Connections(
            self._poller, self.cfg.worker_connections, self._hooks.connections_per_address
        )
        self._poller.register(self._woken, selectors.EVENT_READ)
        if self.meeting_place is not None:
            self._hooks.join(self.meeting_place)
        self._listeners = Listeners(self._poller, self.sockets, self.connection_counts, self.age)
        while self.alive and self.ppid == os.getppid():
            self._turn()
        self._stop(self.cfg.graceful_timeout if self.ppid == os.getppid() else _ORPHAN_GRACE_S)

    def _turn(self) -> None:
        self.notify()
        self._listeners.write_count(self._connections.count)
        for key, _ in self._poller.select(self._listeners.wait_s):
            if isinstance(key.data, Connection):
                if key.data.phase is not Phase.CLOSED:  # another one, just accepted, may have taken its place
                    self._attend(key.data)
            elif key.fileobj is self._woken:
                self._take_back()
            elif not self._listeners.leave(key.data, self._connections.count):
                self._accept(key.data)
        for listener in self._listeners.take_back():
            self._accept(listener)
        for connection in self._connections.overdue():
            self._give_up(connection)

    def _accept(self, listener: Any) -> None:
        """Accept a limited number of connections, so that existing ones are also served."""
        for _ in range(1 if self._connections.count < _FEW else _ACCEPTED_AT_ONCE):
            try:
                sock, client = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _OUT_OF_FILES:
                    self._connections.make_room()
                return
            if self._is_flooding(client):
                sock.close()
                continue
            self._greet(Connection(sock, client, listener.getsockname(), self.cfg, self._hooks.body_limit))

    def _is_flooding(self, client: Any) -> bool:
        """Whether a client that just connected is one of too many from its address."""
        is_known = isinstance(client, tuple) and not self._hooks.proxies
        return is_known and self._connections.is_flooding(client[0])

    def _greet(self, connection: Connection) -> None:
        if self._hooks.proxies:
            connection.address = ""
        if self._connections.admit(connection):
            self._connections.wait(connection)
        else:
            connection.refuse(self._refusal(TooManyConnectionsError()))
            connection.close()

    def _attend(self, connection: Connection) -> None:
        """Read from or write to a waiting connection."""
        try:
            if connection.phase is Phase.SENDING:
                connection.flush()
            else:
                connection.receive()
        except WIRE_ERRORS as error:
            connection.refuse(self._refusal(error))
        if connection.phase in LONGEST_S:
            self._connections.go_on(connection)
        else:
            self._connections.take(connection)
            self._place(connection)

    def _give_up(self, connection: Connection) -> None:
        """Close a connection that has timed out; if a request has started, answer with a problem first."""
        if connection.phase in (Phase.HEAD, Phase.BODY):
            connection.refuse(self._refusal(RequestTimeoutError()))
        else:
            connection.close()
        if connection.phase in LONGEST_S:
            self._connections.go_on(connection)
        else:
            self._connections.take(connection)
            self._place(connection)

    def _refusal(self, error: Exception) -> bytes:
        return answer_of_wire(error)

    # --- to the threads and back ----------------------------------------------------------------------------

    def _place(self, connection: Connection) -> None:
        """Register a connection for what it needs next: a thread, the poller, or closing."""
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
        """Give a complete request to a thread, unless the same request was refused just now."""
        if self._exchange.refusals.repeat(connection):
            self._place(connection)
            return
        if may_wait(connection.head, connection.header("Accept")):
            if not self._streams.submit(connection):
                connection.refuse(self._refusal(TooManyConnectionsError()))
                self._place(connection)
            return
        proxies = self._hooks.proxies
        self._requests.submit(
            client_of(proxies, connection.header("X-Forwarded-For")) if proxies else connection.address,
            connection,
        )

    def _give_back(self, connection: Connection, fault: Exception | None) -> None:
        """Return a connection to the main thread; other threads call this."""
        self._returned.append((connection, fault))
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # full of wake-ups already
            self._waker.send(b"\0")

    def _take_back(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        while self._returned:
            connection, fault = self._returned.popleft()
            if fault is not None:
                connection.refuse(self._refusal(fault))
            self._place(connection)

    # --- the end --------------------------------------------------------------------------------------------

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Start the shutdown."""
        self.alive = False
        self._wake()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Handle Ctrl-C like a regular stop: answers are completed and background work finishes its step."""
        self.handle_exit(sig, frame)

    def _stop(self, grace_s: float) -> None:
        """Stop accepting, end all streams, and wait for the answers in progress."""
        self._exchange.closing = True
        self._listeners.close()
        Thread(target=self._hooks.end_waits, name="end_waits", daemon=True).start()
        for connection in self._connections.without_request():
            self._connections.take(connection)
            connection.close()
            self._connections.forget(connection)
        until = time.monotonic() + grace_s
        while self._connections.count and time.monotonic() < until:
            self._turn()
        self._poller.close()
        closing = Thread(target=self._hooks.close, name="close", daemon=True)
        closing.start()
        closing.join(_CLOSE_S)
