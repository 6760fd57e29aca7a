"""Signs answers of the service with Ed25519. Keys can be replaced; old public keys stay published.

The public keys are in the database. The private ones are there too, or else outside of it
(`external_keys.py`); then the column `private_key` is empty.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.ed25519 import key_id
from kontor_games.service.errors import OperatorError, UnavailableError
from kontor_games.service.matches.answers import Receipt
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.trust.external_keys import ExternalKeys
from kontor_games.service.trust.signatures import PublicKey

SIGNING_TABLES = (
    """CREATE TABLE IF NOT EXISTS signing_keys (
        id TEXT PRIMARY KEY, private_key TEXT NOT NULL, public_key TEXT NOT NULL,
        created_at BIGINT NOT NULL)""",
)
_LOG = structlog.get_logger(__name__)
_CACHE_MS = 30_000
GIVE_KEY = (
    "If it was moved out of the database, set KONTOR_SIGNING_KEY_FILE (or KONTOR_SIGNING_KEY,"
    " KONTOR_SIGNING_COMMAND) and restart; if there is none, run `kontor migrate`."
)
"""What an operator does about a missing signing key."""
_DELAY_MS = 60_000
"""A new key becomes valid after this delay, when every process has read it."""


_Sign = Callable[[bytes], bytes]
_Keys = list[tuple[PublicKey, _Sign | None]]
"""The keys, the oldest first, with the functions that sign; None if this process does not have the key."""
_INSERT = "INSERT INTO signing_keys (id, private_key, public_key, created_at)"


def _row(public: bytes, private: str, valid_from: int) -> list[Any]:
    return [key_id(public), private, b64encode(public).decode(), valid_from]


def _new_row(valid_from: int) -> list[Any]:
    """Return the row of a new key whose private part is stored."""
    private = Ed25519PrivateKey.generate()
    return _row(private.public_key().public_bytes_raw(), private.private_bytes_raw().hex(), valid_from)


def _publish(public: bytes, valid_from: int) -> Statement:
    """Return the statement that publishes a key kept outside; the very first is valid from the beginning."""
    values = _row(public, "", valid_from)
    first = "CASE WHEN EXISTS (SELECT 1 FROM signing_keys) THEN CAST(? AS BIGINT) ELSE 0 END"
    unknown = "WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE id = ?)"
    return f"{_INSERT} SELECT ?, ?, ?, {first} {unknown}", [*values, values[0]]


def _read_row(row: dict[str, Any]) -> tuple[PublicKey, _Sign | None] | None:
    """Return the key of a row, with its function if its private part is stored; None if it is malformed."""
    try:
        public, stored = b64decode(row["public_key"], validate=True), bytes.fromhex(row["private_key"])
        private = Ed25519PrivateKey.from_private_bytes(stored) if stored else None
        Ed25519PublicKey.from_public_bytes(public)
        if key_id(public) != row["id"] or row["created_at"] < 0:
            raise ValueError("the id is not that of the key")
        if private is not None and private.public_key().public_bytes_raw() != public:
            raise ValueError("the private key is another one")
    except ValueError as error:
        _LOG.error("signing_key_malformed", key=str(row["id"])[:40], reason=str(error))
        return None
    key = PublicKey(row["id"], row["public_key"], row["created_at"])
    return key, None if private is None else private.sign


class Signer:
    """Signs with the key valid at a given time; the same message always gets the same signature."""

    def __init__(
        self, database: Database, clock: Callable[[], int], external: ExternalKeys | None = None
    ) -> None:
        """Uses the keys outside the database if they are given, beside those that are in it."""
        self._database = database
        self._clock = clock
        self._outside = external
        self._cached: tuple[_Keys, int] | None = None
        """The keys, and when they were read."""
        self._reported: str | None = None
        """The missing key that was last logged."""

    def first_keys(self) -> list[Statement]:
        """Return the statements that publish the first key, new or kept outside; part of the migration."""
        if self._outside is None:
            if_none = "WHERE NOT EXISTS (SELECT 1 FROM signing_keys)"
            return [(f"{_INSERT} SELECT ?, ?, ?, ? {if_none}", _new_row(valid_from=0))]
        return [
            _publish(public, self._clock() + _DELAY_MS + i)
            for i, public in enumerate(self._outside.public_keys())
        ]

    def rotate(self) -> PublicKey:
        """Create a new key, or publish one added outside, valid in a minute; the old ones stay published."""
        known = {key.id for key in self.public_keys()}
        if self._outside is None:
            self._database.write((f"{_INSERT} VALUES (?, ?, ?, ?)", _new_row(self._clock() + _DELAY_MS)))
        else:
            self._database.write(*self.first_keys())
        self._cached = None
        new = [key for key in self.public_keys() if key.id not in known]
        if not new:
            raise OperatorError("The signing keys are kept outside the database: add a new key there first.")
        return new[-1]

    def stored_private_keys(self) -> list[str]:
        """Return the private keys in the database, in hex, the oldest first."""
        query = "SELECT private_key FROM signing_keys WHERE private_key <> '' ORDER BY created_at, id"
        return [row["private_key"] for row in self._database.read(query)]

    def clear_private_keys(self) -> None:
        """Remove the private keys from the database, once they are kept outside; the public ones stay."""
        self._database.write(("UPDATE signing_keys SET private_key = '' WHERE private_key <> ''", []))
        self._cached = None

    def check(self) -> None:
        """Raise UnavailableError, and log it once, if this process cannot sign now."""
        if self._missing() is not None:
            self._cached = None  # it may have arrived since
        missing = self._missing()
        if missing is None:
            if self._reported is not None:
                _LOG.info("signing_key_found")
        elif missing != self._reported:
            _LOG.error("signing_key_missing", key=missing, do=GIVE_KEY)
        self._reported = missing
        if missing is not None:
            raise UnavailableError(f"This process does not have the signing key {missing}. {GIVE_KEY}")

    def _missing(self) -> str | None:
        """The id of the key that is valid now, if this process does not have it; `none` if there is none."""
        now = self._clock()
        valid = [(key, sign) for key, sign in self._keys() if key.valid_from <= now]
        if not valid:
            return "(none)"
        key, sign = valid[-1]
        return key.id if sign is None else None

    def public_keys(self) -> list[PublicKey]:
        """Return all keys, the oldest first."""
        return [key for key, _ in self._keys()]

    def _keys(self) -> _Keys:
        cached, now = self._cached, self._clock()
        if cached is None or not cached[1] <= now < cached[1] + _CACHE_MS:
            self._cached = cached = self._read_keys(), now
        return cached[0]

    def _read_keys(self) -> _Keys:
        """Read the keys; rows that are malformed, or that keys kept outside make void, are left out."""
        rows = self._database.read("SELECT * FROM signing_keys ORDER BY created_at, id")
        read = [found for row in rows if (found := _read_row(row)) is not None]
        if self._outside is None:
            return read
        outside = {id_: partial(self._outside.sign, id_) for id_ in map(key_id, self._outside.public_keys())}
        # Another key may be older than those outside, from before they were. A newer one was put there by
        # somebody who can write to the database but does not have the keys.
        first = min((key.valid_from for key, _ in read if key.id in outside), default=None)
        if first is not None:
            void = [key.id for key, _ in read if key.id not in outside and key.valid_from >= first]
            if void:
                _LOG.error("signing_keys_ignored", keys=void, reason="not among the keys kept outside")
            read = [(key, sign) for key, sign in read if key.id not in void]
        return [(key, outside.get(key.id, sign)) for key, sign in read]

    def close(self) -> None:
        """Release the keys outside the database."""
        if self._outside is not None:
            self._outside.close()

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        """Sign with the key valid at a time; return its id and the signature."""
        for key, sign in reversed(self._keys()):
            if key.valid_from <= at:
                return key.id, _signature(key, sign, message)
        raise UnavailableError("The service has no signing key; the operator must run kontor migrate.")

    def sign_with(self, key: PublicKey, message: bytes) -> str:
        """Sign with one of the keys; return the signature."""
        return _signature(key, dict(self._keys()).get(key), message)

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        """Return the signed receipt for a version of a match."""
        key, signature = self.sign(MATCHES.receipt_text(match_id, version, head, at), at)
        return Receipt(match_id, version, head, at, key, signature)

    def commitment(self, match_id: str, commitment: str, at: int) -> tuple[str, str]:
        """Sign the commitment to the server's secret of a match; return the key's id and the signature."""
        return self.sign(MATCHES.commitment_text(match_id, commitment, at), at)


def _signature(key: PublicKey, sign: _Sign | None, message: bytes) -> str:
    if sign is None:
        raise UnavailableError(f"This process does not have the signing key {key.id}.")
    return b64encode(sign(message)).decode()
