"""Replays: forwards and back through a recorded match, through anybody's eyes, never more than they knew."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.commands import Abort, Leave, Resign, Start
from kontor_games.domain.export_reader import take_apart
from kontor_games.domain.games import installed_games
from kontor_games.service.cli.replay_screen import ReplayScreen
from kontor_games.service.cli.replay_session import Replay, after, before
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.cli.conftest import Kontor
from tests.support.forging import find, forge
from tests.support.recording import OPEN, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]


def recorded() -> Recording:
    return table_of("fair", 3).play_on()


@pytest.fixture
def told() -> Replay:
    return Replay(take_apart(recorded().export()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(recorded().export())
    return path


# Where a match stood


def test_the_replay_has_the_recorded_state_at_every_version(told: Replay) -> None:
    recording = table_of("fair", 3)
    for _ in range(100):
        match = told.at(recording.match.version)
        assert match.state.digest() == recording.match.state.digest()
        assert list(match.to_act) == list(recording.match.to_act)
        if recording.match.over:
            break
        recording = table_of("fair", 3).play_on(len(recording.entries) - 3)
    versions = [told.at(version).version for version in range(1, told.last + 1)]
    assert versions == list(range(1, told.last + 1))


def test_a_version_is_shown_the_same_way_forwards_and_backwards(told: Replay) -> None:
    forwards = [told.tell(version, 1) for version in range(1, told.last + 1)]
    backwards = [told.tell(version, 1) for version in range(told.last, 0, -1)]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(("viewer", "known"), [(ARBITER, "ann ben cid"), (SPECTATOR, ""), (1, "ben")])
def test_a_replay_shows_only_what_the_viewer_could_know(told: Replay, viewer: int, known: str) -> None:
    sentences = " ".join(told.tell(version, viewer).sentence for version in range(1, told.last + 1))
    assert set(re.findall(r"(\w+) draws a \d+", sentences)) == set(known.split())
    assert set(re.findall(r"(\w+) lays a \d+", sentences)) == set(known.split())


def test_the_replay_can_jump_to_commands_turns_and_rounds(told: Replay) -> None:
    assert told.commands == [entry.last for entry in told.entries]
    assert [told.at(version).state.round for version in told.rounds] == [1, 2, 3]  # type: ignore[attr-defined]
    assert set(told.turns) <= set(told.commands)
    assert all(
        told.at(one).to_act != told.at(two).to_act
        for one, two in zip(told.turns, told.turns[1:], strict=False)
    )


def test_steps_beyond_either_end_stay_there() -> None:
    assert [after([2, 5, 9], version) for version in (1, 2, 5, 9, 12)] == [2, 5, 9, 9, 9]
    assert [before([2, 5, 9], version) for version in (1, 2, 5, 9, 12)] == [2, 2, 2, 5, 9]
    assert (after([], 4), before([], 4)) == (4, 4)


# With keys


def sent(told: Replay, *keys: str, version: int = 1) -> ReplayScreen:
    """The screen after these keys, which came one by one."""
    screen = ReplayScreen(told, "The Fair", ARBITER, version)
    for key in keys:
        assert screen.press(key)
    return screen


LEFT, RIGHT, UP, DOWN, HOME, END = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"


def test_arrows_go_fact_by_fact_and_command_by_command(told: Replay) -> None:
    assert sent(told, RIGHT, RIGHT, LEFT).version == 2
    assert sent(told, LEFT).version == 1
    assert sent(told, END).version == sent(told, END, RIGHT).version == told.last
    assert sent(told, END, HOME).version == 1
    start = told.commands[3]
    assert (
        sent(told, DOWN, version=start).version == sent(told, " ", version=start).version == told.commands[4]
    )
    assert sent(told, UP, version=start).version == told.commands[2]


def test_letters_and_brackets_jump_by_turns_and_rounds(told: Replay) -> None:
    assert sent(told, "]", "]").version == told.rounds[1]
    assert sent(told, "]", "]", "[").version == told.rounds[0]
    assert sent(told, "n", "n").version == told.turns[1]
    assert sent(told, "n", "n", "p").version == told.turns[0]


def test_a_version_can_be_typed_corrected_and_cancelled(told: Replay) -> None:
    assert sent(told, "g", "1", "2", "\r").version == 12
    assert sent(told, "g", "1", "3", "\x7f", "4", "\r").version == 14
    assert sent(told, "g", "9", "9", "9", "9", "\r").version == told.last
    assert sent(told, "g", "0", "\r").version == 1
    assert sent(told, "g", "1", "x", version=5).version == 5
    assert sent(told, "g", "\r", version=5).version == 5
    assert sent(told, "g", "1", "2").typed == "12"


def test_a_seat_can_be_followed_and_everything_shown_again(told: Replay) -> None:
    assert [sent(told, key).viewer for key in ("0", "2", "s", "a")] == [0, 2, SPECTATOR, ARBITER]
    assert sent(told, "7").viewer == ARBITER, "there is no seat 7"


@pytest.mark.parametrize("key", ["q", "\x1b", "\x03"])
def test_quit_keys_end_the_replay(told: Replay, key: str) -> None:
    assert not ReplayScreen(told, "The Fair", ARBITER, 1).press(key)


def test_an_unknown_key_does_nothing(told: Replay) -> None:
    assert sent(told, "x", "\x1b[15~", version=7).version == 7


def shown(told: Replay, run: Callable[[], str], width: int = 100, height: int = 30) -> str:
    output = io.StringIO()
    ReplayScreen(told, "The Fair", ARBITER, 1).run(
        Console(file=output, width=width, height=height, force_terminal=True), run
    )
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.getvalue())


def test_the_screen_shows_where_it_is_whose_turn_it_is_and_the_newest_sentence(told: Replay) -> None:
    keys = iter([f"g{told.rounds[0]}\r", "1", "q"])
    picture = shown(told, lambda: next(keys))
    assert (
        f"The Fair · version {told.rounds[0]} of {told.last} · round 1 · ann and ben and cid to move"
        in picture
    )
    assert "as ben saw it" in picture
    assert "ben draws a " in picture


def test_several_keys_in_one_read_are_handled_until_quit(told: Replay) -> None:
    picture = shown(told, iter([RIGHT + RIGHT + "]", "]q" + RIGHT]).__next__)
    assert f"version {told.rounds[0]} of" in picture


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12)])
def test_a_small_screen_is_enough(told: Replay, width: int, height: int) -> None:
    picture = shown(told, iter([END, "q"]).__next__, width, height)
    assert "won" in picture or "over" in picture


# As text


def test_without_a_terminal_the_match_is_printed(kontor: Kontor, file: Path) -> None:
    told = kontor("replay", str(file))
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert re.match(r"The Fair · match \S+ · \d+ facts · everything shown", lines[0])
    assert "    1   The match is created." in lines
    assert [line.strip("─ ") for line in lines if "Round" in line and "─" in line] == [
        "Round 1",
        "Round 2",
        "Round 3",
    ]
    assert "The end" in told.stdout
    assert re.search(r"The match is over: \w+ won\.", told.stdout)


def test_the_text_shows_only_what_a_seat_could_know(kontor: Kontor, file: Path) -> None:
    told = kontor("replay", str(file), "--plain", "--as", "1").stdout
    assert set(re.findall(r"(\w+) draws a \d+", told)) == {"ben"}
    assert "as ben saw it" in told


def test_a_single_version_can_be_printed(kontor: Kontor, file: Path) -> None:
    told = kontor("replay", str(file), "--plain", "--at", "7").stdout.splitlines()
    assert told[0].startswith("version 7 of ")
    assert all(int(line.split()[0]) <= 7 for line in told[1:] if line.split()[0].isdigit())


def test_missing_versions_and_seats_are_refused(kontor: Kontor, file: Path) -> None:
    assert "The match has versions 1 to" in kontor("replay", str(file), "--at", "9999").stderr
    assert "--as takes 0, 1, 2 or spectator." in kontor("replay", str(file), "--as", "5").stderr


def test_an_invalid_export_is_not_shown(kontor: Kontor, file: Path) -> None:
    file.write_bytes(
        forge(file.read_bytes(), lambda facts: find(facts, "round_taken")["fact"].update(points=9))
    )
    told = kontor("replay", str(file))
    assert told.exit_code == 1
    assert "is not a valid export: line" in told.stderr


def test_the_facts_of_a_running_match_are_listed_with_their_hidden_fields(
    kontor: Kontor, tmp_path: Path
) -> None:
    path = tmp_path / "running.ndjson"
    path.write_bytes(table_of("fair", 2).export(0))
    told = kontor("replay", str(path)).stdout
    assert "is not over. These are the facts" in told
    assert "card_drawn: seat 1, card is hidden" in told
    assert re.search(r"card_drawn: card \d+, seat 0", told)


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
    told = kontor("replay", str(path)).stdout
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
        assert sentence in told


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
    told = kontor("replay", str(path)).stdout
    assert "3f2a9c1e takes a seat." in told
    assert "greedy-1 takes a seat, a house bot (greedy)." in told
    assert not re.search("Anna|Bruno|Player", told)


def test_names_can_be_given(kontor: Kontor, file: Path) -> None:
    told = kontor("replay", str(file), "--names", "Ada, Greta,C++", "--as", "1").stdout
    assert "as Greta saw it" in told
    assert set(re.findall(r"(\w+) draws a \d+", told)) == {"Greta"}
    assert "C++ takes a seat." in told
    assert not re.search(r"\b(ann|ben|cid)\b", told)


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
        told = kontor("replay", str(file), "--names", str(tmp_path / "names.json")).stdout
        assert [name for name in names if f" {name} takes a seat" not in told] == []


@pytest.mark.parametrize(("names", "given"), [("Ada", 1), ("Ada,Ben,Cid,Dot", 4), ("Ada,,Cid", 2)])
def test_every_seat_needs_a_name(kontor: Kontor, file: Path, names: str, given: int) -> None:
    told = kontor("replay", str(file), "--names", names)
    assert (
        told.exit_code,
        f"--names must give 3 names, one for each seat; it gives {given}." in told.stderr,
    ) == (2, True)


@pytest.mark.parametrize("content", ["{", "{}", "[1, 2, 3]", '{"seats": [1]}', "7", "null"])
def test_a_file_without_names_is_refused(kontor: Kontor, file: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "names.json").write_text(content, encoding="utf-8")
    told = kontor("replay", str(file), "--names", str(tmp_path / "names.json"))
    assert (told.exit_code, "neither a list of names nor a match of the API" in told.stderr) == (2, True)
