"""Signatures by which the service can be held to its answers: Ed25519, with keys that can be replaced and stay published."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.chain import receipt_text
from kontor_games.domain.codec import Plain
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import Database
from kontor_games.service.trust.signatures import PublicKey, key_at, key_id

SIGNING_TABLES = (
    """CREATE TABLE IF NOT EXISTS signing_keys (
        id TEXT PRIMARY KEY, private_key TEXT NOT NULL, public_key TEXT NOT NULL, created_at BIGINT NOT NULL)""",
)
_TRUSTED_MS = 30_000
"""How long this process believes to know all keys."""
_LEAD_MS = 60_000
"""A new key signs only after this, when every process knows of it: so that two processes never sign one moment with two keys."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The service's word on where a match stood."""

    match: str
    version: int
    head: str
    at: int
    key: str
    signature: str

    def plain(self) -> Plain:
        """As it is sent."""
        return {name: getattr(self, name) for name in ("match", "version", "head", "at", "key", "signature")}


class Signing(Protocol):
    """What the service signs with."""

    def public_keys(self) -> list[PublicKey]:
        """All keys that ever signed, the oldest first."""

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        """Key id and signature, with the key valid at the moment."""

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        """The service's signed word on where a match stood."""


class Signer:
    """Signs with the key that is valid at a moment; signing the same again gives the same signature."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """Reads the keys when first needed."""
        self._database = database
        self._clock = clock
        self._lock = Lock()
        self._read_at = -_TRUSTED_MS
        self._keys: list[PublicKey] = []
        self._private: dict[str, Ed25519PrivateKey] = {}

    def ensure_key(self) -> None:
        """Makes the first key; part of setting the database up."""
        if not self._database.read("SELECT id FROM signing_keys LIMIT 1"):
            self._add(valid_from=0)

    def rotate(self) -> PublicKey:
        """A new key, valid a minute from now; the old ones stay published for what they signed."""
        return self._add(valid_from=self._clock() + _LEAD_MS)

    def _add(self, valid_from: int) -> PublicKey:
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw()
        key = PublicKey(key_id(public), b64encode(public).decode(), valid_from)
        row = [key.id, private.private_bytes_raw().hex(), key.public, valid_from]
        self._database.write(("INSERT INTO signing_keys VALUES (?, ?, ?, ?)", row))
        self._read_at = -_TRUSTED_MS
        return key

    def public_keys(self) -> list[PublicKey]:
        """All keys that ever signed, the oldest first."""
        return list(self._known())

    def _known(self) -> list[PublicKey]:
        with self._lock:
            now = self._clock()
            if not 0 <= now - self._read_at < _TRUSTED_MS:
                rows = self._database.read("SELECT * FROM signing_keys ORDER BY created_at, id")
                self._keys = [PublicKey(row["id"], row["public_key"], row["created_at"]) for row in rows]
                self._private = {row["id"]: Ed25519PrivateKey.from_private_bytes(bytes.fromhex(row["private_key"])) for row in rows}
                self._read_at = now
            return self._keys

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        """Key id and signature, with the key valid at the moment."""
        key = key_at(self._known(), at)
        if key is None:
            raise UnavailableError("the service has no signing key; an operator must set the database up (kontor migrate)")
        return key.id, b64encode(self._private[key.id].sign(message)).decode()

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        """The service's signed word on where a match stood."""
        key, signature = self.sign(receipt_text(match_id, version, head, at), at)
        return Receipt(match_id, version, head, at, key, signature)
