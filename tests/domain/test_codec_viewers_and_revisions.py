"""Records: which viewer sees which field, and how older revisions are read."""

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.codec import ARBITER, SPECTATOR, Codec, MalformedError, Plain, Record, record, secret


@record
class CardStolen(Record):
    """A theft: two seats see the card, the witnesses see the reason, nobody sees the next card."""

    thief: int
    victim: int | None
    witnesses: tuple[int, ...]
    card: str = secret("thief", "victim")
    reason: str = secret("witnesses")
    next_card: str = secret()


THEFTS = Codec([CardStolen])
STOLEN = CardStolen(thief=0, victim=2, witnesses=(1, 2), card="ore", reason="seven", next_card="salt")


@pytest.mark.parametrize(
    ("viewer", "hidden"),
    [
        (0, ["reason", "next_card"]),
        (1, ["card", "next_card"]),
        (2, ["next_card"]),
        (3, ["card", "reason", "next_card"]),
        (SPECTATOR, ["card", "reason", "next_card"]),
    ],
)
def test_a_viewer_sees_the_fields_meant_for_them_and_the_names_of_hidden_ones(
    viewer: int, hidden: list[str]
) -> None:
    seen = {name: value for name, value in THEFTS.encode(STOLEN).items() if name not in hidden}
    assert THEFTS.redacted(STOLEN, viewer) == {**seen, "hidden": hidden}


def test_from_the_arbiter_nothing_is_hidden() -> None:
    assert THEFTS.redacted(STOLEN, ARBITER) == THEFTS.encode(STOLEN)


def test_a_fact_without_secrets_hides_nothing_from_anybody() -> None:
    assert BUILDINGS.redacted(WarehouseBuilt(1, price=5), SPECTATOR) == BUILDINGS.encode(
        WarehouseBuilt(1, price=5)
    )


@pytest.mark.parametrize("nobody", [SPECTATOR, None])
def test_a_field_that_names_nobody_does_not_name_the_spectator(nobody: int | None) -> None:
    stolen = CardStolen(
        thief=-1, victim=nobody, witnesses=(-1,), card="ore", reason="seven", next_card="salt"
    )
    assert THEFTS.redacted(stolen, SPECTATOR)["hidden"] == ["card", "reason", "next_card"]


def test_every_viewers_form_fits_the_published_schema() -> None:
    Draft202012Validator.check_schema(THEFTS.schema("card_stolen"))
    schema = Draft202012Validator(THEFTS.schema("card_stolen"))
    for viewer in (ARBITER, SPECTATOR, 0, 1, 2):
        schema.validate(THEFTS.redacted(STOLEN, viewer))


@record
class WarehouseBuilt(Record):
    """Its first revision named no price; every warehouse cost 3 then."""

    revision = 2

    seat: int
    price: int

    @classmethod
    def upcast(cls, data: dict[str, Plain], revision: int) -> dict[str, Plain]:
        if revision != 1:
            raise LookupError(f"no warehouse was ever stored in revision {revision}")
        return {**data, "price": 3}


BUILDINGS = Codec([WarehouseBuilt])


def test_stored_data_of_an_older_revision_is_brought_up_to_date() -> None:
    assert BUILDINGS.decode({"type": "warehouse_built", "seat": 1}) == WarehouseBuilt(1, price=3)


def test_the_revision_is_written_from_the_second_on() -> None:
    written = BUILDINGS.encode(WarehouseBuilt(1, price=5))
    assert written == {"type": "warehouse_built", "revision": 2, "seat": 1, "price": 5}
    assert BUILDINGS.decode(written) == BUILDINGS.parse(written) == WarehouseBuilt(1, price=5)
    Draft202012Validator(BUILDINGS.schema("warehouse_built")).validate(written)


def test_a_sender_may_leave_the_revision_out_but_not_invent_one() -> None:
    assert BUILDINGS.parse({"type": "warehouse_built", "seat": 1, "price": 5}) == WarehouseBuilt(1, price=5)
    with pytest.raises(MalformedError, match="/revision: is not a known field"):
        BUILDINGS.parse({"type": "warehouse_built", "revision": 1, "seat": 1, "price": 5})


def test_a_revision_that_cannot_be_converted_is_an_error() -> None:
    with pytest.raises(LookupError, match="ever stored in revision 7"):
        BUILDINGS.decode({"type": "warehouse_built", "revision": 7, "seat": 1})
    with pytest.raises(LookupError, match="card_stolen has no upcast from revision 2"):
        THEFTS.decode({"type": "card_stolen", "revision": 2})
