"""The export of a finished match is compared with the stored evidence; every forgery is reported.

The forgeries are signed with the key of the service, and all hashes are recomputed: only the
evidence that the player has stored reveals them.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kontor_client import Kontor, UntrustedServiceError
from kontor_client.evidence import Evidence
from kontor_client.export_check import check_export
from kontor_client.service_keys import ServiceKeys
from tests.client.dishonest_service.cheating_operator import run_operated_service
from tests.client.tables import GAMES, create_bot_match
from tests.support.forging import Lines, drop, find, forge, forge_around

GAME = GAMES[-1]


class FinishedMatch(NamedTuple):
    """A finished match, with the evidence that its player has stored."""

    content: bytes
    held: Evidence
    keys: ServiceKeys
    signer: Any

    def check(self, content: bytes | None = None) -> dict[str, Any]:
        return check_export(self.content if content is None else content, self.held, self.keys)

    def without(self, folder: Path, *names: str) -> "FinishedMatch":
        """Return the same match with some files of the evidence missing."""
        shutil.copytree(self.held.folder, folder, ignore=shutil.ignore_patterns(*names))
        return self._replace(held=replace(self.held, folder=folder))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FinishedMatch]:
    folder = tmp_path_factory.mktemp("played")
    with (
        pytest.MonkeyPatch.context() as patch,
        run_operated_service(folder, patch) as operator,
        Kontor(operator.url, folder=folder / "state", check_deals=False) as ada,
    ):
        ada.sign_in("Ada")
        match = create_bot_match(ada, GAME).id
        for turn in ada.turns(match):
            ada.play(match, turn.legal_moves[0], turn.version)
        content = ada.connection.download(f"/v1/matches/{match}/export")
        held = ada._checks.evidence(match)
        assert held is not None
        ada._checks.keys._update()
        yield FinishedMatch(content, held, ada._checks.keys, operator.signer)


def own_lines(lines: Lines, played: FinishedMatch, kind: str = "play") -> Lines:
    """Return the lines with the player's own commands of a kind."""
    return [
        line
        for line in lines
        if line["by"] == played.held.player and line.get("command", {}).get("type") == kind
    ]


def test_an_honest_export_passes_and_its_last_receipt_covers_it(played: FinishedMatch) -> None:
    receipt = played.check()
    last = json.loads(played.content.splitlines()[-2])
    assert (receipt["version"], receipt["head"]) == (last["version"], last["hash"])
    assert len(list(played.held.lines("receipts.ndjson"))) > 5


def another_secret(lines: Lines, played: FinishedMatch) -> None:
    for line in lines:
        if "server_secret" in line["fact"]:
            line["fact"]["server_secret"] = "00" * 32


def another_commitment(lines: Lines, played: FinishedMatch) -> None:
    lines[0]["fact"]["commitment"] = "0" * 64


def another_contribution(lines: Lines, played: FinishedMatch) -> None:
    [line] = own_lines(lines, played, "join")
    line["fact"]["contribution"] = line["command"]["contribution"] = "0" * 64


def a_contribution_of_the_house(lines: Lines, played: FinishedMatch) -> None:
    next(line["fact"] for line in lines if line["fact"].get("house"))["contribution"] = "0" * 64


def an_open_seed(lines: Lines, played: FinishedMatch) -> None:
    lines[0]["fact"]["open_seed"] = "7"


def another_ruleset(lines: Lines, played: FinishedMatch) -> None:
    lines[0]["fact"]["rules_version"] += 1


def a_dropped_move(lines: Lines, played: FinishedMatch) -> None:
    drop(lines, own_lines(lines, played)[1]["version"])


def a_dropped_move_at_the_end(lines: Lines, played: FinishedMatch) -> None:
    drop(lines, *range(own_lines(lines, played)[-1]["version"], len(lines)))


def an_altered_move(lines: Lines, played: FinishedMatch) -> None:
    own_lines(lines, played)[1]["command"]["moves"][0]["type"] = "pass"


def two_swapped_moves(lines: Lines, played: FinishedMatch) -> None:
    first, second, *_ = own_lines(lines, played)
    first["command"], second["command"] = second["command"], first["command"]


