"""The text of a token, and what is stored of it."""

import re
import zlib
from base64 import urlsafe_b64encode
from hashlib import sha256

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


def hash_token(text: str) -> str:
    """Return the hash by which a token is stored.

    Unlike for passwords, one round of SHA-256 without salt is enough: a token holds 256 random bits, so it
    can't be guessed and no two are equal. Since rows are found by this hash, the time of a lookup reveals
    nothing about tokens.
    """
    return sha256(text.encode()).hexdigest()
