"""Files that are no exports are recognised as what they are, by both verifiers and by `kontor replay`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontor_games.service.cli import main
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.corpus.record import CORPUS
from tests.support.node import problems

ANSWER = "this is an answer of the service about a match, not its export"
FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\n \n", "the file is empty"),
    "match": (json.dumps({"id": "m", "seats": [], "view": {}, "version": 3}, indent=2).encode(), ANSWER),
    "move": (b'{"legal_moves":[],"receipt":{}}\n', ANSWER),
    "error": (
        b'{"status":404,"code":"not_found","detail":"There is no such match."}',
        "this is an error of the service, not an export: There is no such match.",
    ),
    "keys": (b'{"keys":[]}', "these are the keys of a service: they belong to --keys"),
    "proof": (b'{"leaf":{},"proof":[]}', "this is a proof of inclusion: it belongs to --proof"),
    "list": (b"[1, 2]", "this is JSON, but not an export"),
    "text": (b"hello\n", "this is neither an export nor other JSON of the service"),
}


@pytest.mark.parametrize(("content", "kind"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_export_is_named(content: bytes, kind: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenFileError) as refused:
        verify(content)
    assert str(refused.value) == f"line 1: {kind}"
    file = tmp_path / "match.ndjson"
    file.write_bytes(content)
    for command in ("verify", "replay"):
        ended = CliRunner().invoke(main, [command, str(file)])
        assert ended.exit_code == 1
        assert kind in " ".join(ended.output.split())


@pytest.mark.e2e
def test_the_verifier_in_javascript_names_them_in_the_same_words(tmp_path: Path) -> None:
    found = problems(tmp_path, [content for content, _ in FILES.values()])
    assert found == [f"line 1: {kind}" for _, kind in FILES.values()]


def test_a_damaged_export_is_not_taken_for_another_file() -> None:
    export = next(iter(sorted(CORPUS.glob("*/*.ndjson")))).read_bytes()
    for content in (export[:300], export[:-1], export[:2000] + b"\xff" + export[2000:]):
        with pytest.raises(BrokenFileError) as refused:
            verify(content)
        assert not any(kind in str(refused.value) for _, kind in FILES.values())
