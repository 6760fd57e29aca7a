"""Cursors: packed values as URL-safe Base64 without padding, opaque to clients."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import TypeVar

from kontor_games.service.errors import NotFoundError

T = TypeVar("T")


def write_cursor(packed: bytes) -> str:
    """Return the text of a cursor."""
    return urlsafe_b64encode(packed).decode().rstrip("=")


def read_cursor(text: str, unpack: Callable[[bytes], T]) -> T:
    """Return the unpacked values of a cursor; raise NotFoundError if it can't be unpacked."""
    try:
        return unpack(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, struct.error):
        raise NotFoundError("This is not a cursor of this service. Start without one.") from None
