"""The seed of a match: the server's secret, published as a hash first, and the players' contributions."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import NamedTuple

OPENING_MS = 60_000
"""How long players have to reveal their sealed contributions."""
_HASH = re.compile(r"[0-9a-f]{64}")


def is_hash(text: str) -> bool:
    """Return whether a text is a SHA-256 in lower-case hex, the form of a sealed contribution."""
    return _HASH.fullmatch(text) is not None


def is_opening_of(value: str, sealed: str) -> bool:
    """Return whether a revealed value matches the sealed contribution."""
    return hashlib.sha256(value.encode()).hexdigest() == sealed


def commitment_of(server_secret: str) -> str:
    """Return the hash of the secret, which the service publishes before anyone joins."""
    return hashlib.sha256(bytes.fromhex(server_secret)).hexdigest()


def seed_of(server_secret: str, contributions: Sequence[str]) -> bytes:
    """Return the seed, from the secret and the contributions in the order of seats (docs/chance.md)."""
    parts = [b"kontor.seed.1\n", bytes.fromhex(server_secret)]
    for contribution in contributions:
        text = contribution.encode()
        parts += [len(text).to_bytes(2, "big"), text]
    return hashlib.sha256(b"".join(parts)).digest()


class Salts(NamedTuple):
    """The salts of the hidden fields of one stream, which are derived from the server's secret."""

    server_secret: str
    stream: str | None = None
    """The id that is part of the derivation `kontor.salt.2`; None for `kontor.salt.1`, which has none."""

    def of(self, version: int, field: str) -> bytes:
        """Return the salt of a hidden field of a fact."""
        if not self.server_secret:
            raise ValueError("without a secret nothing can be hidden")
        prefix = "kontor.salt.1\n" if self.stream is None else f"kontor.salt.2\n{self.stream}:"
        return hmac.digest(bytes.fromhex(self.server_secret), f"{prefix}{version}:{field}".encode(), "sha256")
