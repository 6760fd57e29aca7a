"""Calls the application for a complete request, and sends what it answers."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.server.connection import Connection
from kontor_games.api.server.refusals import RecentRefusals

SLOWEST_READER_S = 20.0
"""How long a stream waits for a client that takes nothing."""

Application = Callable[..., Iterable[bytes]]


class _Outbox:
    """What gunicorn writes an answer to; it is then sent at once, without waiting for the client."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.parts.append(data)


class Exchange:
    """The application and the settings of gunicorn."""

    def __init__(self, application: Application, cfg: Any) -> None:
        """Ends keep-alive once `closing` is set."""
        self._application = application
        self._cfg = cfg
        self.refusals = RecentRefusals()
        self.closing = False

    def answer(self, connection: Connection) -> None:
        """Answer the request of a connection, whole; the client takes it at its own pace."""
        if self.refusals.repeat(connection):
            return
        outbox = _Outbox()
        close = self._run(connection, outbox)
        connection.send(b"".join(outbox.parts), close=close)

    def stream(self, connection: Connection) -> None:
        """Answer a request while its answer arises; this thread waits for the client, but not for ever."""
        connection.sock.settimeout(SLOWEST_READER_S)
        close = self._run(connection, connection.sock)
        connection.sock.setblocking(False)
        connection.send(b"", close=close)

    def _run(self, connection: Connection, target: Any) -> bool:
        """Write the answer; return whether the connection must be closed."""
        request = connection.read()
        response, environ = wsgi.create(request, target, connection.client, connection.server, self._cfg)
        environ["wsgi.multithread"] = True
        connection.put_body(environ)
        if self.closing:
            response.force_close()
        try:
            refused = self._write(response, environ)
            if refused is not None:
                self.refusals.note(connection, response, refused)
            return bool(response.should_close())
        except OSError:
            connection.close()  # the client of a stream has gone, or reads too slowly
            return True

    def _write(self, response: Any, environ: dict[str, Any]) -> bytes | None:
        """Write the answer; return its body if the client has made too many requests."""
        items = self._application(environ, response.start_response)
        try:
            item = b""
            for item in items:
                response.write(item)
            response.close()
            return item if response.status_code == HTTPStatus.TOO_MANY_REQUESTS else None
        finally:
            if hasattr(items, "close"):
                items.close()
