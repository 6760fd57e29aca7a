"""Records: encoding, decoding, parsing of untrusted input, JSON Schema."""

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from kontor_games.domain.codec import (
    Between,
    Codec,
    Fault,
    Length,
    MalformedError,
    Plain,
    Record,
    Shape,
    canonical,
    digest,
    key_of,
    record,
    secret,
)


@record
class Crate(Record):
    """A part of a record."""

    good: Literal["coffee", "tea"]
    weight: Annotated[int, Between(1, 9)]


@record
class ShipLoaded(Record):
    """One field of every form."""

    seat: int
    berth: Annotated[int, Between(0, 3)]
    name: Annotated[str, Length(1, 12)]
    sealed: bool
    season: Literal["spring", 2]
    crates: tuple[Crate, ...]
    lines: tuple[tuple[int, ...], ...]
    place: tuple[int, str]
    marks: Annotated[tuple[str, ...], Length(0, 2)]
    pilot: int | None
    spare: Crate | None
    papers: Any
    note: str = "none"
    stamps: tuple[int, ...] = (1, 2)


@record
class ShipSunk(Record):
    """A record without fields."""


CODEC = Codec([ShipLoaded, ShipSunk])
LOADED = ShipLoaded(
    seat=2,
    berth=0,
    name="Ægir",
    sealed=False,
    season=2,
    crates=(Crate("tea", 1), Crate("coffee", 9)),
    lines=((1, 2), ()),
    place=(7, "quay"),
    marks=("a",),
    pilot=None,
    spare=Crate("tea", 3),
    papers={"any": [1.5, None, {"deep": True}]},
)
WRITTEN = {
    "type": "ship_loaded",
    "seat": 2,
    "berth": 0,
    "name": "Ægir",
    "sealed": False,
    "season": 2,
    "crates": [{"good": "tea", "weight": 1}, {"good": "coffee", "weight": 9}],
    "lines": [[1, 2], []],
    "place": [7, "quay"],
    "marks": ["a"],
    "pilot": None,
    "spare": {"good": "tea", "weight": 3},
    "papers": {"any": [1.5, None, {"deep": True}]},
    "note": "none",
    "stamps": [1, 2],
}


def faults_of(data: Plain, codec: Codec = CODEC) -> list[tuple[str, str]]:
    with pytest.raises(MalformedError) as caught:
        codec.parse(data)
    return [(fault.pointer, fault.detail) for fault in caught.value.faults]


def changed(**values: Plain) -> dict[str, Plain]:
    return {**WRITTEN, **values}


# Names


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("WorkerPlaced", "worker_placed"),
        ("NotYourTurnError", "not_your_turn"),
        ("Buy", "buy"),
        ("SellTwo", "sell_two"),
    ],
)
def test_the_stored_key_derives_from_the_class_name(name: str, key: str) -> None:
    assert key_of(type(name, (), {})) == key


def test_every_record_knows_its_key() -> None:
    assert (ShipLoaded.type, LOADED.type, CODEC.types) == (
        "ship_loaded",
        "ship_loaded",
        ("ship_loaded", "ship_sunk"),
    )


def test_two_records_of_the_same_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two records are called ship_sunk"):
        Codec([ShipSunk, ShipSunk])


# Writing and reading back


def test_a_record_is_written_as_plain_data_with_its_type_first() -> None:
    written = CODEC.encode(LOADED)
    assert written == WRITTEN
    assert next(iter(written)) == "type"
    assert json.loads(canonical(written)) == WRITTEN


def test_encoding_and_decoding_give_the_same_record() -> None:
    assert CODEC.decode(WRITTEN) == LOADED
    assert CODEC.parse(WRITTEN) == LOADED
    assert hash(CODEC.decode(WRITTEN).crates) == hash(LOADED.crates)


def test_null_and_missing_parts_are_read_back_too() -> None:
    without = {name: value for name, value in changed(spare=None).items() if name not in ("note", "stamps")}
    assert CODEC.decode(without) == CODEC.parse(without)
    assert CODEC.decode(without).spare is None
    assert CODEC.decode(without).stamps == (1, 2)


def test_a_record_without_fields_is_its_type_alone() -> None:
    assert CODEC.encode(ShipSunk()) == {"type": "ship_sunk"}
    assert CODEC.parse({"type": "ship_sunk"}) == ShipSunk()


