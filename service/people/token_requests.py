"""Retries of requests that are answered with a token, although no token is stored."""

import re
import secrets
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.service.errors import KeyReusedError
from kontor_games.service.people.server_secret import Secret, find_secret
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

PREFIX = "kontor_"
_TOKEN = re.compile(PREFIX + "[A-Za-z0-9_-]{49}", re.ASCII)


def write_token(raw: bytes) -> str:
    """Write 32 bytes as a token: a prefix for secret scanners, 43 characters, and a checksum of 6."""
    body = urlsafe_b64encode(raw).decode().rstrip("=")
    return PREFIX + body + _checksum(body)


def _checksum(body: str) -> str:
    return urlsafe_b64encode(zlib.crc32(body.encode()).to_bytes(4, "big")).decode().rstrip("=")


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token, known or not."""
    return _TOKEN.fullmatch(text) is not None and _checksum(text[len(PREFIX) : -6]) == text[-6:]


REPLAY_MS = 24 * 3600 * 1000
"""How long a retry gets the same answer."""
_MIN_KEY_LENGTH = 16
_HEADER = "/headers/Idempotency-Key"
"""The pointer of a fault in the key, which is in a header and not in the body."""


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """A request that is answered with a token."""

    id: str
    """Derived from the Idempotency-Key, and stored in its place."""
    key: str
    body: str
    """The digest of the request body."""


@dataclass(frozen=True, slots=True)
class TokenIds:
    """The ids of a token and of its player."""

    token: str
    player: str


@dataclass(eq=False, repr=False)
class TokenRequests:
    """The recent requests for tokens, so that a retry gets the same token again.

    The token is not stored: it is derived again from the server's secret, the Idempotency-Key and the random
    id of the token. The key is not stored either, so that a copy of the database reveals no token.
    """

    _database: Database
    _settings: Settings
    _clock: Callable[[], int]

    @cached_property
    def secret(self) -> Secret:
        """The secret of the server, read when it is first needed."""
        return find_secret(self._settings, self._database)

    def identify(self, purpose: str, player: str, key: str | None, body: str) -> TokenRequest:
        """Return the request with its id; without an Idempotency-Key it can't be repeated."""
        if key is None:
            key = secrets.token_urlsafe(32)
        elif len(key) < _MIN_KEY_LENGTH:
            # Anyone who guesses the key and the body would get the token.
            fault = f"must have at least {_MIN_KEY_LENGTH} characters here, hard to guess: a UUID will do"
            raise MalformedError([Fault(_HEADER, fault)])
        return TokenRequest(self.secret.derive("request", purpose, player, key).hex(), key, body)

    def token_text(self, request: TokenRequest, ids: TokenIds) -> str:
        return write_token(self.secret.derive("token", request.key, request.body, ids.token, ids.player))

    def find(self, request: TokenRequest) -> TokenIds | None:
        """Return the ids stored for the request in the last day; raise KeyReusedError if its body differs."""
        query = "SELECT body, token, player FROM token_requests WHERE request = ? AND created_at > ?"
        rows = self._database.read(query, (request.id, self._clock() - REPLAY_MS))
        if not rows:
            return None
        if rows[0]["body"] != request.body:
            raise KeyReusedError(
                "This Idempotency-Key was used for another request. A new request needs a new key."
            )
        return TokenIds(rows[0]["token"], rows[0]["player"])

    def store(self, request: TokenRequest, new: TokenIds, *statements: Statement) -> TokenIds:
        """Store the request and its result; if a retry was stored meanwhile, return the ids of that one."""
        now = self._clock()
        insert = (
            "INSERT INTO token_requests (request, body, token, player, created_at) VALUES (?, ?, ?, ?, ?)"
        )
        try:
            self._database.write(
                ("DELETE FROM token_requests WHERE created_at <= ?", (now - REPLAY_MS,)),
                (insert, (request.id, request.body, new.token, new.player, now)),
                *statements,
            )
        except IntegrityError:
            found = self.find(request)
            if found is None:
                raise
            return found
        return new
