"""Signs answers of the service with Ed25519. Keys can be replaced; old public keys stay published."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.chain import receipt_text
from kontor_games.domain.codec import Plain
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.trust.signatures import PublicKey, key_at, key_id
from kontor_games.service.ttl_cache import TtlCache

SIGNING_TABLES = (
    """CREATE TABLE IF NOT EXISTS signing_keys (
        id TEXT PRIMARY KEY, private_key TEXT NOT NULL, public_key TEXT NOT NULL,
        created_at BIGINT NOT NULL)""",
)
_CACHE_MS = 30_000
_DELAY_MS = 60_000
"""A new key becomes valid after this delay, when every process has read it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A signed statement that a match had a head at a version and a time."""

    match: str
    version: int
    head: str
    at: int
    key: str
    signature: str

    def plain(self) -> Plain:
        """Return the JSON that is sent."""
        return {name: getattr(self, name) for name in ("match", "version", "head", "at", "key", "signature")}


class Signing(Protocol):
    """The interface of a signer."""

    def public_keys(self) -> list[PublicKey]:
        """Return all keys, the oldest first."""

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        """Sign with the key valid at a time; return its id and the signature."""

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        """Return the signed receipt for a version of a match."""


class _Keys(NamedTuple):
    public: list[PublicKey]
    private: dict[str, Ed25519PrivateKey]


_ALL = "all"
"""The cache holds one value, all keys, under this name."""


def _new_key(valid_from: int) -> tuple[PublicKey, list[Any]]:
    """Return a new key and its row."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key = PublicKey(key_id(public), b64encode(public).decode(), valid_from)
    return key, [key.id, private.private_bytes_raw().hex(), key.public, valid_from]


def insert_first_key() -> Statement:
    """Return the statement that creates the first key if there is none; part of the migration."""
    _, row = _new_key(valid_from=0)
    return "INSERT INTO signing_keys SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM signing_keys)", row


class Signer:
    """Signs with the key valid at a given time; the same message always gets the same signature."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock
        self._cache: TtlCache[str, _Keys] = TtlCache(clock, _CACHE_MS, size=1)

    def rotate(self) -> PublicKey:
        """Create a new key, valid a minute from now; the old ones stay published."""
        key, row = _new_key(valid_from=self._clock() + _DELAY_MS)
        self._database.write(("INSERT INTO signing_keys VALUES (?, ?, ?, ?)", row))
        self._cache.remove(_ALL)
        return key

    def public_keys(self) -> list[PublicKey]:
        """Return all keys, the oldest first."""
        return list(self._keys().public)

    def _keys(self) -> _Keys:
        keys = self._cache.get(_ALL)
        if keys is None:
            start = self._cache.start_read()
            rows = self._database.read("SELECT * FROM signing_keys ORDER BY created_at, id")
            public = [PublicKey(row["id"], row["public_key"], row["created_at"]) for row in rows]
            secrets = [bytes.fromhex(row["private_key"]) for row in rows]
            private = [Ed25519PrivateKey.from_private_bytes(secret) for secret in secrets]
            keys = _Keys(public, {key.id: own for key, own in zip(public, private, strict=True)})
            self._cache.put(_ALL, keys, start)
        return keys

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        """Sign with the key valid at a time; return its id and the signature."""
        keys = self._keys()
        key = key_at(keys.public, at)
        if key is None:
            raise UnavailableError("The service has no signing key; the operator must run kontor migrate.")
        return key.id, self.sign_with(key, message)

    def sign_with(self, key: PublicKey, message: bytes) -> str:
        """Sign with one of the keys; return the signature."""
        return b64encode(self._keys().private[key.id].sign(message)).decode()

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        """Return the signed receipt for a version of a match."""
        key, signature = self.sign(receipt_text(match_id, version, head, at), at)
        return Receipt(match_id, version, head, at, key, signature)
