"""The seed of a match: the server's secret, published as a hash first, and the players' contributions."""

import hashlib
import re
from collections.abc import Sequence

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
