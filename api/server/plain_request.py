"""Parses ordinary requests several times as fast as gunicorn does, and writes their responses.

Unusual requests are left to gunicorn. A test compares both parsers on requests that both accept.
"""

import os
import re
import time
from functools import lru_cache
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]  # gunicorn has no types
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
