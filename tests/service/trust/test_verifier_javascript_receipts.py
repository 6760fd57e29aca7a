"""Published keys and kept receipts given to the JavaScript verifier, and its usage errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust.test_verifier_flips import whole_match
from tests.support.node import node, problems, verdicts, written
from tests.support.recording import KEYS, OPEN, KnownKeys, Recording, announcement, table_of

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["the_fair_is_installed"]


def test_it_refuses_keys_that_the_service_does_not_publish(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(KnownKeys(("other", 0)).published()), encoding="utf-8")
    (problem,) = problems(tmp_path, [whole_match("fair")], "--keys", keys)
    assert problem == f"line 1: the key {KEYS.public_keys()[0].id} is not one that the service publishes"


@pytest.mark.parametrize("text", ["", "[]", "{}", "[1]", '{"keys":[],"keys":[]}'])
def test_a_file_without_keys_is_a_usage_error(text: str, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(text, encoding="utf-8")
    assert node(*written(tmp_path, [whole_match("fair")]), "--keys", keys)[0] == 2


def two_matches() -> tuple[list[bytes], list[Any]]:
    """Two finished matches, and a receipt kept while each of them ran."""
    contents, receipts = [], []
    for number in range(2):
        recording = Recording(announcement("fair", OPEN, OPEN), match_id=f"match-{number}")
        recording.join("ann", contribution="a")
        receipts.append(recording.receipt())
        recording.join("ben")
        contents.append(recording.play_on().export())
    return contents, receipts


def test_kept_receipts_are_compared_each_with_its_file(tmp_path: Path) -> None:
    contents, receipts = two_matches()
    kept = tmp_path / "receipts.json"
    for text in (json.dumps(receipts), "\n".join(json.dumps({"receipt": one}) for one in receipts)):
        kept.write_text(text, encoding="utf-8")
        assert [one["receipts"] for one in verdicts(tmp_path, contents, "--receipts", kept)] == [1, 1]


def test_a_receipt_that_belongs_to_no_file_is_an_error(tmp_path: Path) -> None:
    contents, receipts = two_matches()
    kept = tmp_path / "receipts.json"
    kept.write_text(json.dumps(receipts), encoding="utf-8")
    code, output = node(*written(tmp_path, contents[:1]), "--receipts", kept)
    assert (code, output[-1]) == (1, "a kept receipt fits no file: version 2 of match match-1")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 999}, "which is not here"),
        ({"head": "0" * 64}, "a kept receipt for version 2: the signature is not right"),
        ({"at": 5}, "a kept receipt for version 2: the signature is not right"),
        ({"key": "0" * 16}, "which was not the service's at that moment"),
        ({"version": "2"}, "a kept receipt is malformed"),
    ],
)
def test_a_changed_receipt_is_refused(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    contents, receipts = two_matches()
    kept = tmp_path / "receipts.json"
    kept.write_text(json.dumps([{**receipts[0], **change}]), encoding="utf-8")
    (problem,) = problems(tmp_path, contents[:1], "--receipts", kept)
    assert words in str(problem)


@pytest.mark.parametrize("text", ["[1]", "[null]", "1", "{}", "nonsense", '[{"receipt": null}]'])
def test_a_file_without_receipts_is_a_usage_error(text: str, tmp_path: Path) -> None:
    kept = tmp_path / "receipts.json"
    kept.write_text(text, encoding="utf-8")
    code, output = node(*written(tmp_path, two_matches()[0][:1]), "--receipts", kept)
    assert (code, len(output)) == (2, 1)


@pytest.mark.parametrize(
    "arguments", [(), ("--keys",), ("--other", "x"), ("--keys", "none.json", "match.ndjson")]
)
def test_a_usage_error_is_reported(arguments: tuple[str, ...]) -> None:
    code, output = node(*arguments)
    assert (code, len(output)) == (2, 1)


def test_a_rewritten_history_is_detected_with_a_kept_receipt(tmp_path: Path) -> None:
    true = Recording(announcement("fair", OPEN, OPEN))
    true.join("ann", contribution="from ann")
    kept = tmp_path / "receipts.json"
    kept.write_text(json.dumps([true.receipt()]), encoding="utf-8")
    false = table_of("fair", 2, server_secret="ab" * 32).play_on().export()
    output = problems(tmp_path, [false]), problems(tmp_path, [false], "--receipts", kept)
    history = "line 3: the service has signed another history: a kept receipt names another hash here"
    assert output == ([None], [history])


def test_a_doubled_key_in_a_receipt_is_a_usage_error(tmp_path: Path) -> None:
    contents, receipts = two_matches()
    kept = tmp_path / "receipts.json"
    text = json.dumps(receipts[0])
    kept.write_text(text[:-1] + ', "match": "match-0"}', encoding="utf-8")
    assert node(*written(tmp_path, contents[:1]), "--receipts", kept) == (2, ["a key occurs twice"])
