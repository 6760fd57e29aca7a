"""Cursors: packed values as URL-safe Base64 without padding, opaque to clients."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from kontor_games.service.errors import NotFoundError

T = TypeVar("T")
_ROW = struct.Struct(">q16s")
"""The time and the id of the last row of a page."""


def write_cursor(packed: bytes) -> str:
    """Return the text of a cursor."""
    return urlsafe_b64encode(packed).decode().rstrip("=")


def read_cursor(text: str, unpack: Callable[[bytes], T]) -> T:
    """Return the unpacked values of a cursor; raise NotFoundError if it can't be unpacked."""
    try:
        return unpack(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, struct.error):
        raise NotFoundError("This is not a cursor of this service. Start without one.") from None


def row_cursor(row: Mapping[str, Any]) -> str:
    """Return the cursor of the page after a row, in a list by `created_at` and `id`."""
    return write_cursor(_ROW.pack(row["created_at"], UUID(row["id"]).bytes))


def read_row_cursor(text: str) -> tuple[int, str]:
    """Return time and id of the last row of the previous page."""
    created_at, id_ = read_cursor(text, _ROW.unpack)
    return created_at, str(UUID(bytes=id_))
