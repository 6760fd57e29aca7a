"""Parses ordinary requests several times as fast as gunicorn does, and writes their responses.

Unusual requests are left to gunicorn. A test compares both parsers on requests that both accept.
"""

import os
import re
import time
from functools import lru_cache
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]  # gunicorn has no types
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    InvalidRequestLine,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.util import http_date  # type: ignore[import-untyped]

Environ = dict[str, Any]
_MAX_HEAD_BYTES = 8000
"""Maximum size of a head; a head of this size is within all limits of gunicorn."""
_MAX_HEADER_FIELDS = 60
_HEAD = re.compile(
    r"(GET|POST|PUT|PATCH|DELETE|HEAD) "
    r"((/(?:[A-Za-z0-9._~:@-][A-Za-z0-9._~:@/-]*)?)(?:\?([!\"$-~]*))?) HTTP/1\.1\r\n"
    r"((?:[A-Za-z0-9-]+:[ -~]*\r\n)*)\r\n"
)
"""Printable ASCII: no escapes in the path, no fragment, no name with an underscore, no folded line."""
_LEFT_TO_GUNICORN = frozenset(f"HTTP_{name}" for name in ("TRANSFER_ENCODING", "EXPECT", "UPGRADE"))
_UNSENDABLE = re.compile(r"[^\t -~\x80-\xff]")


class UnsendableHeaderError(Exception):
    """The application returned a header that cannot be sent, such as one with a line break."""


@lru_cache(maxsize=1024)
def _key_of(name: str) -> str:
    """The name of a header in the WSGI environment."""
    upper = name.upper().replace("-", "_")
    return upper if upper in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{upper}"


class PlainRequests:
    """Parses requests into the same WSGI environment as gunicorn with the same settings."""

    def __init__(self, cfg: Any) -> None:
        self._base: Environ = wsgi.base_environ(cfg) | {
            "wsgi.multithread": True,
            "SERVER_PROTOCOL": "HTTP/1.1",
        }
        self._base |= {"wsgi.url_scheme": "http", "SCRIPT_NAME": ""}
        schemes = {_key_of(name) for name in cfg.secure_scheme_headers}
        self._left_to_gunicorn = _LEFT_TO_GUNICORN | schemes
        self._is_off = bool(os.environ.get("SCRIPT_NAME") or cfg.is_ssl or cfg.proxy_protocol != "off")

    def read(self, head: bytes, client: Any, server: Any) -> Environ | None:
        """The WSGI environment of a request without its body; None if gunicorn must read it."""
        if self._is_off or len(head) > _MAX_HEAD_BYTES or not isinstance(client, tuple):
            return None
        found = _HEAD.fullmatch(head.decode("latin-1"))
        if found is None:
            return None
        method, target, path, query, fields = found.groups("")
        environ = self._base.copy()
        if not self._put_fields(environ, fields.split("\r\n")):
            return None
        environ["REQUEST_METHOD"] = method
        environ["RAW_URI"] = target
        environ["PATH_INFO"] = path
        environ["QUERY_STRING"] = query
        environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = client[0], str(client[1])
        environ["SERVER_NAME"], environ["SERVER_PORT"] = server[0], str(server[1])
        return environ

    def _put_fields(self, environ: Environ, lines: list[str]) -> bool:
        """Put headers into the environment; return False if one is repeated or must be left to gunicorn."""
        for line in lines[:-1]:
            name, _, value = line.partition(":")
            key = _key_of(name)
            if key in environ or key in self._left_to_gunicorn:
                return False
            environ[key] = value.strip(" ")
        return len(lines) <= _MAX_HEADER_FIELDS and environ.get("CONTENT_LENGTH", "0").isdigit()


class PlainAnswer:
    """The response to a plain request, sent in one piece."""

    __slots__ = ("headers", "status")

    def __init__(self) -> None:
        self.status = ""
        self.headers: list[tuple[str, str]] = []

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        """Store status and headers, as WSGI requires; a second call, after an error, replaces them."""
        self.status, self.headers = status, headers

    def to_bytes(self, body: bytes, *, is_head: bool, closes: bool) -> bytes:
        """Return the whole response as bytes."""
        has_no_body = self.status[:3] in ("204", "304")
        lines = [f"{name}: {value}" for name, value in self.headers]
        if not has_no_body and not any(name.lower() == "content-length" for name, _ in self.headers):
            lines.append(f"Content-Length: {len(body)}")
        if _UNSENDABLE.search("".join(lines)):
            raise UnsendableHeaderError
        first = (
            f"HTTP/1.1 {self.status}\r\nServer: gunicorn\r\nDate: {_date(int(time.time()))}\r\nConnection: "
        )
        head = "\r\n".join([first + ("close" if closes else "keep-alive"), *lines, "", ""])
        return head.encode("latin-1") + (b"" if has_no_body or is_head else body)


@lru_cache(maxsize=4)
def _date(second: int) -> str:
    return str(http_date(second))


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