def a_doubled_move(lines: Lines, played: FinishedMatch) -> None:
    line = own_lines(lines, played)[1]
    lines.insert(line["version"], {**line})


def a_changed_time(lines: Lines, played: FinishedMatch) -> None:
    lines[0]["at"] += 1


WITH_RECEIPTS: dict[Callable[[Lines, FinishedMatch], None], str] = {
    another_secret: "secret of the service does not match",
    another_commitment: "not the one that it signed before you joined",
    another_contribution: "a contribution to the seed that is not the one you sent",
    a_contribution_of_the_house: "let a house bot contribute",
    an_open_seed: "a way to determine the seed, that it did not announce",
    another_ruleset: "recorded rules, or a way to determine the seed",
    a_dropped_move: "is not the history that the service signed",
    a_dropped_move_at_the_end: "is not the history that the service signed",
    an_altered_move: "is not the history that the service signed",
    two_swapped_moves: "is not the history that the service signed",
    a_doubled_move: "is not the history that the service signed",
    a_changed_time: "is not the history that the service signed",
}


@pytest.mark.parametrize("change", WITH_RECEIPTS)
def test_a_forged_export_is_detected_by_the_receipts(
    played: FinishedMatch, change: Callable[[Lines, FinishedMatch], None]
) -> None:
    forged = forge(played.content, lambda lines: change(lines, played), played.signer)
    with pytest.raises(UntrustedServiceError, match=WITH_RECEIPTS[change]):
        played.check(forged)


def an_invented_move(lines: Lines, played: FinishedMatch) -> None:
    line = own_lines(lines, played)[-1]
    command = {name: value for name, value in line["command"].items() if name != "signature"}
    lines.insert(line["version"], {**line, "command": command})


def a_move_of_the_house(lines: Lines, played: FinishedMatch) -> None:
    line = own_lines(lines, played)[-1]
    lines.insert(line["version"], {**line, "by": "house"})


def a_removed_key(lines: Lines, played: FinishedMatch) -> None:
    for line in own_lines(lines, played, "join"):
        line["command"] = {n: v for n, v in line["command"].items() if n not in ("key", "signature")}


WITHOUT_RECEIPTS: dict[Callable[[Lines, FinishedMatch], None], str] = {
    another_contribution: "a contribution to the seed that is not the one you sent",
    a_dropped_move: "that you did not sign",
    an_altered_move: "that you did not sign",
    two_swapped_moves: "that you did not sign",
    a_doubled_move: "that you did not sign",
    a_changed_time: "that you did not sign",
    an_invented_move: "that you did not sign",
    a_move_of_the_house: "for your seat that is not yours",
    a_removed_key: "that you did not sign",
}


@pytest.mark.parametrize("change", WITHOUT_RECEIPTS)
def test_a_forged_export_is_detected_by_the_players_signatures_alone(
    played: FinishedMatch, tmp_path: Path, change: Callable[[Lines, FinishedMatch], None]
) -> None:
    incomplete = played.without(tmp_path / "less", "receipts.ndjson")
    incomplete.check()
    forged = forge(played.content, lambda lines: change(lines, played), played.signer)
    with pytest.raises(UntrustedServiceError, match=WITHOUT_RECEIPTS[change]):
        incomplete.check(forged)


def test_time_outs_are_commands_of_the_service(played: FinishedMatch, tmp_path: Path) -> None:
    def time_out(lines: Lines) -> None:
        line = own_lines(lines, played)[-1]
        lines.insert(line["version"], {**line, "by": "house", "command": {"type": "time_out", "seat": 0}})

    incomplete = played.without(tmp_path / "less", "receipts.ndjson")
    incomplete.check(forge(played.content, time_out, played.signer))


def test_a_refused_command_must_not_be_in_the_export(played: FinishedMatch, tmp_path: Path) -> None:
    kept = list(played.held.lines("receipts.ndjson"))
    other = played.without(tmp_path / "other", "receipts.ndjson")
    for line in kept[:-1]:
        other.held.add("receipts.ndjson", line)
    other.held.add("refused.ndjson", kept[-2]["command"])
    other.check()
    other.held.add("refused.ndjson", kept[-1]["command"])
    with pytest.raises(UntrustedServiceError, match="executed a command `play` that it had refused"):
        other.check()


