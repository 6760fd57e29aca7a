"""The server's own secret, the text of tokens, and retries of calls whose answer holds a secret that is nowhere stored."""

import hmac
import re
import secrets
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Fault, MalformedError, canonical
from kontor_games.service.errors import KeyReusedError
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

Clock = Callable[[], int]
"""The time now, in milliseconds since 1970."""

REPLAY_MS = 24 * 3600 * 1000
"""How long a retry is answered again."""
_SHORTEST_KEY = 16
_HEADER = "/headers/Idempotency-Key"
"""Where a fault of the key is, since it is in no body."""

KEY_TABLES = (
    "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS token_requests (
        request TEXT PRIMARY KEY, body TEXT NOT NULL, token TEXT NOT NULL, player TEXT NOT NULL, created_at BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS token_requests_by_age ON token_requests (created_at)",
    "CREATE INDEX IF NOT EXISTS token_requests_by_player ON token_requests (player)",
)


class Secret:
    """The server's secret key; tells nobody what it is."""

    def __init__(self, text: str) -> None:
        """Any text that is hard to guess."""
        self._key = text.encode()

    def derive(self, purpose: str, *parts: str) -> bytes:
        """32 bytes that only the holder of the secret can compute; another purpose, other bytes."""
        return hmac.digest(self._key, canonical([purpose, *parts]), "sha256")


def find_secret(settings: Settings, database: Database) -> Secret:
    """The secret that the operator set, or else the one in the database, made at the first start."""
    if settings.secret_key is not None:
        return Secret(settings.secret_key)
    query = "SELECT value FROM settings WHERE name = 'secret_key'"
    if not database.read(query):
        # Of several processes that start at once, the first one's secret stays.
        insert = "INSERT INTO settings (name, value) VALUES ('secret_key', ?) ON CONFLICT (name) DO NOTHING"
        database.write((insert, (secrets.token_hex(32),)))
    return Secret(database.read(query)[0]["value"])


PREFIX = "kontor_"
_TOKEN = re.compile(PREFIX + "[A-Za-z0-9_-]{49}", re.ASCII)


def write_token(raw: bytes) -> str:
    """32 bytes as a token: a prefix that secret scanners know, 43 characters, and 6 of a checksum that finds slips of the pen."""
    body = urlsafe_b64encode(raw).decode().rstrip("=")
    return PREFIX + body + _checksum(body)


def _checksum(body: str) -> str:
    return urlsafe_b64encode(zlib.crc32(body.encode()).to_bytes(4, "big")).decode().rstrip("=")


def is_token(text: str) -> bool:
    """Whether a text can be a token at all; says nothing about whose."""
    return _TOKEN.fullmatch(text) is not None and _checksum(text[len(PREFIX) : -6]) == text[-6:]


def hash_token(text: str) -> str:
    """What is stored of a token.

    One round of SHA-256 without salt is right here, unlike for passwords: a token holds 256 random bits, so there is nothing to guess
    and no two are alike. And since a row is found by this hash, the time of a look-up tells about hashes, not about tokens.
    """
    return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Request:
    """One call that answers with a token: the stored form of its key, and what its token is derived from."""

    id: str
    key: str
    body: str


@dataclass(frozen=True, slots=True)
class Made:
    """The ids of the token that a call made, and of its player."""

    token: str
    player: str


class Requests:
    """Which calls that answer with a token were carried out lately, so that a retry gets the same token again.

    No token is kept: it is derived anew from the server's secret, the caller's key and the random id of the token. The key itself
    is not kept either, so that a copy of the database gives no token away.
    """

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        """Reads nothing yet: the tables may not be there."""
        self._database = database
        self._settings = settings
        self._clock = clock

    @cached_property
    def _secret(self) -> Secret:
        return find_secret(self._settings, self._database)

    def open(self, purpose: str, who: str, key: str | None, body: str) -> Request:
        """The call as it will be known; without a key of the caller's it can't be repeated."""
        if key is None:
            key = secrets.token_urlsafe(32)
        elif len(key) < _SHORTEST_KEY:
            # Whoever guesses the key and the body is given the token.
            raise MalformedError([Fault(_HEADER, f"must have at least {_SHORTEST_KEY} characters here, hard to guess: a UUID will do")])
        return Request(self._secret.derive("request", purpose, who, key).hex(), key, body)

    def token_text(self, request: Request, made: Made) -> str:
        """The token that this call was, or will be, answered with."""
        return write_token(self._secret.derive("token", request.key, request.body, made.token, made.player))

    def made_by(self, request: Request) -> Made | None:
        """What this call made when it was carried out within the last day; KeyReusedError where another call had the same key."""
        query = "SELECT body, token, player FROM token_requests WHERE request = ? AND created_at > ?"
        rows = self._database.read(query, (request.id, self._clock() - REPLAY_MS))
        if not rows:
            return None
        if rows[0]["body"] != request.body:
            raise KeyReusedError("this Idempotency-Key was used for another request; a new request needs a new key")
        return Made(rows[0]["token"], rows[0]["player"])

    def carry_out(self, request: Request, new: Made, *statements: Statement) -> Made:
        """Stores what a call makes, and that it did; where its twin came first, what that one made."""
        now = self._clock()
        insert = "INSERT INTO token_requests (request, body, token, player, created_at) VALUES (?, ?, ?, ?, ?)"
        try:
            self._database.write(
                ("DELETE FROM token_requests WHERE created_at <= ?", (now - REPLAY_MS,)),
                (insert, (request.id, request.body, new.token, new.player, now)),
                *statements,
            )
        except IntegrityError:
            made = self.made_by(request)
            if made is None:
                raise
            return made
        return new
