"""Replays: forwards and backwards through a recorded match, with only what the viewer could know."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.commands import Abort, Leave, Resign, Start
from kontor_games.domain.export_reader import split_export
from kontor_games.domain.games import installed_games
from kontor_games.service.cli.replay_screen import Replay, ReplayScreen, after, before
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.cli.conftest import Kontor
from tests.support.forging import find, forge
from tests.support.recording import OPEN, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]


def recorded_match() -> Recording:
    return table_of("fair", 3).play_on()


@pytest.fixture
def replay() -> Replay:
    return Replay(split_export(recorded_match().export()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(recorded_match().export())
    return path


# Versions


def test_the_replay_has_the_recorded_state_at_every_version(replay: Replay) -> None:
    recording = table_of("fair", 3)
    for _ in range(100):
        match = replay.at(recording.match.version)
        assert match.state.digest() == recording.match.state.digest()
        assert list(match.to_act) == list(recording.match.to_act)
        if recording.match.over:
            break
        recording = table_of("fair", 3).play_on(len(recording.entries) - 3)
    versions = [replay.at(version).version for version in range(1, replay.last + 1)]
    assert versions == list(range(1, replay.last + 1))


def test_a_version_is_shown_the_same_way_forwards_and_backwards(replay: Replay) -> None:
    forwards = [replay.tell(version, 1) for version in range(1, replay.last + 1)]
    backwards = [replay.tell(version, 1) for version in range(replay.last, 0, -1)]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(("viewer", "known"), [(ARBITER, "ann ben cid"), (SPECTATOR, ""), (1, "ben")])
def test_a_replay_shows_only_what_the_viewer_could_know(replay: Replay, viewer: int, known: str) -> None:
    sentences = " ".join(replay.tell(version, viewer).sentence for version in range(1, replay.last + 1))
    assert set(re.findall(r"(\w+) draws a \d+", sentences)) == set(known.split())
    assert set(re.findall(r"(\w+) lays a \d+", sentences)) == set(known.split())


def test_the_replay_can_jump_to_commands_turns_and_rounds(replay: Replay) -> None:
    assert replay.commands == [entry.last for entry in replay.entries]
    assert [replay.at(version).state.round for version in replay.rounds] == [1, 2, 3]  # type: ignore[attr-defined]
    assert set(replay.turns) <= set(replay.commands)
    assert all(
        replay.at(one).to_act != replay.at(two).to_act
        for one, two in zip(replay.turns, replay.turns[1:], strict=False)
    )


def test_steps_beyond_either_end_stay_there() -> None:
    assert [after([2, 5, 9], version) for version in (1, 2, 5, 9, 12)] == [2, 5, 9, 9, 9]
    assert [before([2, 5, 9], version) for version in (1, 2, 5, 9, 12)] == [2, 2, 2, 5, 9]
    assert (after([], 4), before([], 4)) == (4, 4)


# Keyboard


def screen_after(replay: Replay, *keys: str, version: int = 1) -> ReplayScreen:
    """Return the screen after these keys, pressed one by one."""
    screen = ReplayScreen(replay, "The Fair", ARBITER, version)
    for key in keys:
        assert screen.press(key)
    return screen


LEFT, RIGHT, UP, DOWN, HOME, END = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"


def test_arrows_go_fact_by_fact_and_command_by_command(replay: Replay) -> None:
    assert screen_after(replay, RIGHT, RIGHT, LEFT).version == 2
    assert screen_after(replay, LEFT).version == 1
    assert screen_after(replay, END).version == screen_after(replay, END, RIGHT).version == replay.last
    assert screen_after(replay, END, HOME).version == 1
    start = replay.commands[3]
    assert (
        screen_after(replay, DOWN, version=start).version
        == screen_after(replay, " ", version=start).version
        == replay.commands[4]
    )
    assert screen_after(replay, UP, version=start).version == replay.commands[2]


def test_letters_and_brackets_jump_by_turns_and_rounds(replay: Replay) -> None:
    assert screen_after(replay, "]", "]").version == replay.rounds[1]
    assert screen_after(replay, "]", "]", "[").version == replay.rounds[0]
    assert screen_after(replay, "n", "n").version == replay.turns[1]
    assert screen_after(replay, "n", "n", "p").version == replay.turns[0]


def test_a_version_can_be_typed_corrected_and_cancelled(replay: Replay) -> None:
    assert screen_after(replay, "g", "1", "2", "\r").version == 12
    assert screen_after(replay, "g", "1", "3", "\x7f", "4", "\r").version == 14
    assert screen_after(replay, "g", "9", "9", "9", "9", "\r").version == replay.last
    assert screen_after(replay, "g", "0", "\r").version == 1
    assert screen_after(replay, "g", "1", "x", version=5).version == 5
    assert screen_after(replay, "g", "\r", version=5).version == 5
    assert screen_after(replay, "g", "1", "2").typed == "12"


def test_a_seat_can_be_followed_and_everything_shown_again(replay: Replay) -> None:
    assert [screen_after(replay, key).viewer for key in ("0", "2", "s", "a")] == [0, 2, SPECTATOR, ARBITER]
    assert screen_after(replay, "7").viewer == ARBITER, "there is no seat 7"


@pytest.mark.parametrize("key", ["q", "\x1b", "\x03"])
def test_quit_keys_end_the_replay(replay: Replay, key: str) -> None:
    assert not ReplayScreen(replay, "The Fair", ARBITER, 1).press(key)


def test_an_unknown_key_does_nothing(replay: Replay) -> None:
    assert screen_after(replay, "x", "\x1b[15~", version=7).version == 7


def shown(replay: Replay, run: Callable[[], str], width: int = 100, height: int = 30) -> str:
    output = io.StringIO()
    ReplayScreen(replay, "The Fair", ARBITER, 1).run(
        Console(file=output, width=width, height=height, force_terminal=True), run
    )
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.getvalue())


def test_the_screen_shows_where_it_is_whose_turn_it_is_and_the_newest_sentence(replay: Replay) -> None:
    keys = iter([f"g{replay.rounds[0]}\r", "1", "q"])
    picture = shown(replay, lambda: next(keys))
    assert (
        f"The Fair · version {replay.rounds[0]} of {replay.last} · round 1 · ann and ben and cid to move"
        in picture
    )
    assert "as ben saw it" in picture
    assert "ben draws a " in picture


def test_several_keys_in_one_read_are_handled_until_quit(replay: Replay) -> None:
    picture = shown(replay, iter([RIGHT + RIGHT + "]", "]q" + RIGHT]).__next__)
    assert f"version {replay.rounds[0]} of" in picture


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12)])
def test_a_small_screen_is_enough(replay: Replay, width: int, height: int) -> None:
    picture = shown(replay, iter([END, "q"]).__next__, width, height)
    assert "won" in picture or "over" in picture


# As text


def test_without_a_terminal_the_match_is_printed(kontor: Kontor, file: Path) -> None:
    result = kontor("replay", str(file))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert re.match(r"The Fair · match \S+ · \d+ facts · everything shown", lines[0])
    assert "    1   The match is created." in lines
    assert [line.strip("─ ") for line in lines if "Round" in line and "─" in line] == [
        "Round 1",
        "Round 2",
        "Round 3",
    ]
    assert "The end" in result.stdout
    assert re.search(r"The match is over: \w+ won\.", result.stdout)


def test_the_text_shows_only_what_a_seat_could_know(kontor: Kontor, file: Path) -> None:
    result = kontor("replay", str(file), "--plain", "--as", "1").stdout
    assert set(re.findall(r"(\w+) draws a \d+", result)) == {"ben"}
    assert "as ben saw it" in result


def test_a_single_version_can_be_printed(kontor: Kontor, file: Path) -> None:
    result = kontor("replay", str(file), "--plain", "--at", "7").stdout.splitlines()
    assert result[0].startswith("version 7 of ")
    assert all(int(line.split()[0]) <= 7 for line in result[1:] if line.split()[0].isdigit())


def test_missing_versions_and_seats_are_refused(kontor: Kontor, file: Path) -> None:
    assert "The match has versions 1 to" in kontor("replay", str(file), "--at", "9999").stderr
    assert "--as takes 0, 1, 2 or spectator." in kontor("replay", str(file), "--as", "5").stderr


def test_an_invalid_export_is_not_shown(kontor: Kontor, file: Path) -> None:
    file.write_bytes(
        forge(file.read_bytes(), lambda facts: find(facts, "round_taken")["fact"].update(points=9))
    )
    result = kontor("replay", str(file))
    assert result.exit_code == 1
    assert "is not a valid export: line" in result.stderr


def test_the_facts_of_a_running_match_are_listed_with_their_hidden_fields(
    kontor: Kontor, tmp_path: Path
) -> None:
    path = tmp_path / "running.ndjson"
    path.write_bytes(table_of("fair", 2).export(0))
    result = kontor("replay", str(path)).stdout
    assert "is not over. These are the facts" in result
    assert "card_drawn: seat 1, card is hidden" in result
    assert re.search(r"card_drawn: card \d+, seat 0", result)


def test_everything_that_can_happen_to_a_match_is_described(kontor: Kontor, tmp_path: Path) -> None:
    recording = Recording(announcement("fair", OPEN, OPEN, house_bot("greedy"), autostart=False))
    recording.join("ann")
    recording.do("ann", Leave())
    recording.join("ben")
    recording.join("cid")
    recording.do("ann", Start())
    recording.do("cid", Abort())
    recording.do("ben", Resign())
    path = tmp_path / "life.ndjson"
    path.write_bytes(recording.play_on().export())
    result = kontor("replay", str(path)).stdout
    for sentence in (
        "greedy-2 takes a seat, a house bot (greedy).",
        "ann takes a seat.",
        "ann leaves the seat.",
        "ben takes a seat.",
        "The match starts.",
        "cid asks to abort the match.",
        "ben resigns.",
        "The match is aborted.",
    ):
        assert sentence in result


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_matches_of_every_installed_game_can_be_replayed(kontor: Kontor, tmp_path: Path, game: str) -> None:
    recording = table_of(game, 3).play_on(40)
    for player in ("ben", "cid", "ann"):
        recording.do(player, Abort())
    path = tmp_path / "match.ndjson"
    path.write_bytes(recording.export())
    for eyes in ("spectator", "0"):
        assert kontor("replay", str(path), "--as", eyes).exit_code == 0


# Names


def test_without_names_players_are_called_by_their_ids_and_never_by_names_of_others(
    kontor: Kontor, tmp_path: Path
) -> None:
    player = "3f2a9c1e-0b5c-4d0e-9a57-3f6f4f1f2f11"
    recording = Recording(announcement("fair", OPEN, house_bot("greedy"), creator=player))
    recording.join(player)
    path = tmp_path / "match.ndjson"
    path.write_bytes(recording.play_on().export())
    result = kontor("replay", str(path)).stdout
    assert "3f2a9c1e takes a seat." in result
    assert "greedy-1 takes a seat, a house bot (greedy)." in result
    assert not re.search("Anna|Bruno|Player", result)


def test_names_can_be_given(kontor: Kontor, file: Path) -> None:
    result = kontor("replay", str(file), "--names", "Ada, Greta,C++", "--as", "1").stdout
    assert "as Greta saw it" in result
    assert set(re.findall(r"(\w+) draws a \d+", result)) == {"Greta"}
    assert "C++ takes a seat." in result
    assert not re.search(r"\b(ann|ben|cid)\b", result)


def test_names_come_from_a_file_or_from_an_answer_of_the_service(
    kontor: Kontor, file: Path, tmp_path: Path
) -> None:
    taken = [
        {"id": "ann", "name": "Ada"},
        {"id": "0123456789", "name": None},
        {"id": "house", "name": "greedy"},
    ]
    for content, names in (
        (["Ada, Countess of Lovelace", "Greta", "Carl"], ["Ada, Countess of Lovelace", "Greta", "Carl"]),
        ({"id": "x", "seats": [{"player": player} for player in taken]}, ["Ada", "01234567", "greedy-2"]),
        (
            {"seats": [{"player": taken[0]}, {"player": None}, {"player": taken[2]}]},
            ["Ada", "seat 1", "greedy-2"],
        ),
    ):
        (tmp_path / "names.json").write_text(json.dumps(content), encoding="utf-8")
        result = kontor("replay", str(file), "--names", str(tmp_path / "names.json")).stdout
        assert [name for name in names if f" {name} takes a seat" not in result] == []


@pytest.mark.parametrize(("names", "given"), [("Ada", 1), ("Ada,Ben,Cid,Dot", 4), ("Ada,,Cid", 2)])
def test_every_seat_needs_a_name(kontor: Kontor, file: Path, names: str, given: int) -> None:
    result = kontor("replay", str(file), "--names", names)
    assert (
        result.exit_code,
        f"--names must give 3 names, one for each seat; it gives {given}." in result.stderr,
    ) == (2, True)


@pytest.mark.parametrize("content", ["{", "{}", "[1, 2, 3]", '{"seats": [1]}', "7", "null"])
def test_a_file_without_names_is_refused(kontor: Kontor, file: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "names.json").write_text(content, encoding="utf-8")
    result = kontor("replay", str(file), "--names", str(tmp_path / "names.json"))
    assert (result.exit_code, "neither a list of names nor a match as the API" in result.stderr) == (
        2,
        True,
    )
