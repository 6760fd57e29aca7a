"""Stored records keep their bytes when a kind of fact gets a late field, which is omitted by default."""

from typing import Any

import pytest

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.codec import Codec, MalformedError, Shape, late, record
from kontor_games.domain.commands import Entry, Start
from kontor_games.domain.game import Fact


class Then:
    @record
    class SeatKept(Fact):
        """As it was first released."""

        seat: int


class Now:
    @record
    class SeatKept(Fact):
        """With fields added since."""

        seat: int
        until: int | None = late(default=None)
        guests: tuple[str, ...] = late(default=())


THEN, NOW = Codec([Then.SeatKept]), Codec([Now.SeatKept])


class Rules:
    """Rules of which only the facts matter."""

    def __init__(self, *facts: type[Fact]) -> None:
        self.facts = facts
        self.move_codec = Codec(())


def hashes(kind: type[Fact], fact: Fact) -> list[str]:
    return link("match", Rules(kind), Entry(1, 5, "ann", None, Start(), "", "", (fact,)), "5e" * 32, GENESIS)  # type: ignore[arg-type]


def test_an_old_fact_keeps_its_hash_after_a_field_was_added_to_its_kind() -> None:
    old = THEN.encode(Then.SeatKept(3))
    assert NOW.encode(NOW.decode(old)) == old == {"type": "seat_kept", "seat": 3}
    assert hashes(Now.SeatKept, NOW.decode(old)) == hashes(Then.SeatKept, Then.SeatKept(3))


def test_a_late_field_that_differs_from_its_default_is_written_and_read() -> None:
    new = Now.SeatKept(3, until=9, guests=("zoe",))
    assert NOW.encode(new) == {"type": "seat_kept", "seat": 3, "until": 9, "guests": ["zoe"]}
    assert NOW.decode(NOW.encode(new)) == NOW.parse(NOW.encode(new)) == new
    assert hashes(Now.SeatKept, new) != hashes(Now.SeatKept, Now.SeatKept(3))


def test_a_late_field_need_not_be_sent_and_has_its_place_in_the_schema() -> None:
    schema = NOW.schema("seat_kept")
    assert schema["required"] == ["type", "seat"]
    assert schema["properties"]["guests"]["default"] == []
    assert NOW.parse({"type": "seat_kept", "seat": 3}) == Now.SeatKept(3)


@pytest.mark.parametrize("data", [{"seat": 3, "until": "soon"}, {"seat": 3, "guests": [1]}])
def test_a_late_field_is_checked_like_any_other(data: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        NOW.parse({"type": "seat_kept", **data})


def test_a_shape_without_late_fields_writes_all_of_them() -> None:
    assert Shape(Then.SeatKept).encode(Then.SeatKept(0)) == {"seat": 0}
