"""Exports: every line fits the schema, each viewer gets what they may know, and everything after the end."""

import hashlib
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import SPECTATOR, canonical
from kontor_games.domain.commands import (
    Abort,
    Decline,
    Expire,
    GiveUpWaiting,
    Leave,
    Open,
    Resign,
    ResignErased,
    ReturnTime,
    SeatBot,
    Start,
    TimeOut,
)
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import SeatPlan
from tests.domain.export_schema import completed, read_schema
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.forging import Lines, lines_of
from tests.support.recording import OPEN, PLAYERS, Recording, announcement, house_bot, table_of

pytestmark = pytest.mark.untraced

__all__ = ["the_fair_is_installed"]

SCHEMA = Draft202012Validator(read_schema())


def part(name: str) -> Draft202012Validator:
    """The schema of one kind of line."""
    return Draft202012Validator({**read_schema(), "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def of_every_kind() -> list[Recording]:
    """Matches that together contain almost every kind of command and of fact of the match itself."""
    clock = ClockSettings("per_move", 60_000)
    secrets = {player: f"{player}'s own" for player in PLAYERS}
    timed = table_of("fair", 3, clock=clock, on_timeout="forfeit")
    for seat in (1, 0):
        timed.do("house", TimeOut(seat), after=60_000)
    quiet = Recording(announcement("fair", OPEN, OPEN, house_bot("greedy"), autostart=False))
    quiet.join("ann", seat=1)
    quiet.do("ann", Leave())
    quiet.join("ben")
    quiet.join("cid", bot=True)
    quiet.do("ann", Start())
    resigned = table_of("fair", 3)
    resigned.do("cid", Resign())
    erased = table_of("fair", 3)
    erased.do("house", ResignErased(2))
    broken_off = table_of("fair", 2)
    for player in ("ben", "ann"):
        broken_off.do(player, Abort())
    opened, withheld = (Recording(announcement("fair", OPEN, OPEN, sealed=True)) for _ in range(2))
    for sealed in (opened, withheld):
        for player in PLAYERS[:2]:
            sealed.join(player, contribution=hashlib.sha256(secrets[player].encode()).hexdigest())
        sealed.do("ben", Open(secrets["ben"]))
    opened.do("ann", Open(secrets["ann"]))
    withheld.do("house", GiveUpWaiting(), after=60_000)
    invited = Recording(announcement("fair", OPEN, SeatPlan("invited", player="ben")))
    invited.do("ben", Decline())
    invited.do("ann", SeatBot(1, "greedy", 1))
    away = table_of("fair", 2, clock=clock)
    away.do("house", ReturnTime(away.at, away.at + 7000), after=7000)
    expired = table_of("fair", 2, idle_ms=1000)
    expired.do("house", Expire())
    return [timed, quiet, resigned, erased, broken_off, opened, withheld, invited, away, expired]


# The schema


def test_the_schema_is_valid_and_describes_the_current_commands_and_facts() -> None:
    Draft202012Validator.check_schema(read_schema())
    assert completed(read_schema()) == read_schema(), "python -m tests.domain.export_schema regenerates it"


@pytest.mark.slow
def test_every_line_of_every_kind_of_match_fits_the_schema() -> None:
    seen: set[str] = set()
    for recording in of_every_kind():
        for content in (recording.export(SPECTATOR), recording.export(0), recording.play_on().export()):
            header, *facts, footer = lines_of(content)
            part("header").validate(header)
            part("footer").validate(footer)
            for line in facts:
                part("fact_line").validate(line)
                seen |= {line["fact"]["type"], line.get("command", {}).get("type", "play")}
            for line in (header, facts[0], facts[-1], footer):
                SCHEMA.validate(line)
    known = read_schema()["$defs"]
    lives = {case["if"]["properties"]["type"]["const"] for case in known["fact"]["allOf"]}
    commands = {command["properties"]["type"]["const"] for command in known["command"]["oneOf"]}
    assert (lives | commands) - seen == {"position_set", "call_off", "reveal_secret", "secret_revealed"}, (
        "tested with the service"
    )


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_line_of_the_installed_games_fits_the_schema(game: str) -> None:
    recording = table_of(game, 3).play_on(40)
    for viewer in (SPECTATOR, 1):
        _, *facts, _ = lines_of(recording.export(viewer))
        for line in facts:
            part("fact_line").validate(line)


@pytest.mark.parametrize(
    "change",
    [
        {"more": 1},
        {"hash": "0"},
        {"at": "now"},
        {"version": 0},
        {"fact": {}},
        {"fact": {"type": "match_aborted", "reason": "boredom"}},
        {"command": {"type": "bribe"}},
        {"command": {"type": "play", "moves": []}},
        {"draws": []},
        {"key": "0" * 16},
        {"salts": {}},
        {"sealed": {"Card": "0" * 64}},
        {"sealed": {"card": 5}},
    ],
)
def test_the_schema_refuses_malformed_lines(change: dict[str, Any]) -> None:
    line = lines_of(table_of("fair", 2).export())[2]
    part("fact_line").validate(line)
    assert not part("fact_line").is_valid({**line, **change})
    assert not part("fact_line").is_valid(
        {name: value for name, value in line.items() if name not in {"hash", *change}}
    )


# What a reader gets


def running() -> Recording:
    """A running match with three seats; seat 1 has laid a card."""
    recording = table_of("fair", 3)
    recording.play(1, LayCard(recording.match.state.hands[1][0]))  # type: ignore[attr-defined]
    return recording


def shown(lines: Lines, kind: str) -> list[tuple[int, bool]]:
    """For each fact of a kind its seat, and whether the card is shown."""
    return [
        (line["fact"]["seat"], "card" in line["fact"]) for line in lines[1:-1] if line["fact"]["type"] == kind
    ]


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_the_export_of_a_running_match_is_redacted_and_has_commitments_to_the_rest(
    viewer: int,
) -> None:
    recording = running()
    lines = lines_of(recording.export(viewer))
    assert (lines[0]["complete"], lines[0]["viewer"]) == (False, None if viewer == SPECTATOR else viewer)
    assert shown(lines, "card_drawn") == [(seat, seat == viewer) for _ in range(3) for seat in range(3)]
    assert shown(lines, "card_laid") == [(1, viewer == 1)]
    for line in lines[1:-1]:
        fields = {name for name in line["sealed"] if name in line["fact"]} | (
            {"/command"} if {"command", "sealed_command"} <= set(line) else set()
        )
        assert set(line.get("salts", {})) == fields
        assert "draws" not in line
    assert ("command" in lines[-2], "sealed_command" in lines[-2]) == (viewer == 1, True)


def test_no_secret_is_in_the_export_of_another_reader() -> None:
    recording = running()
    card = recording.entries[-1].command.moves[0].card  # type: ignore[attr-defined]
    for viewer in (SPECTATOR, 0, 2):
        content = recording.export(viewer)
        assert recording.match.created.server_secret.encode() not in content
        assert f'"card":{card}}}'.encode() not in content
        assert b"lay_card" not in content
    assert b"lay_card" in recording.export(1)


def test_the_hashes_are_the_same_for_every_reader_and_afterwards() -> None:
    recording = running()
    hashes = [line["hash"] for line in lines_of(recording.export())[1:-1]]
    for viewer in (0, 1, 2):
        assert [line["hash"] for line in lines_of(recording.export(viewer))[1:-1]] == hashes
    assert [line["hash"] for line in lines_of(recording.play_on().export())[1 : len(hashes) + 1]] == hashes


def test_the_export_of_a_match_that_is_over_contains_everything_for_everybody() -> None:
    recording = running().play_on()
    content = recording.export()
    assert recording.export(0) == recording.export(2) == content
    lines = lines_of(content)
    assert (lines[0]["complete"], lines[0]["viewer"], lines[-1]["end"]) == (True, None, "finished")
    assert all(name in line["fact"] for line in lines[1:-1] for name in line["sealed"])
    assert all(("command" in line) == ("seat" in line) for line in lines[1:-1])
    assert not any("salts" in line for line in lines)
    assert lines[1]["fact"]["server_secret"] == recording.match.created.server_secret
    assert lines[-1]["result"]["places"] == list(recording.match.outcome.places)  # type: ignore[union-attr]


def test_the_export_of_an_aborted_match_is_complete_and_has_no_result() -> None:
    recording = running()
    for player in PLAYERS[:3]:
        recording.do(player, Abort())
    lines = lines_of(recording.export())
    assert (lines[0]["complete"], lines[-1]["end"], lines[-1]["result"]) == (True, "aborted", None)
    assert "server_secret" in lines[1]["fact"]


def test_the_file_is_lines_of_canonical_json_that_close_with_their_hash() -> None:
    content = running().play_on().export()
    assert content.endswith(b"\n")
    lines = content[:-1].split(b"\n")
    assert [line for line in lines if canonical(json.loads(line)) != line] == []
    assert (
        json.loads(lines[-1])["file"]
        == hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
    )


def test_every_32nd_command_and_the_last_one_end_with_a_receipt() -> None:
    (game, *_) = installed_games()
    recording = table_of(game, 3).play_on(90)
    lines = lines_of(recording.export())[1:-1]
    ends = [entry.last for entry in recording.entries]
    assert [line["version"] for line in lines if "signature" in line] == [ends[31], ends[63], ends[-1]]


def test_draws_are_listed_at_the_command_that_drew_them() -> None:
    lines = lines_of(table_of("fair", 2).play_on().export())[1:-1]
    (drew,) = (line for line in lines if "draws" in line and line["draws"][0]["stream"] == "deck")
    assert (drew["command"]["type"], drew["command"]["contribution"]) == ("join", "from ben")
    deck = drew["draws"][0]
    assert (deck["index"], [bound for bound, _ in deck["values"]]) == (
        0,
        list(range(len(deck["values"]) + 1, 1, -1)),
    )
