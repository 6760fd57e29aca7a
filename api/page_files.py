"""Serves the files of `web/`, the page for people, from memory and outside of Flask.

Their paths contain a hash of all files (`/web/<build>/app.js`), so that browsers can cache them without time
limit and never mix the files of two versions.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.documents.pages import style_of

PREFIX = "/web/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html kontor-worker"
)
"""The Content-Security-Policy of the page: only files of this service, no inline script or style."""
HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": _TEXT,
    ".webmanifest": "application/manifest+json",
}
_IMMUTABLE = "public, max-age=31536000, immutable"
_MIN_PACKED_BYTES = 200
WORKER = "service_worker.js"
_WORKER_HEADERS = (
    ("Service-Worker-Allowed", "/"),
    ("Content-Security-Policy", "default-src 'none'; connect-src 'self'"),
)
"""It is a worker for the whole page, and may ask this service on its behalf."""
_HIDDEN = (".d.ts", ".d.mts")


@dataclass(frozen=True)
class PageFile:
    """A file of the page, with its media type."""

    content: bytes
    media_type: str
    more: tuple[tuple[str, str], ...] = ()
    """Headers that only this file needs."""

    @cached_property
    def packed(self) -> bytes | None:
        """The content compressed with gzip; None if it is short or already compressed."""
        if len(self.content) < _MIN_PACKED_BYTES or self.media_type == "image/png":
            return None
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'

    def encoded(self, encodings: str) -> tuple[bytes, list[tuple[str, str]]]:
        """Return the content in an encoding that the client accepts, and the response headers."""
        headers = [("Content-Type", self.media_type), ("Vary", "Accept-Encoding"), ("ETag", self.tag)]
        if self.packed is None or "gzip" not in encodings:
            return self.content, headers
        return self.packed, [*headers, ("Content-Encoding", "gzip")]

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        """Answer a GET or HEAD request; a file is a WSGI application."""
        environ["kontor.operation"] = "page_file"
        content, headers = self.encoded(environ.get("HTTP_ACCEPT_ENCODING", ""))
        headers.append(("Cache-Control", _IMMUTABLE))
        headers += self.more
        if self.tag in environ.get("HTTP_IF_NONE_MATCH", ""):
            start_response("304 NOT MODIFIED", headers[1:])
            return []
        headers.append(("Content-Length", str(len(content))))
        start_response("200 OK", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [content]


@dataclass(frozen=True)
class Page:
    """All files of the page by their path below `web/`, and the hash over all of them."""

    files: dict[str, PageFile]
    build: str

    @cached_property
    def drawings(self) -> list[str]:
        """The ids of the games whose boards the page can draw (`web/games/<id>/board.js`)."""
        return sorted(path.split("/")[1] for path in self.files if path.endswith("/board.js"))

    @cached_property
    def index(self) -> PageFile:
        """The HTML document at `/`; it contains what the page needs before it can load anything."""
        text = self.files["index.html"].content.decode()
        unreachable = json.dumps(self._unreachable, ensure_ascii=False)
        parts = {"build": self.build, "drawings": " ".join(self.drawings), "unreachable": unreachable}
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", escape(part))
        return PageFile(text.encode(), HTML)

    @property
    def _unreachable(self) -> dict[str, list[str]]:
        """By language: what the page shows if its texts cannot be loaded, and the label of the button."""
        texts = {language: json.loads(self.files[f"i18n/{language}.json"].content) for language in LANGUAGES}
        return {name: [text["problem.unreachable"], text["shell.reload"]] for name, text in texts.items()}


@cache
def page() -> Page:
    """Read all files of the page; the result is cached."""
    found = dict(sorted(_read(files("kontor_games").joinpath("web"), PurePosixPath()))) | _of_documents()
    digest = hashlib.sha256()
    for path, file in found.items():
        digest.update(f"{path}\n{len(file.content)}\n".encode() + file.content)
    return Page(found, digest.hexdigest()[:12])


def _of_documents() -> dict[str, PageFile]:
    """The styles and scripts of the other HTML documents, served as files so that POLICY allows them.

    With them are the documents that the API description names, as plain text that every browser shows.
    """
    docs = files("kontor_games.api.docs")
    own = {
        "docs.css": style_of(docs.joinpath("docs.css").read_text(encoding="utf-8")),
        "docs.js": docs.joinpath("docs.js").read_text(encoding="utf-8"),
        "documents.css": style_of(),
    }
    named = {one.name: one.read_text(encoding="utf-8") for one in docs.iterdir() if one.name.endswith(".md")}
    return {
        f"documents/{name}": PageFile(text.encode(), _MEDIA_TYPES.get(PurePosixPath(name).suffix, _TEXT))
        for name, text in sorted((own | named).items())
    }


def document_file(name: str) -> str:
    """Return the path of a style or script of one of the other HTML documents."""
    return f"{PREFIX}{page().build}/documents/{name}"


def _read(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[str, PageFile]]:
    for entry in folder.iterdir():
        inner = path / entry.name
        if entry.is_dir():
            yield from _read(entry, inner)
        elif (inner.suffix in _MEDIA_TYPES or entry.name == "index.html") and not entry.name.endswith(
            _HIDDEN
        ):
            more = _WORKER_HEADERS if str(inner) == WORKER else ()
            yield str(inner), PageFile(entry.read_bytes(), _MEDIA_TYPES.get(inner.suffix, HTML), more)


def find_page_file(path: str) -> PageFile | None:
    """Return the file of the page at a path below PREFIX; None if there is none in this build."""
    build, _, name = path[len(PREFIX) :].partition("/")
    return page().files.get(name) if build == page().build else None
