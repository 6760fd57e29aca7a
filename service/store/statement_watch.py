"""Ends calls to a PostgreSQL that is connected but does not answer, which no time limit of libpq covers."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

import psycopg
import structlog
from psycopg import Connection

from kontor_games.service.threads import ThreadGroup

ANSWER_LIMIT_S = 7.0
"""How long a call may use a connection; longer than the server lets any statement run."""
SURELY_S = 1.0
"""When one call has reached the limit, those that have waited this long are ended, too."""
_PAUSE_S = 0.25
_LOG = structlog.get_logger(__name__)


class StatementWatch(ThreadGroup):
    """Shuts down the sockets of connections in use for too long: the driver then raises OperationalError."""

    def __init__(self, drop_connections: Callable[[], None]) -> None:
        """After a call was ended, `drop_connections` is called: idle ones lead to the same server."""
        super().__init__(partial(self.repeat, self.check, _PAUSE_S, "statements_not_watched"))
        self._drop_connections = drop_connections
        self.in_use: dict[Connection[Any], float] = {}
        """The connections in use, and since when; each call adds and removes its own."""

    def check(self) -> None:
        """End all waiting calls if one of them has reached the limit."""
        now, waiting = monotonic(), list(self.in_use.items())
        if all(now - since < ANSWER_LIMIT_S for _, since in waiting):
            return
        _LOG.error("database_does_not_answer", calls=len(waiting))
        for connection, since in waiting:
            if now - since >= SURELY_S:
                _shut_down(connection)
        self._drop_connections()


def _shut_down(connection: Connection[Any]) -> None:
    """Shut down the socket of a connection that another thread uses; only closing it would not wake that."""
    with (
        suppress(psycopg.Error, OSError),  # closed meanwhile
        socket.socket(fileno=os.dup(connection.fileno())) as same,
    ):
        same.shutdown(socket.SHUT_RDWR)
