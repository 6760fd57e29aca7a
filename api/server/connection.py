"""One connection: the bytes that have arrived, the request they hold, and the bytes still to be sent."""

import io
import socket
from contextlib import suppress
from enum import Enum
from typing import Any

from gunicorn.http.message import Request  # type: ignore[import-untyped]  # gunicorn has no types
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]

from kontor_games.api.server.framing import (
    TLS_GREETING,
    BodyTooLargeError,
    ChunkedBody,
    body_of,
    expects_continue,
    find_head_end,
    find_header,
)
from kontor_games.api.server.wire_problems import RequestTimeoutError

_READ_SIZE = 65_536
_MOST_PIECES = 512
"""A request that arrives in more pieces is refused: each of them costs the service a system call."""
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Phase(Enum):
    """The phase of a connection."""

    NEW = "the first byte"
    HEAD = "the rest of a head"
    BODY = "the rest of a body"
    READY = "an answer"
    IDLE = "the next request"
    SENDING = "a client that reads slowly"
    DRAINING = "a client that still sends, although it has its answer"
    CLOSED = "nothing"


class _Arrived(Unreader):  # type: ignore[misc]
    """Received bytes, in the form that gunicorn's parser reads."""

    def chunk(self, size_hint: int | None = None) -> bytes:
        return b""


class Connection:
    """A connection, used by one thread at a time: the main thread if waiting, a pool thread if answering."""

    __slots__ = (
        "_body", "_buffer", "_cfg", "_chunks", "_close_after", "_drains", "_length", "_limit", "_outgoing",
        "_pieces", "_requests", "_searched", "address", "client", "fd", "head", "phase", "request", "server",
        "sock",
    )  # fmt: skip

    def __init__(self, sock: socket.socket, client: Any, server: Any, cfg: Any, body_limit: int) -> None:
        """A connection that was just accepted."""
        sock.setblocking(False)
        self.sock = sock
        self.fd = sock.fileno()
        self.client = client
        self.server = server
        self.address = client[0] if isinstance(client, tuple) else ""
        """Empty for the socket of a proxy on this machine, which has many clients."""
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
        """Forget the request that was answered."""
        self.head = b""
        self.request = None
        self._body = b""
        self._searched = 0
        self._pieces = 0
        self._length = 0
        self._chunks: ChunkedBody | None = None

    # --- receiving ------------------------------------------------------------------------------------------

    def receive(self) -> None:
        """Read the received bytes; raise an error if they cannot become a valid request."""
        try:
            data = self.sock.recv(_READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data or (self.phase is Phase.NEW and data[0] == TLS_GREETING):
            self.close()
        elif self.phase is not Phase.DRAINING:
            self._pieces += 1
            self._buffer += data
            self.advance()
            if self._pieces > _MOST_PIECES and self.phase is not Phase.READY:
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
        arrived = _Arrived()
        arrived.unread(self.head)
        self._requests += 1
        self.request = Request(self._cfg, arrived, self.client, self._requests)
        self.request._expected_100_continue = False  # said when it was time to
        body = b"" if self.too_large else bytes(self._buffer[: self._length])
        self.skip_body()
        if self._chunks is not None:
            arrived.unread(body)
            body = self.request.body.read()
        if self.too_large:
            self.request.force_close()
        self._body = body
        return self.request

    def take_body(self) -> bytes:
        """The body of the complete request, which was not sent in chunks."""
        body = bytes(self._buffer[: self._length])
        self.skip_body()
        return body

    def skip_body(self) -> None:
        """Drop the body of the complete request."""
        del self._buffer[: self._length]

    def put_body(self, environ: dict[str, Any]) -> None:
        """Put the body into the WSGI environment; chunks are put together, so it has a length."""
        if environ.pop("HTTP_TRANSFER_ENCODING", None):
            environ["CONTENT_LENGTH"] = str(self._length if self.too_large else len(self._body))
        environ["wsgi.input"] = io.BytesIO(self._body)

    def header(self, name: str) -> str:
        """The first value of a header of the request that has arrived."""
        return find_header(self.head, name)

    @property
    def too_large(self) -> bool:
        """Whether the body of the request is larger than the service reads."""
        return self._chunks is None and self._length > self._limit

    # --- sending --------------------------------------------------------------------------------------------

    def send(self, answer: bytes, *, close: bool) -> None:
        """Send as much of an answer as the client accepts immediately, and wait for the next request."""
        self._close_after = close
        sent = self._send_now(answer)
        if sent < len(answer):
            self._outgoing = memoryview(answer)[sent:]
            self.phase = Phase.SENDING
        elif self.phase is not Phase.CLOSED:
            self.finish()

    def refuse(self, answer: bytes) -> None:
        """Send the answer to a malformed request, and close."""
        self._drains = True
        self.send(answer, close=True)

    def flush(self) -> None:
        """Send more of the answer."""
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
        """After the answer was sent, close, or check for the next request, which may already have arrived."""
        if not self._close_after:
            self._begin()
            self.advance()
        elif self._drains or self.too_large:
            # A client that is still sending would lose its answer, so what it sends is read for a while.
            self.phase = Phase.DRAINING
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_WR)
        else:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        self.phase = Phase.CLOSED
        with suppress(OSError):
            self.sock.close()
