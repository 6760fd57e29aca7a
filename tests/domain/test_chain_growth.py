"""Stored records keep their bytes when a kind of fact gets a late field, which is omitted by default."""

from typing import Any

import pytest

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.codec import Codec, MalformedError, Shape, late, record
from kontor_games.domain.commands import Start
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.stream import Entry


class OldShape:
    @record
    class SeatKept(Fact):
        """As it was first released."""

        seat: int


class NewShape:
    @record
    class SeatKept(Fact):
        """With fields added since."""

        seat: int
        until: int | None = late(default=None)
        guests: tuple[str, ...] = late(default=())


OLD, NEW = Codec([OldShape.SeatKept]), Codec([NewShape.SeatKept])


class Rules:
    """Rules of which only the facts matter."""

    def __init__(self, *facts: type[Fact]) -> None:
        self.facts = facts
        self.move_codec = Codec(())


def hashes(kind: type[Fact], fact: Fact) -> list[str]:
    entry = Entry(1, 5, "ann", None, Start(), "", "", (fact,))
    match = Match()
    match.version, match.rules = 1, Rules(kind)  # type: ignore[assignment]
    return link(MATCHES, "match", match, entry, GENESIS)


def test_an_old_fact_keeps_its_hash_after_a_field_was_added_to_its_kind() -> None:
    old = OLD.encode(OldShape.SeatKept(3))
    assert NEW.encode(NEW.decode(old)) == old == {"type": "seat_kept", "seat": 3}
    assert hashes(NewShape.SeatKept, NEW.decode(old)) == hashes(OldShape.SeatKept, OldShape.SeatKept(3))


def test_a_late_field_that_differs_from_its_default_is_written_and_read() -> None:
    new = NewShape.SeatKept(3, until=9, guests=("zoe",))
    assert NEW.encode(new) == {"type": "seat_kept", "seat": 3, "until": 9, "guests": ["zoe"]}
    assert NEW.decode(NEW.encode(new)) == NEW.parse(NEW.encode(new)) == new
    assert hashes(NewShape.SeatKept, new) != hashes(NewShape.SeatKept, NewShape.SeatKept(3))


def test_a_late_field_need_not_be_sent_and_has_its_place_in_the_schema() -> None:
    schema = NEW.schema("seat_kept")
    assert schema["required"] == ["type", "seat"]
    assert schema["properties"]["guests"]["default"] == []
    assert NEW.parse({"type": "seat_kept", "seat": 3}) == NewShape.SeatKept(3)


@pytest.mark.parametrize("data", [{"seat": 3, "until": "soon"}, {"seat": 3, "guests": [1]}])
def test_a_late_field_is_checked_like_any_other(data: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        NEW.parse({"type": "seat_kept", **data})


def test_a_shape_without_late_fields_writes_all_of_them() -> None:
    assert Shape(OldShape.SeatKept).encode(OldShape.SeatKept(0)) == {"seat": 0}
