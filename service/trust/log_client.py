"""Reads the log of a service over HTTP (checkpoints, proofs and entries), and submits cosignatures."""

import json
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from kontor_games.domain.codec import Plain
from kontor_games.domain.tiles import WIDTH, read_bundle, tile_path
from kontor_games.service.errors import OperatorError
from kontor_games.service.trust.inclusion_check import read_json

_TIMEOUT_S = 30
_MAX_BYTES = 32 * 1024 * 1024


class LogUnreachableError(OperatorError):
    """The service does not answer, or its answer is invalid."""


class LogRefusedError(LogUnreachableError):
    """The service refused the request with a problem."""


class LogClient:
    """The log of one service."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError("The address of a service begins with http:// or https://.")
        self.url = url.rstrip("/")
        self._token = token

    def checkpoint(self) -> str:
        """Return the newest checkpoint, a signed note."""
        path = "/v1/log/checkpoint"
        try:
            return self._request(path, "text/plain").decode()
        except UnicodeDecodeError as error:
            raise LogUnreachableError(f"{self.url}{path} is not text in UTF-8.") from error

    def older_checkpoints(self) -> Iterator[str]:
        """Yield all checkpoints, the newest first."""
        cursor: str | None = ""
        while cursor is not None:
            page = self._json(f"/v1/checkpoints?limit=200{cursor and f'&cursor={quote(cursor)}'}")
            try:
                notes, cursor = [str(one["note"]) for one in page["checkpoints"]], page["next"]
            except (KeyError, TypeError) as error:
                raise LogUnreachableError(f"{self.url} sent no list of checkpoints.") from error
            yield from notes

    def keys(self) -> Plain:
        return self._json("/.well-known/kontor-keys.json")

    def key_proofs(self, size: int) -> Plain:
        """Return the keys in the tree of a size, with their proofs."""
        return self._json(f"/v1/log/keys?size={size}")

    def consistency(self, first: int, second: int) -> Plain:
        """Return the proof that one tree extends another."""
        return self._json(f"/v1/checkpoints/consistency?first={first}&second={second}")

    def inclusion(self, subject: str, size: int, kind: str = "matches") -> Plain:
        """Return the newest leaf of a match, or of one of the `tournaments`, and the keys, with proofs."""
        return self._json(f"/v1/{kind}/{subject}/inclusion?size={size}")

    def entries(self, size: int) -> Iterator[bytes]:
        """Yield the first entries of the log, bundle by bundle."""
        for index in range(-(-size // WIDTH)):
            width = min(WIDTH, size - index * WIDTH)
            raw = self._request(f"/v1/log/tile/entries/{tile_path(index, width)}", "application/octet-stream")
            try:
                bundle = read_bundle(raw)
            except ValueError as error:
                raise LogUnreachableError(f"{self.url}: {error}.") from error
            if len(bundle) != width:
                raise LogUnreachableError(f"{self.url} sent a bundle with another number of entries.")
            yield from bundle

    def cosign(self, size: int, lines: str) -> None:
        """Submit the cosignatures of a checkpoint."""
        body = json.dumps({"size": size, "signatures": lines}).encode()
        self._request("/v1/log/cosignatures", "application/json", body)

    def _json(self, path: str) -> Plain:
        try:
            return read_json(self._request(path, "application/json"))
        except ValueError as error:
            raise LogUnreachableError(f"{self.url}{path} is not JSON: {error}.") from error

    def _request(self, path: str, accept: str, body: bytes | None = None) -> bytes:
        headers = {"Accept": accept, "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(self.url + path, body, headers)  # noqa: S310  # http and https only, see above
        try:
            with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                content: bytes = answer.read(_MAX_BYTES + 1)
        except HTTPError as error:
            kind = LogRefusedError if error.code < 500 and error.code != 429 else LogUnreachableError
            raise kind(f"{self.url}{path}: {_detail_of(error)}") from error
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise LogUnreachableError(f"{self.url} does not answer: {reason}.") from error
        if len(content) > _MAX_BYTES:
            raise LogUnreachableError(f"{self.url}{path} is too large.")
        return content


def _detail_of(error: HTTPError) -> str:
    """Return the sentence of a problem, or the status if there is none."""
    try:
        problem = json.loads(error.read(100_000))
        return str(problem["detail"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return f"status {error.code}."
