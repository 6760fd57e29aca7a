from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import digest
from kontor_games.domain.export_reader import BrokenFileError
from kontor_games.domain.tournaments.audit import audit_tournament
from kontor_games.domain.tournaments.commands import Cancel
from kontor_games.domain.tournaments.export import is_tournament, read_file, tournament_id_of
from kontor_games.service.ed25519 import is_signed
from tests.domain.tournaments.tournaments import Played
from tests.support.tournament_forging import write_file

HEADER = {"format": "kontor.tournament.1", "tournament": "t"}


def records() -> list[dict[str, Any]]:
    """A tournament that was announced and cancelled."""
    played = Played()
    played.act(Cancel("rain"))
    return played.records()


def played_records() -> list[dict[str, Any]]:
    """A tournament of one round, whose standings are signed."""
    return Played(rounds=1).started(3).play_to_the_end().records()


def test_an_unchanged_record_passes_the_audit() -> None:
    assert audit_tournament("t", records(), is_signed).status == "cancelled"
    assert audit_tournament("t", played_records(), is_signed).status == "final"


def _drop_command(lines: list[dict[str, Any]]) -> None:
    del lines[0]["command"]


def _twice(lines: list[dict[str, Any]]) -> None:
    lines.insert(1, lines[0])


def _other_command(lines: list[dict[str, Any]]) -> None:
    lines[1]["command"] = {"type": "fly"}


def _no_secret(lines: list[dict[str, Any]]) -> None:
    lines[1]["fact"] |= {"server_secret": "nothing"}


def _other_organiser(lines: list[dict[str, Any]]) -> None:
    lines[0]["by"] = "somebody"


def _extra_fact(lines: list[dict[str, Any]]) -> None:
    extra = {name: value for name, value in lines[1].items() if name != "command"}
    lines.append({**extra, "version": 3})


def _missing_fields(lines: list[dict[str, Any]]) -> None:
    del lines[1]["fact"]["why"]


def _before(lines: list[dict[str, Any]]) -> None:
    lines[1]["before"] = "f" * 64


def _service(lines: list[dict[str, Any]]) -> None:
    lines[1]["by"] = "house"


def _earlier(lines: list[dict[str, Any]]) -> None:
    lines[1]["at"] = -1


def _time_as_text(lines: list[dict[str, Any]]) -> None:
    lines[1]["at"] = "1"


def _organisers_own_secret(lines: list[dict[str, Any]]) -> None:
    lines[1]["fact"]["server_secret"] = "ab" * 32


def _announced_again(lines: list[dict[str, Any]]) -> None:
    lines[1] |= {"command": lines[0]["command"], "by": lines[0]["by"]}


@pytest.mark.parametrize(
    ("break_it", "version"),
    [
        (_drop_command, 1), (_twice, 2), (_other_command, 2), (_no_secret, 0), (_other_organiser, 1),
        (_extra_fact, 3), (_missing_fields, 2), (_before, 2), (_service, 2), (_earlier, 2),
        (_time_as_text, 2), (_organisers_own_secret, 1), (_announced_again, 2),
    ],
    ids=lambda given: getattr(given, "__name__", "").strip("_"),
)  # fmt: skip
def test_a_broken_record_is_refused_at_its_version(
    break_it: Callable[[list[dict[str, Any]]], None], version: int
) -> None:
    lines = records()
    break_it(lines)
    with pytest.raises(BrokenRecordError) as refused:
        audit_tournament("t", lines, is_signed)
    assert refused.value.version == version


def _hashed(line: dict[str, Any]) -> None:
    line["hash"] = digest({name: line[name] for name in line if name != "hash"})


def _other_result(lines: list[dict[str, Any]]) -> int:
    [index] = [index for index, line in enumerate(lines) if line["fact"]["type"] == "standings_posted"]
    lines[index]["fact"]["digest"] = "0" * 64
    _hashed(lines[index])
    return index


def _other_head(lines: list[dict[str, Any]]) -> int:
    lines[3]["before"] = "f" * 64
    _hashed(lines[3])
    return 3


def _other_player(lines: list[dict[str, Any]]) -> int:
    lines[2]["fact"]["player"] = "p9"
    return 2


