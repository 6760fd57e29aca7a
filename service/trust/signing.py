"""Signs answers of the service with Ed25519. Keys can be replaced; old public keys stay published.

The public keys are in the database. The private ones are there too, or else in a file, in the
environment, or with a program of the operator; then the column `private_key` is empty.
"""

import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import partial
from select import select
from threading import Lock
from time import monotonic
from typing import Any, Protocol

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.ed25519 import is_signed, key_id
from kontor_games.service.errors import OperatorError, UnavailableError
from kontor_games.service.matches.answers import Receipt
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.trust.notes import PublicKey

_PUBLIC_BYTES = 32
_SIGNATURE_BYTES = 64
_ANSWER_S = 5.0
"""Time limit for a signature."""
_PROBE = b"kontor.probe.1\n"
"""Signed once with each key at the start, to see whether the program works."""


class ExternalKeys(Protocol):
    """Private keys that the database does not hold: the interface to a key service."""

    def public_keys(self) -> Sequence[bytes]:
        """Return the public keys (32 bytes each) of all keys, the oldest first."""

    def sign(self, key: str, message: bytes) -> bytes:
        """Return the Ed25519 signature of a message, made with the key of this id."""

    def close(self) -> None: ...


def find_external_keys(settings: Settings) -> ExternalKeys | None:
    """Return the keys that the settings name; None if they are in the database."""
    if settings.signing_command:
        return KeyCommand(settings.signing_command)
    given = settings.signing_key or settings.signing_key_file
    return InMemoryKeys(given) if given else None


class InMemoryKeys:
    """Keys whose private parts are given to this process, in hex."""

    def __init__(self, private_keys: Sequence[str]) -> None:
        loaded = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key)) for key in private_keys]
        self._public = [key.public_key().public_bytes_raw() for key in loaded]
        self._private = {key_id(public): key for public, key in zip(self._public, loaded, strict=True)}

    def public_keys(self) -> Sequence[bytes]:
        """Return the public keys, the oldest first."""
        return self._public

    def sign(self, key: str, message: bytes) -> bytes:
        """Sign a message with the key of this id."""
        return self._private[key].sign(message)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


class KeyCommand:
    """A program that signs: it runs as long as this process, and answers its input line by line.

    Its first line has the public keys, in Base64 and separated by spaces, the oldest first. Then each line
    that it reads has the id of a key and a message in Base64, and it answers with a line: the signature in
    Base64.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """The program is started when it is first needed, and again after it has failed."""
        self._command = command
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._public: list[bytes] = []

    def public_keys(self) -> Sequence[bytes]:
        """Return the public keys that the program has named."""
        with self._lock:
            if self._process is None:
                self._start()
            return list(self._public)

    def sign(self, key: str, message: bytes) -> bytes:
        """Have the program sign a message; raise UnavailableError if it fails."""
        with self._lock:
            if self._process is None:
                self._start()
            return self._ask(key, message)

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the operator's own command
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
            self._public = [_decode(word, _PUBLIC_BYTES) for word in self._read_line().split()]
        except (OSError, ValueError) as error:
            raise self._failed() from error
        for public in self._public:
            signature = b64encode(self._ask(key_id(public), _PROBE)).decode()
            if not is_signed(b64encode(public).decode(), signature, _PROBE):
                raise self._failed()

    def _ask(self, key: str, message: bytes) -> bytes:
        try:
            self._process.stdin.write(  # type: ignore[union-attr]  # a pipe
                b"%s %s\n" % (key.encode(), b64encode(message))
            )
            return _decode(self._read_line(), _SIGNATURE_BYTES)
        except (OSError, ValueError) as error:
            raise self._failed() from error

    def _read_line(self) -> bytes:
        output = self._process.stdout.fileno()  # type: ignore[union-attr]  # a pipe
        line, until = b"", monotonic() + _ANSWER_S
        while not line.endswith(b"\n"):
            if not select([output], [], [], max(0.0, until - monotonic()))[0]:
                raise TimeoutError
            part = os.read(output, 4096)
            if not part:
                raise OSError("it has ended")
            line += part
        return line.rstrip(b"\n")

    def _failed(self) -> UnavailableError:
        """Stop the program, so that a late answer is not mistaken for the answer to another request."""
        self._stop()
        _LOG.error("signing_command_failed", command=self._command[0])
        return UnavailableError("The service cannot sign now. Try again with the same Idempotency-Key.")

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _decode(text: bytes, size: int) -> bytes:
    raw = b64decode(text, validate=True)
    if len(raw) != size:
        raise ValueError(f"this must have {size} bytes")
    return raw


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
        return _signature(key, dict(self._keys()).get(key), message)

    def receipt(self, match_id: str, version: int, head: str, at: int) -> Receipt:
        key, signature = self.sign(MATCHES.receipt_text(match_id, version, head, at), at)
        return Receipt(match_id, version, head, at, key, signature)

    def commitment(self, match_id: str, commitment: str, at: int) -> tuple[str, str]:
        """Sign the commitment to the server's secret of a match; return the key's id and the signature."""
        return self.sign(MATCHES.commitment_text(match_id, commitment, at), at)


def _signature(key: PublicKey, sign: _Sign | None, message: bytes) -> str:
    if sign is None:
        raise UnavailableError(f"This process does not have the signing key {key.id}.")
    return b64encode(sign(message)).decode()
