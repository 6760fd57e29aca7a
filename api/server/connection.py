"""One connection: the bytes received, the request parsed from them, and the bytes still to be sent."""

import io
import socket
from contextlib import suppress
from enum import Enum
from typing import Any

from gunicorn.http.message import Request  # type: ignore[import-untyped]  # gunicorn has no types
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]

from kontor_games.api.server.own_responses import RequestTimeoutError
from kontor_games.api.server.plain_request import (
    TLS_HANDSHAKE,
    BodyTooLargeError,
    ChunkedBody,
    body_of,
    expects_continue,
    find_head_end,
    find_header,
)

_READ_SIZE = 65_536
_MAX_PIECES = 512
"""A request that arrives in more pieces is refused: each piece costs the service a system call."""
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Phase(Enum):
    """The phase of a connection; the value says what the connection waits for."""

    NEW = "the first byte"
    HEAD = "the rest of a head"
    BODY = "the rest of a body"
    READY = "an answer"
    IDLE = "the next request"
    SENDING = "a client that reads slowly"
    DRAINING = "a client that still sends, although it has its answer"
    CLOSED = "nothing"


class _ReceivedBytes(Unreader):  # type: ignore[misc]
    """Feeds received bytes to gunicorn's parser, without reading from the socket."""

    def chunk(self, size_hint: int | None = None) -> bytes:
        return b""


class Connection:
    """A connection; one thread uses it at a time: the main thread to wait, a pool thread to answer."""

    __slots__ = (
        "_body", "_buffer", "_cfg", "_chunks", "_close_after", "_drains", "_length", "_limit", "_outgoing",
        "_pieces", "_requests", "_searched", "address", "client", "fd", "head", "phase", "request", "server",
        "sock",
    )  # fmt: skip

    def __init__(self, sock: socket.socket, client: Any, server: Any, cfg: Any, body_limit: int) -> None:
        """Wrap a socket that was just accepted."""
        sock.setblocking(False)
        self.sock = sock
        self.fd = sock.fileno()
        self.client = client
        self.server = server
        self.address = client[0] if isinstance(client, tuple) else ""
        """The IP address of the client; empty behind a proxy, whose connections carry many clients."""
        self.phase = Phase.NEW
        self.request: Any = None
        self._cfg = cfg
        self._limit = body_limit
        self._buffer = bytearray()
        self._outgoing = memoryview(b"")
        self._requests = 0
        self._close_after = self._drains = False
        self._begin()

    def _begin(self) -> None:
        """Reset the state for the next request."""
        self.head = b""
        self.request = None
        self._body = b""
        self._searched = 0
        self._pieces = 0
        self._length = 0
        self._chunks: ChunkedBody | None = None

    # --- receiving ------------------------------------------------------------------------------------------

    def receive(self) -> None:
        """Read from the socket; raise one of WIRE_ERRORS if the bytes cannot become a valid request."""
        try:
            data = self.sock.recv(_READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data or (self.phase is Phase.NEW and data[0] == TLS_HANDSHAKE):
            self.close()
        elif self.phase is not Phase.DRAINING:
            self._pieces += 1
            self._buffer += data
            self.advance()
            if self._pieces > _MAX_PIECES and self.phase is not Phase.READY:
                raise RequestTimeoutError

    def advance(self) -> None:
        """Check whether a complete request has arrived."""
        if not self.head:
            if not self._buffer:
                self.phase = Phase.IDLE
                return
            self.phase = Phase.HEAD
            end = find_head_end(self._buffer, self._searched)
            if end is None:
                self._searched = len(self._buffer)
                return
            self._take_head(end)
        self.phase = Phase.READY if self._is_complete() else Phase.BODY

    def _take_head(self, end: int) -> None:
        self.head = bytes(self._buffer[:end])
        del self._buffer[:end]
        length, chunked = body_of(self.head)
        self._length = length
        self._chunks = ChunkedBody(self._limit) if chunked else None
        if expects_continue(self.head) and not self._is_complete():
            self._send_now(_CONTINUE)

    def _is_complete(self) -> bool:
        """Whether the body is complete, or known to be too large."""
        if self._chunks is not None:
            try:
                end = self._chunks.find_end(self._buffer)
            except BodyTooLargeError:
                self._length, self._chunks = self._limit + 1, None
                return True
            self._length = end or 0
            return end is not None
        return len(self._buffer) >= self._length or self.too_large

    def read(self) -> Any:
        """Parse the complete request with gunicorn's parser, which raises its errors for a malformed one."""
        received = _ReceivedBytes()
        received.unread(self.head)
        self._requests += 1
        self.request = Request(self._cfg, received, self.client, self._requests)
        self.request._expected_100_continue = False  # `_take_head` has sent it
        body = b"" if self.too_large else bytes(self._buffer[: self._length])
        self.skip_body()
        if self._chunks is not None:
            received.unread(body)
            body = self.request.body.read()
        if self.too_large:
            self.request.force_close()
        self._body = body
        return self.request

    def take_body(self) -> bytes:
        """Return the body of the complete request and remove it from the buffer; not for chunked bodies."""
        body = bytes(self._buffer[: self._length])
        self.skip_body()
        return body

    def skip_body(self) -> None:
        """Drop the body of the complete request."""
        del self._buffer[: self._length]

    def put_body(self, environ: dict[str, Any]) -> None:
        """Put the body into the WSGI environment; a chunked body was joined, so it gets a Content-Length."""
        if environ.pop("HTTP_TRANSFER_ENCODING", None):
            environ["CONTENT_LENGTH"] = str(self._length if self.too_large else len(self._body))
        environ["wsgi.input"] = io.BytesIO(self._body)

    def header(self, name: str) -> str:
        """The first value of a header of the received request; empty if there is none."""
        return find_header(self.head, name)

    @property
    def too_large(self) -> bool:
        """Whether the body of the request is larger than the service reads."""
        return self._chunks is None and self._length > self._limit

    # --- sending --------------------------------------------------------------------------------------------

    def send(self, answer: bytes, *, close: bool) -> None:
        """Send as much of a response as the socket accepts immediately; `flush` sends the rest."""
        self._close_after = close
        sent = self._send_now(answer)
        if sent < len(answer):
            self._outgoing = memoryview(answer)[sent:]
            self.phase = Phase.SENDING
        elif self.phase is not Phase.CLOSED:
            self.finish()

    def refuse(self, answer: bytes) -> None:
        """Send the response to a malformed request, and close the connection."""
        self._drains = True
        self.send(answer, close=True)

    def flush(self) -> None:
        """Send more of the response."""
        self._outgoing = self._outgoing[self._send_now(self._outgoing) :]
        if not self._outgoing and self.phase is Phase.SENDING:
            self.finish()

    def _send_now(self, data: bytes | memoryview) -> int:
        try:
            return self.sock.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self.close()
            return len(data)

    def finish(self) -> None:
        """After a response was sent: close, or check for the next request, which may already have arrived."""
        if not self._close_after:
            self._begin()
            self.advance()
        elif self._drains or self.too_large:
            # Closing now would reset it: a client that is still sending would lose the response.
            self.phase = Phase.DRAINING
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_WR)
        else:
            self.close()

    def close(self) -> None:
        self.phase = Phase.CLOSED
        with suppress(OSError):
            self.sock.close()
