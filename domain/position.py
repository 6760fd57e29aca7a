"""Positions: a complete state as plain data, from which a branch of a match can start."""

from collections.abc import Callable
from typing import Any

from kontor_games.domain.codec import Plain, Record, Shape
from kontor_games.domain.game import State
from kontor_games.domain.plain import MAX_INTEGER

_SEQUENCES: dict[str, type[Any]] = {kind.__name__: kind for kind in (list, tuple, set, frozenset)}
_FROM_HEX: dict[str, Callable[[str], Any]] = {
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "int": lambda digits: int(digits, 16),
}


def dump_position(state: State) -> Plain:
    """Return a state as plain data that keeps the type of every value."""
    return {name: _pack(getattr(state, name)) for name in state.slots()}


def load_position(fresh: State, position: Plain) -> None:
    """Restore a dumped position into a fresh state."""
    parts = {part.__name__: part for part in fresh.PARTS}
    for name in fresh.slots():
        setattr(fresh, name, _unpack(position[name], parts))
    fresh.restored()


def _pack(value: Any) -> Plain:
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        return ["int", f"{value:x}"]
    if value is None or isinstance(value, bool | int | str):
        return value
    kind = type(value)
    if kind in _SEQUENCES.values():
        items = sorted(value) if kind in (set, frozenset) else value
        return [kind.__name__, *map(_pack, items)]
    if kind is dict:
        return ["dict", *([_pack(key), _pack(item)] for key, item in value.items())]
    if isinstance(value, bytes | bytearray):
        return [kind.__name__, value.hex()]
    if isinstance(value, Record):
        return ["record", kind.__name__, Shape(kind).encode(value)]
    if isinstance(value, tuple):
        return ["named", kind.__name__, *map(_pack, value)]
    raise TypeError(f"a position cannot hold {kind.__name__}")


def _unpack(packed: Plain, parts: dict[str, type]) -> Any:
    if not isinstance(packed, list):
        return packed
    kind, *items = packed
    if kind in _SEQUENCES:
        return _SEQUENCES[kind](_unpack(item, parts) for item in items)
    if kind == "dict":
        return {_unpack(key, parts): _unpack(item, parts) for key, item in items}
    if kind == "named":
        return parts[items[0]](*(_unpack(item, parts) for item in items[1:]))
    if kind == "record":
        return Shape(parts[items[0]]).revive(items[1])
    return _FROM_HEX[kind](items[0])
