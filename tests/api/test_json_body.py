import json

import pytest

from kontor_games.api.json_body import DEPTH, duplicate_key, read_json
from kontor_games.api.problems import UnreadableError
from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.plain import MAX_INTEGER


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -MAX_INTEGER,
        MAX_INTEGER,
        1.5,
        "",
        "Grüße 😀",
        [],
        {},
        {"a": [1, {"b": None}]},
        {"type": "lay_card", "card": 3},
    ],
)
def test_plain_json_is_parsed_as_by_any_json_parser(value: object) -> None:
    assert read_json(json.dumps(value).encode()) == value
    assert read_json(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "Expecting value at line 1, column 1."),
        (b"{", "Expecting property name enclosed in double quotes at line 1, column 2."),
        (b'{"a": 1} x', "Extra data at line 1, column 10."),
        (b"\xff\xfe", "The body is not UTF-8 (byte 0)."),
        (b'"\xed\xa0\x80"', "The body is not UTF-8 (byte 1)."),
        (b"[NaN]", "NaN is not a JSON value."),
        (b"[-Infinity]", "-Infinity is not a JSON value."),
        (b'{"a": 1, "b": 2, "a": 3}', 'The key "a" occurs twice in one object.'),
        (b'"\x00"', "Invalid control character at at line 1, column 2."),
        (b"[" * 60_000, f"The body is nested deeper than {DEPTH} levels."),
        (b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), f"The body is nested deeper than {DEPTH} levels."),
        (
            b'{"a":' * (DEPTH + 1) + b"1" + b"}" * (DEPTH + 1),
            f"The body is nested deeper than {DEPTH} levels.",
        ),
    ],
)
def test_ambiguous_json_is_refused(raw: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_json(raw)
    assert str(refused.value) == sentence


def test_the_deepest_allowed_nesting_is_read() -> None:
    assert read_json(b"[" * DEPTH + b"]" * DEPTH) is not None


_NUMBER = f"must be a number between {-MAX_INTEGER} and {MAX_INTEGER}"
_TEXT = "must be Unicode text without NUL and without unpaired surrogates"


@pytest.mark.parametrize(
    ("raw", "faults"),
    [
        (b'{"a": [1, 9007199254740992]}', [Fault("/a/1", _NUMBER)]),
        (b"9" * 60_000, [Fault("", _NUMBER)]),
        (b"[1e999]", [Fault("/0", _NUMBER)]),
        (b'{"a/b~c": "\\u0000"}', [Fault("/a~1b~0c", _TEXT)]),
        (b'["\\ud800", "\\udfff", "\\ud83d\\ude00"]', [Fault("/0", _TEXT), Fault("/1", _TEXT)]),
        (b'{"\\ud800": 1}', [Fault("/?", "must have a name that is valid Unicode text")]),
    ],
)
def test_values_that_cannot_be_stored_are_reported_with_their_pointers(
    raw: bytes, faults: list[Fault]
) -> None:
    with pytest.raises(MalformedError) as refused:
        read_json(raw)
    assert list(refused.value.faults) == faults


def test_a_repeated_key_of_a_large_object_is_found_with_few_comparisons() -> None:
    class CountedKey(str):
        compared = 0
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            CountedKey.compared += 1
            return str.__eq__(self, other)

    keys = [CountedKey(f"key {number}") for number in (*range(1000), 999, 500)]
    assert duplicate_key([(key, None) for key in keys]) == "key 500", "the repeated key that occurs first"
    assert CountedKey.compared < 10_000
