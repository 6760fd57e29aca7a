import re
import time

import pytest
from click.testing import CliRunner

from kontor_games.domain.games import installed_games
from kontor_games.service.cli import main
from tests.service.cli.conftest import Kontor


def test_a_match_is_described_from_the_set_up_to_the_winner(kontor: Kontor) -> None:
    told = kontor("watch", "fair", "--seed", "7/0", "--players", "3").stdout
    assert "● Anna greedy   ● Bruno greedy   ● Clara greedy" in told
    assert "● Anna lays a 17." in told
    assert "─ Round 2 of 3 ─" in told
    assert "Final scores" in told
    assert told.splitlines()[-1] == "Bruno wins."


def test_the_same_seed_gives_the_same_output(kontor: Kontor) -> None:
    asked = ("watch", "fair", "--seed", "7", "--bots", "random,random")
    assert kontor(*asked).stdout == kontor(*asked).stdout


def test_without_a_seed_a_random_one_is_used_and_shown(kontor: Kontor) -> None:
    told = kontor("watch", "fair", "--bots", "random,random").stdout
    seed = told.partition("seed ")[2].split()[0]
    assert kontor("watch", "fair", "--bots", "random,random", "--seed", seed).stdout == told


def test_the_heading_is_complete_with_few_players(kontor: Kontor) -> None:
    told = kontor("watch", "fair", "--seed", "a rather long seed", "--players", "2").stdout
    assert " · seed a rather long seed · everything shown ─╯" in told


@pytest.mark.parametrize(
    ("viewer", "sight", "known"),
    [
        ((), "everything shown", "Anna Bruno Clara"),
        (("--as", "spectator"), "as a spectator sees it", ""),
        (("--as", "1"), "as Bruno sees it", "Bruno"),
    ],
)
def test_the_description_contains_only_what_the_viewer_may_know(
    kontor: Kontor, viewer: tuple[str, ...], sight: str, known: str
) -> None:
    told = kontor("watch", "fair", "--seed", "7", "--players", "3", *viewer).stdout
    assert sight in told
    assert set(re.findall(r"(\w+) draws a \d+", told)) == set(known.split())


def test_an_error_about_a_missing_seat_names_the_existing_ones(kontor: Kontor) -> None:
    told = kontor("watch", "fair", "--players", "2", "--as", "2")
    assert (told.exit_code, "There is no seat '2'. --as takes 0, 1 or spectator." in told.stderr) == (2, True)


def test_the_delay_comes_after_each_move(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    told = kontor("watch", "fair", "--players", "2", "--seed", "7", "--delay", "0.25").stdout
    assert set(slept) == {0.25}
    assert len(slept) == 1 + told.count("lays") + told.count("closes")


def test_ctrl_c_stops_and_prints_how_to_watch_the_match_again(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    told = kontor("watch", "fair", "--seed", "7")
    assert (told.exit_code, told.stderr) == (130, "\nStopped. To watch the same match again, use --seed 7.\n")


def test_a_bot_at_fault_is_named_without_a_traceback(kontor: Kontor) -> None:
    told = kontor("watch", "fair", "--bots", "sleepy,sleepy")
    assert told.exit_code == 1
    assert "A bot of fair failed: seat" in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_installed_game_can_be_watched_to_its_final_scores(game: str) -> None:
    told = CliRunner().invoke(main, ["watch", game, "--seed", "7"])
    assert (told.exit_code, told.stderr) == (0, "")
    assert "Final scores" in told.stdout
    assert told.stdout.rstrip().endswith((" wins.", " share the win."))
