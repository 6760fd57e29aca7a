"""The text of a token."""

import re
import zlib
from base64 import urlsafe_b64encode

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
