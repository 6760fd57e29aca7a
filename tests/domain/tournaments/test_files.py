import json
from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import canonical
from kontor_games.domain.export_reader import BrokenFileError
from kontor_games.domain.tournaments.audit import audit_tournament
from kontor_games.domain.tournaments.chain import GENESIS, TournamentEntry, records_of
from kontor_games.domain.tournaments.commands import Announce, Cancel
from kontor_games.domain.tournaments.export import read_file, write_file
from kontor_games.service.ed25519 import is_signed
from tests.domain.tournaments.tournaments import ORGANISER, SECRET, Played

HEADER = {"format": "kontor.tournament.1", "tournament": "t"}


def records() -> list[dict[str, Any]]:
    """A tournament that was announced and cancelled."""
    played = Played()
    announced = TournamentEntry(1, 0, ORGANISER, Announce(), "", "", tuple(played.facts))
    cancel = Cancel("rain")
    cancelled = TournamentEntry(2, 5, ORGANISER, cancel, "", "", tuple(played.act(cancel)))
    first = records_of("t", announced, SECRET, GENESIS)
    both = first + records_of("t", cancelled, SECRET, first[-1]["hash"])
    return [json.loads(canonical(one)) for one in both]


def test_an_unchanged_record_passes_the_audit() -> None:
    assert audit_tournament("t", records(), is_signed).status == "cancelled"


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


@pytest.mark.parametrize(
    "break_it",
    [
        _drop_command, _twice, _other_command, _no_secret, _other_organiser, _extra_fact, _missing_fields,
        _before, _service,
    ],
    ids=lambda function: function.__name__.strip("_"),
)  # fmt: skip
def test_a_broken_record_is_refused(break_it: Callable[[list[dict[str, Any]]], None]) -> None:
    lines = records()
    break_it(lines)
    with pytest.raises(BrokenRecordError):
        audit_tournament("t", lines, is_signed)


def test_a_record_that_is_not_over_cannot_be_recomputed() -> None:
    with pytest.raises(BrokenRecordError, match="not over"):
        audit_tournament("t", records()[:1], is_signed)


def file(matches: dict[str, bytes] | None = None, **header: Any) -> bytes:
    return write_file({**HEADER, **header}, records(), matches or {}) + b'{"end":"cancelled"}\n'


def test_a_file_is_split_into_its_parts() -> None:
    parts = read_file(file({"m": b"{}\n{}\n"}))
    assert (len(parts.records), parts.matches, parts.match_lines) == (2, {"m": b"{}\n{}\n"}, {"m": 5})


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