def test_the_canonical_form_is_sorted_and_without_spaces() -> None:
    assert canonical({"b": [1, 2], "a": "é"}) == '{"a":"é","b":[1,2]}'.encode()


def test_the_digest_is_the_sha_256_of_the_canonical_form() -> None:
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_values_that_are_not_json_have_no_canonical_form() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


# Untrusted input


@pytest.mark.parametrize(
    ("field", "value", "pointer", "detail"),
    [
        ("seat", True, "/seat", "must be an integer"),
        ("seat", "2", "/seat", "must be an integer"),
        ("seat", 2.5, "/seat", "must be an integer"),
        ("seat", float("inf"), "/seat", "must be an integer"),
        ("seat", None, "/seat", "must be an integer"),
        ("seat", 2**53, "/seat", "must be between -9007199254740991 and 9007199254740991"),
        ("seat", 10**400, "/seat", "must be between -9007199254740991 and 9007199254740991"),
        ("seat", 1e300, "/seat", "must be between -9007199254740991 and 9007199254740991"),
        ("berth", 4, "/berth", "must be between 0 and 3"),
        ("berth", -1, "/berth", "must be between 0 and 3"),
        ("name", 7, "/name", "must be a string"),
        ("name", "", "/name", "must have between 1 and 12 characters"),
        ("name", "thirteen char", "/name", "must have between 1 and 12 characters"),
        ("name", "\ud800", "/name", "must be Unicode text"),
        ("sealed", 1, "/sealed", "must be true or false"),
        ("season", "autumn", "/season", 'must be one of "spring", 2'),
        ("season", [], "/season", 'must be one of "spring", 2'),
        ("crates", {}, "/crates", "must be a list"),
        ("crates", [[]], "/crates/0", "must be an object"),
        ("lines", [[1], [1, "x"]], "/lines/1/1", "must be an integer"),
        ("lines", [[0] * 1001], "/lines/0", "must have between 0 and 1000 items"),
        ("place", [7], "/place", "must be a list of 2 items"),
        ("place", [7, 7], "/place/1", "must be a string"),
        ("marks", ["a", "b", "c"], "/marks", "must have between 0 and 2 items"),
        ("pilot", "me", "/pilot", "must be an integer"),
        ("spare", 3, "/spare", "must be an object"),
        ("papers", {"sum": float("nan")}, "/papers", "must be JSON in Unicode text, with finite numbers"),
        ("papers", ["\udfff"], "/papers", "must be JSON in Unicode text, with finite numbers"),
    ],
)
def test_a_wrong_value_is_named_by_pointer_and_reason(
    field: str, value: Plain, pointer: str, detail: str
) -> None:
    assert faults_of(changed(**{field: value})) == [(pointer, detail)]


def test_all_faults_are_reported_together_and_in_a_fixed_order() -> None:
    data = changed(berth=9, crates=[{"good": "salt", "weight": 1, "x": 0}, {"good": "tea"}], zeal=1, apex=2)
    del data["seat"]
    assert faults_of(data) == [
        ("/zeal", "is not a known field"),
        ("/apex", "is not a known field"),
        ("/seat", "is missing"),
        ("/berth", "must be between 0 and 3"),
        ("/crates/0/x", "is not a known field"),
        ("/crates/0/good", 'must be one of "coffee", "tea"'),
        ("/crates/1/weight", "is missing"),
    ]


def test_an_unknown_field_is_escaped_as_a_json_pointer() -> None:
    assert faults_of({"type": "ship_sunk", "a/b~c": 1, "\ud800": 2}) == [
        ("/a~1b~0c", "is not a known field"),
        ("/?", "is not a known field"),
    ]


def test_a_pointer_starts_at_the_place_of_the_record_in_the_request() -> None:
    with pytest.raises(MalformedError) as caught:
        CODEC.parse({"type": "ship_sunk", "x": 1}, "/moves/3")
    assert caught.value.faults == (Fault("/moves/3/x", "is not a known field"),)
    assert str(caught.value) == "/moves/3/x: is not a known field"


@pytest.mark.parametrize("data", [None, [], "ship_sunk", 7])
def test_only_an_object_can_be_a_record(data: Plain) -> None:
    assert faults_of(data) == [("", "must be an object")]


