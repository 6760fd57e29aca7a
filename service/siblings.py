"""The processes of one server, which divide matches among themselves.

A process that did not make the last move of a match must read and check the newest entries first, which costs
a third of a move. So each match has an owner among the processes, and a process that gets many moves at once
forwards them to the owners. Ownership is not a lock: every process can make moves in every match, and does so
itself if the owner does not answer.
"""

import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import AF_UNIX, SHUT_RDWR, SOCK_STREAM, socket
from struct import Struct
from threading import Thread
from time import monotonic

import structlog

from kontor_games.service.metrics import sibling_failures

_LOG = structlog.get_logger(__name__)
_ANSWER_S = 5.0
"""How long to wait for an answer; the connections of a killed process end at once."""
_REFRESH_S = 1.0
"""How often the directory is read to see which processes are running."""
_MAX_IDLE = 8
"""Maximum number of unused connections to one process."""
_BACKLOG = 64
_MAX_READ = 1 << 18
_SIZE = Struct("!I")

Reply = Callable[[], bytes | None]
"""Waits for an answer; None if there is none."""


class Siblings:
    """Sends messages to the other processes of the server, and answers theirs."""

    def __init__(self) -> None:
        self._directory: Path | None = None
        self._name = ""
        self._names: Sequence[str] = ()
        self._names_read_at = 0.0
        self._idle: defaultdict[str, deque[socket]] = defaultdict(deque)
        self._listener: socket | None = None

    def join(self, answer: Callable[[bytes], bytes], directory: Path, name: str | None = None) -> None:
        """Answer messages on a socket in a directory of all processes; if that fails, go on alone."""
        self._name = name or str(os.getpid())
        listener = socket(AF_UNIX, SOCK_STREAM)
        try:
            (directory / self._name).unlink(missing_ok=True)
            listener.bind(str(directory / self._name))
        except OSError as error:
            _LOG.warning("siblings_not_joined", error=type(error).__name__)
            listener.close()
            return
        listener.listen(_BACKLOG)
        self._directory, self._listener = directory, listener
        Thread(target=self._accept, args=(listener, answer), name="siblings", daemon=True).start()

    def leave(self) -> None:
        """Stop listening; messages that are being answered are lost, and their senders notice that."""
        directory, listener = self._directory, self._listener
        self._directory = self._listener = None
        if directory is not None and listener is not None:
            (directory / self._name).unlink(missing_ok=True)
            with suppress(OSError):
                listener.shutdown(SHUT_RDWR)  # wakes the thread that accepts
            listener.close()
        self._close_idle(set(self._idle))

    def indices_by_owner(self, ids: Sequence[str]) -> dict[str, list[int]]:
        """Return the indices of ids by the process that owns them; the name of this process is empty."""
        names = self._running_names()
        if len(names) < 2:
            return {"": list(range(len(ids)))}
        shares = defaultdict[str, list[int]](list)
        for index, id_ in enumerate(ids):
            owner = names[int(id_[:8], 16) % len(names)]  # ids are random
            shares["" if owner == self._name else owner].append(index)
        return shares

    def _running_names(self) -> Sequence[str]:
        if (directory := self._directory) is None:
            return ()
        if (now := monotonic()) > self._names_read_at + _REFRESH_S:
            self._names, self._names_read_at = _names_in(directory), now
            self._close_idle(set(self._idle) - set(self._names))
        return self._names

    def _close_idle(self, names: Iterable[str]) -> None:
        """Close the unused connections to processes that have ended."""
        for name in names:
            idle = self._idle.pop(name, deque())
            while (connection := _pop(idle)) is not None:
                connection.close()

    # --- asking ---------------------------------------------------------------------------------------------

    def ask(self, name: str, message: bytes) -> Reply:
        """Send a message to a process; return a function that waits for the answer."""
        connection = _pop(self._idle[name]) or self._connect(name)
        if connection is None:
            return _no_answer
        try:
            _send(connection, message)
        except OSError:
            connection.close()
            return _no_answer
        return partial(self._reply, name, connection)

    def _connect(self, name: str) -> socket | None:
        if (directory := self._directory) is None:
            return None
        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.settimeout(_ANSWER_S)
        try:
            connection.connect(str(directory / name))
        except OSError as error:
            connection.close()
            if isinstance(error, ConnectionRefusedError):  # the process was killed
                (directory / name).unlink(missing_ok=True)
            self._names_read_at = 0.0
            return None
        return connection

    def _reply(self, name: str, connection: socket) -> bytes | None:
        try:
            answer = _receive(connection)
        except OSError:
            answer = None
        if answer is None:
            sibling_failures.inc()
        if answer is None or len(self._idle[name]) >= _MAX_IDLE:
            connection.close()
        else:
            self._idle[name].append(connection)
        return answer

    # --- answering ------------------------------------------------------------------------------------------

    def _accept(self, listener: socket, answer: Callable[[bytes], bytes]) -> None:
        with suppress(OSError):  # closed by `leave`
            while True:
                connection, _ = listener.accept()
                Thread(target=_serve, args=(connection, answer), name="sibling", daemon=True).start()


def _serve(connection: socket, answer: Callable[[bytes], bytes]) -> None:
    """Answer message after message; an exception closes the connection, so that the sender notices it."""
    with connection, suppress(OSError):
        while (message := _receive(connection)) is not None:
            _send(connection, answer(message))


def _names_in(directory: Path) -> list[str]:
    try:
        return sorted(path.name for path in directory.iterdir())
    except FileNotFoundError:  # the directory was deleted
        return []


def _pop(idle: deque[socket]) -> socket | None:
    try:
        return idle.pop()
    except IndexError:
        return None


def _no_answer() -> None:
    sibling_failures.inc()


def _send(connection: socket, message: bytes) -> None:
    connection.sendall(_SIZE.pack(len(message)) + message)


def _receive(connection: socket) -> bytes | None:
    """Return the next message; None if the connection has ended."""
    head = _read(connection, _SIZE.size)
    return None if head is None else _read(connection, _SIZE.unpack(head)[0])


def _read(connection: socket, size: int) -> bytes | None:
    parts = []
    while size:
        part = connection.recv(min(size, _MAX_READ))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
