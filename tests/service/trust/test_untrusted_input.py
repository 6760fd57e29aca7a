"""What comes from others is read strictly: JSON with unique keys, and receipts with exactly typed fields."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kontor_games.service.trust.inclusion_check import read_json
from kontor_games.service.trust.notes import PublicKey, UnreadableReceiptError, key_at, read_receipt
from kontor_games.service.trust.witness import state_path

RECEIPT = {"match": "m", "version": 3, "head": "h", "at": 7, "key": "k", "signature": "s"}


def test_a_key_that_is_there_twice_is_named() -> None:
    assert read_json('{"a": 1, "b": {"a": 2}}') == {"a": 1, "b": {"a": 2}}
    with pytest.raises(ValueError, match="'a' is there twice"):
        read_json('{"b": 1, "a": 2, "a": 2}')
    long = "a" * 150
    with pytest.raises(ValueError, match=f"^the key '{long[:100]}' is there twice$"):
        read_json(f'{{"{long}": 1, "{long}": 2}}')


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        read_json("[" * 200_000)


def test_a_receipt_has_six_fields_of_fixed_types() -> None:
    assert read_receipt(RECEIPT) == ("m", 3, "h", 7, "k", "s")
    assert read_receipt({**RECEIPT, "tournament": "t"}, "tournament")[0] == "t"


@pytest.mark.parametrize(
    "receipt",
    [
        None,
        [],
        {**RECEIPT, "version": True},
        {**RECEIPT, "at": "7"},
        {**RECEIPT, "match": None},
        {"match": "m"},
    ],
)
def test_anything_else_is_not_a_receipt(receipt: Any) -> None:
    with pytest.raises(UnreadableReceiptError):
        read_receipt(receipt)
    with pytest.raises(UnreadableReceiptError):
        read_receipt(RECEIPT, "tournament")


def test_of_several_keys_the_newest_that_was_valid_is_in_use() -> None:
    keys = [PublicKey("a", "A", 0), PublicKey("b", "B", 100), PublicKey("c", "C", 200)]
    in_use = [key_at(keys, at) for at in (-1, 0, 99, 100, 199, 200)]
    assert [key and key.id for key in in_use] == [None, "a", "a", "b", "b", "c"]


def test_the_file_of_a_witness_is_named_by_its_log_with_at_most_80_characters_of_the_origin() -> None:
    origin = "Kontor.Example/" + "x" * 100
    digest = sha256(origin.encode()).hexdigest()[:16]
    assert state_path(Path("w"), origin) == Path("w") / f"log-kontor.example_{'x' * 65}-{digest}.json"
