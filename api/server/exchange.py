"""Calls the application with a complete request, and sends the response."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from io import BytesIO
from types import MappingProxyType, SimpleNamespace
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.hang_ups import HANG_UP, HangUps
from kontor_games.api.server.hooks import LIVE, ServerHooks
from kontor_games.api.server.own_responses import OwnResponses
from kontor_games.api.server.plain_request import PlainAnswer, PlainRequests
from kontor_games.api.server.stream_writer import SLOWEST_READER_S, HandedOver, LiveStream, StreamWriter
from kontor_games.api.server.throttle_cache import RecentThrottles

Application = Callable[..., Iterable[bytes]]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Exchange:
    """Answers the requests of connections with the WSGI application."""

    def __init__(self, application: Application, cfg: Any, writer: StreamWriter, hooks: ServerHooks) -> None:
        """Hand streams over to `writer`. Once `closing` is set, close after each response."""
        self._application = application
        self._writer = writer
        self._cfg = cfg
        self._plain = PlainRequests(cfg)
        self._hang_ups = HangUps()
        self.may_wait = hooks.may_wait
        self.responses = OwnResponses(hooks)
        self.throttles = RecentThrottles(self.responses)
        self.closing = False

    def answer(self, connection: Connection) -> None:
        """Answer a request with a buffered response, so that this thread does not wait for a slow client."""
        if self.throttles.repeat(connection):
            return
        if not self._answer_plain(connection):
            parts: list[bytes] = []
            close = self._run(connection, SimpleNamespace(sendall=parts.append))
            connection.send(b"".join(parts), close=bool(close))

    def _answer_plain(self, connection: Connection) -> bool:
        """Answer a request that `PlainRequests` can parse; return False if gunicorn must parse it."""
        environ = (
            None
            if connection.too_large
            else self._plain.read(connection.head, connection.client, connection.server)
        )
        if environ is None:
            return False
        environ["wsgi.input"] = BytesIO(connection.take_body())
        answer = PlainAnswer()
        items = self._application(environ, answer.start_response)
        try:
            body = b"".join(items)
        finally:
            if hasattr(items, "close"):
                items.close()
        if answer.status.startswith("429"):
            self.throttles.note(connection, answer.headers, body)
        closes = self.closing or environ.get("HTTP_CONNECTION", "").lower() == "close"
        is_head = environ["REQUEST_METHOD"] == "HEAD"
        connection.send(answer.to_bytes(body, is_head=is_head, closes=closes), close=closes)
        return True

    def stream(self, connection: Connection) -> bool:
        """Answer a request with a stream; this thread waits at most SLOWEST_READER_S for a slow client.

        Return whether the connection was handed over to the thread that writes many streams.
        """
        connection.sock.settimeout(SLOWEST_READER_S)
        hang_up = self._hang_ups.watch(connection.sock)
        try:
            close = self._run(connection, connection.sock, {HANG_UP: hang_up})
        finally:
            self._hang_ups.forget(connection.fd, hang_up)
        if close is None:
            return True
        if connection.phase is not Phase.CLOSED:
            connection.sock.setblocking(False)
            connection.send(b"", close=close)
        return False

    def _run(self, connection: Connection, target: Any, more: Mapping[str, Any] = _NOTHING) -> bool | None:
        """Write the response; return whether the connection must be closed, or None if it was handed over."""
        request = connection.read()
        response, environ = wsgi.create(request, target, connection.client, connection.server, self._cfg)
        environ["wsgi.multithread"] = True
        environ.update(more)
        connection.put_body(environ)
        if self.closing:
            response.force_close()
        try:
            last = self._write(connection, target, response, environ)
            if last is None:
                return None
            if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                self.throttles.note(connection, response.headers, last)
            return bool(response.should_close())
        except OSError:
            connection.close()  # the client of a stream has disconnected, or reads too slowly
            return True

    def _write(
        self, connection: Connection, target: Any, response: Any, environ: dict[str, Any]
    ) -> bytes | None:
        """Write the response; return its last piece, or None if the rest was handed over."""
        handed_over, items = False, self._application(environ, response.start_response)
        try:
            item = b""
            for item in items:
                response.write(item)
                if LIVE in environ and response.chunked and target is connection.sock:
                    self._hand_over(connection, response, items, environ[LIVE])
                    handed_over = True
                    return None
            response.close()
            return item
        finally:
            if hasattr(items, "close") and not handed_over:
                items.close()

    def _hand_over(self, connection: Connection, response: Any, items: Any, live: LiveStream) -> None:
        """Send everything new since the first piece, then hand the stream over to another thread."""
        stream = HandedOver(connection, live, items.close, bool(response.should_close()))
        live.begin(partial(self._writer.changed, stream))
        try:
            while not live.over and (data := live.take()):
                response.write(data)
        except OSError:
            live.close()
            raise
        connection.sock.setblocking(False)
        self._writer.add(stream)