def test_two_commands_with_one_receipt_are_detected(played: FinishedMatch, tmp_path: Path) -> None:
    """The service drops a command and sends the receipt for another one."""
    other = played.without(tmp_path / "other")
    [*_, last] = other.held.lines("receipts.ndjson")
    other.held.add("receipts.ndjson", last)
    with pytest.raises(UntrustedServiceError, match="Your command `play` is not at version"):
        other.check()


def test_a_command_that_differs_from_the_answered_one_is_detected(
    played: FinishedMatch, tmp_path: Path
) -> None:
    other = played.without(tmp_path / "other", "receipts.ndjson")
    for kept in played.held.lines("receipts.ndjson"):
        if kept["command"]["type"] == "play":
            kept["command"]["moves"] = [{"type": "pass"}]
        other.held.add("receipts.ndjson", kept)
    with pytest.raises(UntrustedServiceError, match="Your command `play` is not at version"):
        other.check()


def test_fields_without_a_default_may_not_be_added_to_an_unsigned_move(
    played: FinishedMatch, tmp_path: Path
) -> None:
    other = played.without(tmp_path / "other", "receipts.ndjson")
    for kept in played.held.lines("receipts.ndjson"):
        for move in kept["command"].get("moves", []):
            while len(move) > 1:
                move.popitem()
        other.held.add("receipts.ndjson", kept)
    with pytest.raises(UntrustedServiceError, match="Your command `play` is not at version"):
        other.check()


INCONSISTENT: dict[str, tuple[Callable[[Lines], object], str]] = {
    "a changed hash": (
        lambda lines: lines[3].update(hash="0" * 64),
        "does not match its record at version 3",
    ),
    "a missing line": (lambda lines: lines.pop(5), "chain of the export is broken at version 5"),
    "another hidden value": (
        lambda lines: find(lines[1:-1], "match_created")["fact"].update(server_secret="0" * 64),
        "server_secret does not match the commitment of the service",
    ),
    "another match": (lambda lines: lines[0].update(match="another"), "does not return a complete export"),
    "an incomplete one": (lambda lines: lines[0].update(complete=False), "does not return a complete export"),
    "another end": (
        lambda lines: lines[-1].update(version=7),
        "last line of the export does not match the facts",
    ),
    "no facts": (lambda lines: lines.__delitem__(slice(1, -1)), "cannot be read"),
    "a fact of another kind": (lambda lines: lines[4].update(fact="nothing"), "cannot be read"),
}


@pytest.mark.parametrize(("change", "words"), INCONSISTENT.values(), ids=INCONSISTENT)
def test_an_inconsistent_file_is_detected(
    played: FinishedMatch, change: Callable[[Lines], object], words: str
) -> None:
    with pytest.raises(UntrustedServiceError, match=words):
        played.check(forge_around(played.content, change, played.signer))


def test_a_file_that_was_not_signed_by_the_service_is_detected(played: FinishedMatch) -> None:
    *lines, footer = played.content.splitlines(keepends=True)
    last = json.loads(footer)
    unsigned = json.dumps({**last, "end": "aborted"}, separators=(",", ":"), sort_keys=True).encode() + b"\n"
    with pytest.raises(UntrustedServiceError, match="on the export of the match is wrong"):
        played.check(b"".join([*lines, unsigned]))
    changed = lines[0].replace(b'"exported_at":1', b'"exported_at":2')
    with pytest.raises(UntrustedServiceError, match="does not match the lines before"):
        played.check(b"".join([changed, *lines[1:], footer]))


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n{}\n{}\n", b"[]\n[]\n[]\n", b"\xff\n", b'{"a": 1}\n'])
def test_a_file_that_is_not_an_export_is_detected(played: FinishedMatch, content: bytes) -> None:
    with pytest.raises(UntrustedServiceError, match="export of the match"):
        played.check(content)


def test_a_truncated_file_is_detected(played: FinishedMatch) -> None:
    with pytest.raises(UntrustedServiceError, match="canonical"):
        played.check(played.content[:-1])
