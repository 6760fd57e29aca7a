"""Positions: a state is encoded as plain data and restored, and every value keeps its type."""

import json
from typing import Any, NamedTuple

import pytest

from kontor_games.domain.codec import Record, record
from kontor_games.domain.game import State
from kontor_games.domain.position import dump_position, load_position


class Place(NamedTuple):
    row: int
    name: str


@record
class Ware(Record):
    kind: str
    sizes: tuple[int, ...]


class Stall(State):
    __slots__ = ("shared", "value")
    STATIC = frozenset({"shared"})
    PARTS = (Place, Ware)

    def __init__(self, value: Any = None) -> None:
        self.value = value
        self.shared = "worked out anew"


class Market(Stall):
    __slots__ = ("stalls",)

    def __init__(self, value: Any = None, stalls: Any = None) -> None:
        super().__init__(value)
        self.stalls = stalls


VALUES = [
    None,
    True,
    0,
    "text",
    [1, [2, 3]],
    (1, (2,)),
    {3, 1, 2},
    frozenset({"b", "a"}),
    {1: "one", "two": [2], (3, 4): {5}},
    b"\x00\xff",
    bytearray(b"\x01"),
    Place(2, "corner"),
    Ware("silk", (3, 4)),
    [Place(0, "a"), (Ware("salt", ()), None)],
    ["list", "dict", "named"],
]


def parts(value: Any) -> list[Any]:
    """Return a value and everything nested in it; unordered collections are sorted."""
    inner = (
        [*value.items()]
        if isinstance(value, dict)
        else sorted(value)
        if isinstance(value, set | frozenset)
        else value
    )
    return (
        [value, *(part for one in inner for part in parts(one))]
        if isinstance(inner, list | tuple)
        else [value]
    )


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_every_value_keeps_its_type(value: Any) -> None:
    frozen = dump_position(Stall(value))
    fresh = Stall()
    load_position(fresh, json.loads(json.dumps(frozen)))
    assert fresh.value == value
    assert type(fresh.value) is type(value)
    assert [type(part) for part in parts(fresh.value)] == [type(part) for part in parts(value)]


def test_constants_of_a_game_are_not_part_of_a_position() -> None:
    assert Market.slots() == ["stalls", "value"]
    assert set(dump_position(Market(1, 2))) == {"stalls", "value"}
    fresh = Market()
    load_position(fresh, dump_position(Market(1, [2])))
    assert (fresh.value, fresh.stalls, fresh.shared) == (1, [2], "worked out anew")


def test_a_position_shares_nothing_with_the_state_it_was_taken_from() -> None:
    hands = [[1, 2], [3]]
    frozen, fresh = dump_position(Stall(hands)), Stall()
    hands[0].append(9)
    load_position(fresh, frozen)
    assert fresh.value == [[1, 2], [3]]
    fresh.value[0].append(7)
    again = Stall()
    load_position(again, frozen)
    assert again.value == [[1, 2], [3]]


@pytest.mark.parametrize("value", [1.5, object(), [Stall()]])
def test_a_value_that_a_position_cannot_hold_is_an_error(value: Any) -> None:
    with pytest.raises(TypeError, match="a position cannot hold"):
        dump_position(Stall(value))


def test_equal_sets_are_encoded_alike_in_whatever_order_they_were_filled() -> None:
    assert dump_position(Stall(set("abcdef"))) == dump_position(Stall(set("fedcba")))


@pytest.mark.parametrize(
    "frozen",
    [
        {},
        {"value": ["named", "Unknown", 1]},
        {"value": ["record", "Unknown", {}]},
        {"value": ["bytes", "zz"]},
    ],
)
def test_a_position_with_unknown_names_cannot_be_set_up(frozen: Any) -> None:
    with pytest.raises((LookupError, ValueError)):
        load_position(Stall(), frozen)