def _lost_fact(lines: list[dict[str, Any]]) -> int:
    """The announcement of a round, whose command stays with the fact after it."""
    [index] = [index for index, line in enumerate(lines) if line["fact"]["type"] == "round_paired"]
    lines[index]["fact"] = {**lines[index + 1]["fact"]}
    _hashed(lines[index])
    return index


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (_other_result, 'standings_posted says digest "0+", the rules give'),
        (_other_head, "`before` is not the hash of the previous record"),
        (_other_player, "the hash does not match the record"),
        (_lost_fact, "the rules give round_paired here, not match_opened"),
    ],
    ids=lambda given: getattr(given, "__name__", "").strip("_"),
)
def test_the_audit_says_what_is_wrong_and_where(
    change: Callable[[list[dict[str, Any]]], int], detail: str
) -> None:
    lines = played_records()
    index = change(lines)
    with pytest.raises(BrokenRecordError, match=detail) as refused:
        audit_tournament("t", lines, is_signed)
    assert refused.value.version == index + 1


def test_an_entry_ends_with_the_last_fact_of_its_command() -> None:
    played = Played(rounds=1).started(3).play_to_the_end()
    versions = [version for entry in played.entries for version in range(entry.first, entry.last + 1)]
    assert versions == list(range(1, played.tournament.version + 1))


def test_a_missing_fact_of_a_command_is_named() -> None:
    """The last opening starts the tournament, so its command causes two facts."""
    played = Played(seed_version=2).started(3)
    for number in range(3):
        played.open_contribution(number)
    played.act(Cancel("rain"))
    lines = [line for line in played.records() if line["fact"]["type"] != "tournament_started"]
    with pytest.raises(BrokenRecordError, match="tournament_started is missing") as refused:
        audit_tournament("t", lines, is_signed)
    assert refused.value.version == len(lines)


def test_an_entry_signed_with_another_key_is_refused() -> None:
    played = Played(seed_version=2).entered(0)
    entry = replace(played.entry(0), key="A" * 43 + "=", signature="B" * 86 + "==")
    played.act(entry, "p0")
    played.act(Cancel("rain"))
    with pytest.raises(BrokenRecordError, match="does not fit this command") as refused:
        audit_tournament("t", played.records(), is_signed)
    assert refused.value.version == 3


def test_a_record_that_is_not_over_cannot_be_recomputed() -> None:
    with pytest.raises(BrokenRecordError, match="not over"):
        audit_tournament("t", records()[:1], is_signed)


def file(matches: dict[str, bytes] | None = None, **header: Any) -> bytes:
    return write_file({**HEADER, **header}, records(), matches or {}) + b'{"end":"cancelled"}\n'


def test_a_file_is_split_into_its_parts() -> None:
    parts = read_file(file({"m": b"{}\n{}\n", "n": b"{}\n"}))
    assert (parts.header, parts.records, parts.footer) == (HEADER, records(), {"end": "cancelled"})
    assert parts.matches == {"m": b"{}\n{}\n", "n": b"{}\n"}
    assert parts.match_lines == {"m": 5, "n": 8}
    lines = file({"m": b"{}\n{}\n", "n": b"{}\n"}).splitlines(keepends=True)
    assert parts.hash == sha256(b"".join(lines[:-1])).hexdigest()


def test_the_shortest_file_has_one_fact() -> None:
    content = write_file(HEADER, records()[:1], {}) + b"{}\n"
    assert read_file(content).records == records()[:1]
    with pytest.raises(BrokenFileError, match="truncated"):
        read_file(write_file(HEADER, [], {}) + b"{}\n")


def test_a_file_of_a_tournament_is_recognised_by_its_first_line() -> None:
    assert is_tournament(file())
    assert tournament_id_of(file()) == "t"
    assert not is_tournament(file(format="kontor.export.1"))
    assert not is_tournament(b"{}\n" + file())


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "truncated"),
        (file()[:-1], "truncated"),
        (file(format="other"), "not an export"),
        (file().replace(b'{"end"', b'[{"end"'), "not JSON"),
        (file().replace(b'{"end":', b'{"end": '), "not canonical"),
        (file({"m": b"{}\n"}).replace(b'"lines":1', b'"lines":9'), "truncated in this match"),
        (file({"m": b"{}\n"}).replace(b'"lines":1', b'"lines":0'), "wrongly or twice"),
        (file({"m": b"{}\n"}).replace(b'{"end"', b'{"a":1}\n{"end"'), "follows the exports"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(content: bytes, detail: str) -> None:
    with pytest.raises(BrokenFileError, match=detail):
        read_file(content)
