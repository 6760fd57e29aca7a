"""Frozen classes are made quickly and behave as the dataclasses that they are."""

import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from inspect import signature

import pytest

from kontor_games.domain.frozen import frozen


@frozen
class Point:
    """A point with a label."""

    x: int
    y: int = 2
    label: str = "here"


@frozen
class Deep(Point):
    """Inherits fields."""

    z: int = 3


@frozen
class Listed:
    """Has a default that is made anew each time."""

    names: list[str] = field(default_factory=list)


@frozen
class Empty:
    """Has no field."""


@pytest.mark.parametrize("cls", [Point, Deep])
def test_it_is_made_from_positions_names_and_defaults(cls: type[Point]) -> None:
    assert cls(1) == cls(x=1, y=2, label="here") == cls(1, 2)
    assert [str(one) for one in signature(cls).parameters.values()][:3] == [
        "x: int",
        "y: int = 2",
        "label: str = 'here'",
    ]
    for arguments in ((), (1, 2, "there", 4, 5)):
        with pytest.raises(TypeError, match=f"{cls.__name__}.__init__"):
            cls(*arguments)


def test_fields_are_inherited() -> None:
    assert Deep(1, label="there") == Deep(1, 2, "there", 3)
    assert [one.name for one in fields(Deep)] == ["x", "y", "label", "z"]


def test_it_stays_frozen_and_has_no_room_for_more() -> None:
    point = Point(1)
    for name in ("x", "other"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(point, name, 5)
    assert point == Point(1)
    assert not hasattr(point, "__dict__")


def test_it_can_be_replaced_hashed_and_sent_to_another_process() -> None:
    point = replace(Point(1), y=5)
    assert (point, hash(point)) == (Point(1, 5), hash(Point(1, 5)))
    assert pickle.loads(pickle.dumps(point)) == point  # noqa: S301  # our own


def test_defaults_that_are_made_anew_are_made_anew() -> None:
    Listed().names.append("Ann")
    assert Listed().names == []
    assert Empty() == Empty()
