"""One connection: the bytes that have arrived, the request they hold, and the bytes still to be sent."""

import io
import socket
from contextlib import suppress
from enum import Enum
from typing import Any

from gunicorn.http.body import ChunkedReader  # type: ignore[import-untyped]  # gunicorn has no types
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]

from kontor_games.api.server.framing import (
    TLS_GREETING,
    BodyTooLargeError,
    ChunkedBody,
    find_head_end,
)
from kontor_games.api.server.wire_problems import RequestTimeoutError

_READ_SIZE = 65_536
_MOST_PIECES = 512
"""A request that arrives in more pieces is refused: each of them costs the service a system call."""
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Phase(Enum):
    """What a connection waits for."""

    NEW = "the first byte"
    HEAD = "the rest of a head"
    BODY = "the rest of a body"
    READY = "an answer"
    IDLE = "the next request"
    SENDING = "a client that reads slowly"
    DRAINING = "a client that still sends, although it has its answer"
    CLOSED = "nothing"


class _Arrived(Unreader):  # type: ignore[misc]
    """Bytes that have arrived, in the form in which gunicorn's parser reads them; there are no others."""

    def chunk(self, size_hint: int | None = None) -> bytes:
        return b""


class Connection:
    """Belongs to one thread at a time: to the main thread while it waits, to another one while it is answered."""

    __slots__ = (
        "_buffer", "_cfg", "_chunks", "_close_after", "_drains", "_length", "_limit", "_outgoing", "_pieces", "_requests",
        "_searched", "_unreader", "address", "client", "fd", "phase", "request", "server", "sock",
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
        self.request = None
        self._searched = 0
        self._pieces = 0
        self._length: int | None = None
        self._chunks: ChunkedBody | None = None

    # --- receiving ------------------------------------------------------------------------------------------

    def receive(self) -> None:
        """Take what has arrived; raises an error of gunicorn's parser if it is no request."""
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
        """Find out whether a whole request has arrived."""
        if self.request is None:
            if not self._buffer:
                self.phase = Phase.IDLE
                return
            self.phase = Phase.HEAD
            end = find_head_end(self._buffer, self._searched)
            if end is None:
                self._searched = len(self._buffer)
                return
            self._read_head(end)
        self.phase = Phase.READY if self._is_complete() else Phase.BODY

    def _read_head(self, end: int) -> None:
        self._unreader = _Arrived()
        self._unreader.unread(bytes(self._buffer[:end]))
        del self._buffer[:end]
        self._requests += 1
        self.request = Request(self._cfg, self._unreader, self.client, self._requests)
        reader = self.request.body.reader
        if isinstance(reader, ChunkedReader):
            self._chunks = ChunkedBody(self._limit)
        else:
            self._length = reader.length
        if self.request._expected_100_continue:
            self.request._expected_100_continue = False
            if not self._is_complete():
                self._send_now(_CONTINUE)

    def _is_complete(self) -> bool:
        """Whether the body is there, or known to be too large."""
        if self._length is not None:
            return len(self._buffer) >= self._length or self._refuse(self._length)
        if self._chunks is None:
            return True
        try:
            end = self._chunks.find_end(self._buffer)
        except BodyTooLargeError:
            return self._refuse(self._limit + 1)
        if end is not None:
            self._decode(end)
        return end is not None

    def _refuse(self, length: int) -> bool:
        """Let the application answer a body that is too large by its length alone."""
        if length <= self._limit:
            return False
        self._length, self._chunks = length, None
        self.request.force_close()
        return True

    def _decode(self, end: int) -> None:
        """Let gunicorn decode the chunks, and keep the body as if it had come with its length."""
        self._unreader.unread(bytes(self._buffer[:end]))
        del self._buffer[:end]
        self._buffer[:0] = body = self.request.body.read()
        self._length, self._chunks = len(body), None

    def header(self, name: str) -> str:
        """The first value of a header of the request; its name in capitals."""
        return next((value for given, value in self.request.headers if given == name), "")

    @property
    def too_large(self) -> bool:
        """Whether the body of the request is larger than the service reads."""
        return self._length is not None and self._length > self._limit

    def take_body(self, environ: dict[str, Any]) -> None:
        """Move the body of the complete request into its WSGI environment."""
        length = self._length or 0
        if environ.pop("HTTP_TRANSFER_ENCODING", None):  # the chunks are put together
            environ["CONTENT_LENGTH"] = str(length)
        body = b"" if self.too_large else bytes(self._buffer[:length])
        del self._buffer[:length]
        environ["wsgi.input"] = io.BytesIO(body)

    # --- sending --------------------------------------------------------------------------------------------

    def send(self, answer: bytes, *, close: bool) -> None:
        """Send an answer as far as the client takes it at once, and begin to wait for the next request."""
        self._close_after = close
        sent = self._send_now(answer)
        if sent < len(answer):
            self._outgoing = memoryview(answer)[sent:]
            self.phase = Phase.SENDING
        elif self.phase is not Phase.CLOSED:
            self.finish()

    def refuse(self, answer: bytes) -> None:
        """Send an answer to something that is no request, and close."""
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
        """The answer was sent: close, or look for the next request, which may have arrived already."""
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

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken."""
        return len(self._outgoing)

    def close(self) -> None:
        """Close the connection."""
        self.phase = Phase.CLOSED
        with suppress(OSError):
            self.sock.close()