@pytest.mark.parametrize("data", [{}, {"type": "ship"}, {"type": 7}, {"type": ["ship_sunk"]}, {"type": None}])
def test_the_error_for_an_unknown_type_lists_the_known_ones(data: Plain) -> None:
    assert faults_of(data) == [("/type", "must be one of ship_loaded, ship_sunk")]


def test_a_whole_float_is_an_integer_as_json_schema_has_it() -> None:
    parsed = CODEC.parse(changed(seat=5.0, season=2.0, place=[-3.0, "x"]))
    assert (parsed.seat, parsed.season, parsed.place) == (5, 2, (-3, "x"))
    assert {type(parsed.seat), type(parsed.season), type(parsed.place[0])} == {int}


def test_nesting_too_deep_to_write_is_refused() -> None:
    deep: Plain = []
    for _ in range(100_000):
        deep = [deep]
    assert faults_of(changed(papers=deep)) == [
        ("/papers", "must be JSON in Unicode text, with finite numbers")
    ]


JUNK: st.SearchStrategy[Plain] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


LOADED_SCHEMA = Draft202012Validator(CODEC.schema("ship_loaded"))


@pytest.mark.untraced
@given(st.dictionaries(st.sampled_from([*WRITTEN, "x"]), JUNK, max_size=6))
def test_parser_and_schema_agree_on_any_input(values: dict[str, Plain]) -> None:
    data = {**WRITTEN, **values, "type": "ship_loaded"}
    if LOADED_SCHEMA.is_valid(data) and writable(data):
        assert CODEC.decode(CODEC.encode(CODEC.parse(data))) == CODEC.parse(data)
    else:
        assert faults_of(data)


def writable(data: Plain) -> bool:
    try:
        canonical(data)
    except ValueError:
        return False
    return True


# What a record cannot hold


def made(annotation: Any, **attributes: Any) -> type[Record]:
    return record(
        type("Odd", (Record,), {"__annotations__": {"held": annotation}, "__doc__": "Odd.", **attributes})
    )


@pytest.mark.parametrize("annotation", [float, dict, list[int], int | str, bytes, tuple[float, ...], object])
def test_a_type_without_a_plain_form_is_refused_at_definition(annotation: Any) -> None:
    with pytest.raises(TypeError, match="a record cannot hold"):
        Shape(made(annotation))


@pytest.mark.parametrize(
    "annotation",
    [Annotated[int, "short"], Annotated[str, Between(0, 1)], Annotated[tuple[int, int], Length(2, 2)]],
)
def test_inconsistent_bounds_are_refused_at_definition(annotation: Any) -> None:
    with pytest.raises(TypeError, match="cannot be the bounds of"):
        Shape(made(annotation))


def test_a_field_cannot_have_a_reserved_name() -> None:
    odd: type[Record] = record(
        type("Odd", (Record,), {"__annotations__": {"hidden": int}, "__doc__": "Odd."})
    )
    with pytest.raises(TypeError, match="cannot be called 'hidden'"):
        Shape(odd)


def test_a_secret_must_name_existing_fields() -> None:
    with pytest.raises(TypeError, match="visible to 'thief', but there is no such field"):
        Shape(made(int, held=secret("thief")))


def test_a_part_of_a_record_cannot_have_secrets() -> None:
    with pytest.raises(TypeError, match="make the whole field secret"):
        Shape(made(made(int, held=secret())))


# Description


@pytest.mark.parametrize("schema", [CODEC.schema("ship_loaded"), CODEC.schema("ship_sunk")])
def test_schemas_are_valid_json_schema(schema: Plain) -> None:
    Draft202012Validator.check_schema(schema)
    canonical(schema)


def test_the_schema_follows_the_annotations() -> None:
    schema = CODEC.schema("ship_loaded")
    assert schema["description"] == "One field of every form."
    assert schema["additionalProperties"] is False
    assert schema["required"] == [name for name in WRITTEN if name not in ("note", "stamps")]
    assert schema["properties"]["type"] == {"const": "ship_loaded"}
    assert schema["properties"]["berth"] == {"type": "integer", "minimum": 0, "maximum": 3}
    assert schema["properties"]["season"] == {"enum": ["spring", 2]}
    assert schema["properties"]["note"] == {
        "type": "string",
        "minLength": 0,
        "maxLength": 1000,
        "default": "none",
    }
    assert schema["properties"]["stamps"]["default"] == [1, 2]
