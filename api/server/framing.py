"""Finds the end of a request in the received bytes; gunicorn's parser then reads the complete request."""

import re

from gunicorn.http.errors import (  # type: ignore[import-untyped]  # gunicorn has no types
    InvalidRequestLine,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)

HEAD_LIMIT = 32_768
"""Maximum size in bytes of a head: the request line and all headers."""
_LINE_LIMIT = 8190
_CHUNK_LINE_LIMIT = 4096
_TRAILER_LIMIT = 8192
_MAX_CHUNKS = 1024
"""gunicorn's parser copies the rest of the body for each chunk, so many small ones would be expensive."""
_MAX_LENGTH_DIGITS = 15
_END = b"\r\n\r\n"
_LENGTH, _CODING = b"\r\ncontent-length:", b"\r\ntransfer-encoding:"
_BARE_LF = re.compile(rb"(?<!\r)\n")
_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(;.*)?", re.DOTALL)
"""The size of a chunk, and extensions."""
TLS_HANDSHAKE = 0x16
"""The first byte of a TLS connection, which no HTTP request begins with."""


class BodyTooLargeError(Exception):
    """The body has more bytes than the service reads."""


class TooManyChunksError(ParseException):  # type: ignore[misc]
    """The body consists of more chunks than the service reads."""


def find_head_end(buffer: bytearray, searched: int) -> int | None:
    """Return the index after the head, or None if it is incomplete; raise if it is malformed or too large."""
    end = buffer.find(_END, max(0, searched - 3))
    if end >= 0:
        return end + len(_END)
    if _BARE_LF.search(buffer, max(0, searched - 1)):
        raise InvalidRequestLine("bare LF as line terminator")
    if len(buffer) > _LINE_LIMIT and buffer.find(b"\r\n", 0, _LINE_LIMIT + 2) < 0:
        raise LimitRequestLine(len(buffer), _LINE_LIMIT)
    if len(buffer) > HEAD_LIMIT:
        raise LimitRequestHeaders("max buffer headers")
    return None


def body_of(head: bytes) -> tuple[int, bool]:
    """Return the length of the body according to its head, and whether it is chunked.

    A contradictory head counts as one without a body: gunicorn's parser then raises the error for it.
    """
    lowered = head.lower()
    length, coding = _value(lowered, lowered, _LENGTH), _value(lowered, lowered, _CODING)
    if coding:
        return 0, coding == b"chunked" and not length
    if not length or lowered.count(_LENGTH) > 1:
        return 0, False
    return (int(length) if length.isdigit() and len(length) <= _MAX_LENGTH_DIGITS else 0), False


def expects_continue(head: bytes) -> bool:
    """Whether the client waits for `100 Continue` before it sends its body."""
    return find_header(head, "Expect").lower() == "100-continue"


def find_header(head: bytes, name: str) -> str:
    """Return the first value of a header as it was sent, or an empty text; the parser checks it later.

    This runs in the main thread on bytes of anybody, so its time must grow linearly with them.
    """
    return _value(head, head.lower(), b"\r\n%b:" % name.lower().encode()).decode("latin-1")


def _value(head: bytes, lowered: bytes, start: bytes) -> bytes:
    """Return what follows the first `start` on its line; `lowered` is the head in lower case."""
    at = lowered.find(start)
    if at < 0:
        return b""
    at += len(start)
    return head[at : head.find(b"\r\n", at)].strip(b" \t")


def client_of(proxies: int, forwarded_for: str) -> str:
    """Return the client's address: the one that the first trusted proxy appended to X-Forwarded-For."""
    hops = forwarded_for.split(",")
    return hops[-proxies].strip() if len(hops) >= proxies else ""


class ChunkedBody:
    """Follows the chunks of a body as they arrive, without decoding them.

    A malformed body counts as complete: gunicorn's parser then raises the error for it.
    """

    __slots__ = ("_chunks", "_limit", "_next", "_size")

    def __init__(self, limit: int) -> None:
        """`find_end` raises BodyTooLargeError once the chunks contain more than `limit` bytes."""
        self._limit = limit
        self._next = 0
        self._size = 0
        self._chunks = 0

    def find_end(self, buffer: bytearray) -> int | None:
        """Return the index after the last chunk and its trailers, or None if the body is incomplete."""
        while (line_end := buffer.find(b"\r\n", self._next)) >= 0:
            found = _CHUNK_LINE.fullmatch(buffer, self._next, line_end)
            if found is None:
                return len(buffer)
            size = int(found[1], 16)
            if size == 0:
                return _trailers_end(buffer, line_end)
            if self._size + size > self._limit:
                raise BodyTooLargeError
            after = line_end + size + 4
            if len(buffer) < after:
                break
            self._size += size
            self._next = after
            self._chunks += 1
            if self._chunks > _MAX_CHUNKS:
                raise TooManyChunksError
        waiting = len(buffer) - self._next
        if line_end < 0 and waiting > _CHUNK_LINE_LIMIT:
            return len(buffer)
        if len(buffer) > 2 * self._limit + HEAD_LIMIT:  # long extensions
            raise BodyTooLargeError
        return None


def _trailers_end(buffer: bytearray, line_end: int) -> int | None:
    end = buffer.find(_END, line_end)
    if end >= 0:
        return end + len(_END)
    return len(buffer) if len(buffer) - line_end > _TRAILER_LIMIT else None
