"""Moves as they are sent, and their comparison with stored ones, without the rules (docs/signatures.md)."""

from collections.abc import Sequence
from typing import Any

from kontor_client.evidence import canonical
from kontor_client.model import Json

UNORDERED = {"convert": ("give",), "sell_two": ("goods",)}
"""The lists in moves, by the type of the move, that are stored in an order of their own."""


def listed(move: Json | Sequence[Json]) -> list[Json]:
    """Return a move, or several, as the list that is signed: with 5 for 5.0, as canonical JSON requires."""
    moves: list[Json] = _whole([move] if isinstance(move, dict) else list(move))
    return moves


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def same_moves(sent: list[Json], stored: list[Json]) -> bool:
    """Return whether stored moves are those sent: fields that were not sent must be zero, false or empty."""
    return len(sent) == len(stored) and all(map(_same_move, sent, stored))


def _same_move(sent: Json, stored: Json) -> bool:
    return _means(_sorted(sent), _sorted(stored))


def _sorted(move: Json) -> Json:
    names = UNORDERED.get(move["type"], ())
    return {name: sorted(value) if name in names else value for name, value in move.items()}


def _means(sent: Any, stored: Any) -> bool:
    if isinstance(sent, list) and isinstance(stored, list):
        return len(sent) == len(stored) and all(map(_means, sent, stored))
    if not isinstance(sent, dict) or not isinstance(stored, dict):
        return canonical(sent) == canonical(stored)  # 1 == True in Python
    return sent.keys() <= stored.keys() and all(
        _means(sent[name], value) if name in sent else _is_empty(value) for name, value in stored.items()
    )


def _is_empty(value: Any) -> bool:
    return all(map(_is_empty, value.values())) if isinstance(value, dict) else not value
