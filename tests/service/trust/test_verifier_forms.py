"""The offline verifier: a malformed file is refused, and the first wrong line is named."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.domain.installed_fair import the_fair_is_installed
from tests.support.exports import fair_match, refusal
from tests.support.forging import Lines, file_of, forge_around, lines_of

__all__ = ["the_fair_is_installed"]


@pytest.fixture
def good() -> bytes:
    return fair_match().export()


def reformed(content: bytes, number: int, **more: Any) -> bytes:
    return forge_around(content, lambda lines: lines[number - 1].update(more))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[0].update(more=1), "line 1: 'more' is not allowed here"),
        (lambda lines: lines[0].update(exported_at="now"), "line 1: 'exported_at' has the wrong type"),
        (lambda lines: lines[0].pop("ruleset"), "line 1: 'ruleset' is missing"),
        (lambda lines: lines[0].update(format="other"), "line 1: this is not a kontor.export.1 file"),
        (
            lambda lines: lines[0]["ruleset"].update(version=2),
            "line 1: the first line does not describe this match",
        ),
        (lambda lines: lines[0].update(viewer=1), "line 1: the first line does not describe this match"),
        (
            lambda lines: lines[0].update(complete=False),
            "line 1: the match is over, but the file is not complete",
        ),
        (
            lambda lines: lines[0].update(match="other"),
            "line 2: facts are missing, duplicated or from another match",
        ),
        (lambda lines: lines[4].update(more=1), "line 5: 'more' is not allowed here"),
        (lambda lines: lines[4].update(hash="0" * 64), "line 5: the hash does not match the record"),
        (lambda lines: lines[4].update(before="0" * 64), "line 5: the hash chain is broken"),
        (lambda lines: lines[4]["fact"].update(seat=7), "line 5: the hash does not match the record"),
        (lambda lines: lines[5].update(fact=5), "line 6: 'fact' has the wrong type"),
        (lambda lines: lines[-2].pop("signature"), "the receipt that belongs here is missing"),
        (lambda lines: lines[-1].update(end="aborted"), "the closing line is wrong about 'end'"),
        (
            lambda lines: lines[-1]["result"].update(places=[1, 1, 1]),
            "the closing line is wrong about 'result'",
        ),
        (lambda lines: lines[-1].update(version=5), "the closing line is wrong about 'version'"),
        (lambda lines: lines[-1].update(at=lines[-1]["at"] + 1), "the closing line is wrong about 'at'"),
        (lambda lines: lines[-1].update(more=1), "'more' is not allowed here"),
    ],
)
def test_wrong_fields_in_a_file_are_named(change: Callable[[Lines], object], words: str, good: bytes) -> None:
    assert words in refusal(forge_around(good, change))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"{}\n{}\n{}\n",
        b"\xff\n\xff\n\xff\n",
        b"[1]\n[2]\n[3]\n",
        b"[" * 100_000 + b"\n{}\n{}\n",
    ],
)
def test_files_that_are_no_exports_are_refused(content: bytes) -> None:
    assert refusal(content).startswith("line 1: ") or "truncated" in refusal(content)


def test_a_file_that_is_cut_off_is_refused(good: bytes) -> None:
    assert "truncated" in refusal(good[:-1])
    for lines in (3, 10):
        assert refusal(b"".join(line + b"\n" for line in good.split(b"\n")[:lines]))


def test_json_in_another_form_than_canonical_is_refused(good: bytes) -> None:
    lines = good.split(b"\n")
    for number in (1, 2, 5, len(lines) - 1):
        spaced = [*lines]
        spaced[number - 1] = spaced[number - 1].replace(b":", b": ", 1)
        assert refusal(b"\n".join(spaced)) == f"line {number}: this is not canonical JSON"
    fraction = good.replace(b'"round":1', b'"round":1.0', 1)
    assert "this is not JSON" in refusal(fraction)


def test_a_receipt_where_none_belongs_is_refused(good: bytes) -> None:
    receipt = lines_of(good)[-2]
    assert refusal(reformed(good, 6, key=receipt["key"], signature=receipt["signature"])).startswith(
        "line 6: "
    )


def test_another_base64_text_of_the_same_signature_is_refused(good: bytes) -> None:
    lines = lines_of(good)
    signature = lines[-1]["signature"]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = signature[:-3] + letters[letters.index(signature[-3]) ^ 1] + "=="
    lines[-1]["signature"] = other
    assert "the signature is not right" in refusal(file_of(lines))
