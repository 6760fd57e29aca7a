"""Signing keys kept outside the database: in a file, in the environment, or by a program of the operator."""

import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Sequence
from select import select
from threading import Lock
from time import monotonic
from typing import Protocol

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.service.ed25519 import is_signed, key_id
from kontor_games.service.errors import UnavailableError
from kontor_games.service.settings import Settings

_LOG = structlog.get_logger(__name__)
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
