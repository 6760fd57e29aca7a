"""The seed of a match: the server's secret, bound by a hash before anyone sits down, and what the players put in."""

import hashlib
import re
from collections.abc import Sequence

OPENING_MS = 60_000
"""How long players have to open sealed contributions."""
_HASH = re.compile(r"[0-9a-f]{64}")


def is_hash(text: str) -> bool:
    """Whether a text can be a sealed contribution: a SHA-256 in lower-case hex."""
    return _HASH.fullmatch(text) is not None


def opens(value: str, sealed: str) -> bool:
    """Whether a value is the one that was sealed."""
    return hashlib.sha256(value.encode()).hexdigest() == sealed


def commitment_of(server_secret: str) -> str:
    """The hash that the service publishes before anyone sits down."""
    return hashlib.sha256(bytes.fromhex(server_secret)).hexdigest()


def seed_of(server_secret: str, contributions: Sequence[str]) -> bytes:
    """The seed of a match: its secret and, seat by seat, what the players put in (docs/chance.md)."""
    parts = [b"kontor.seed.1\n", bytes.fromhex(server_secret)]
    for contribution in contributions:
        text = contribution.encode()
        parts += [len(text).to_bytes(2, "big"), text]
    return hashlib.sha256(b"".join(parts)).digest()
