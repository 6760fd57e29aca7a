import re
import time

import pytest
from click.testing import CliRunner

from kontor_games.domain.games import installed_games
from kontor_games.service.cli import main
from tests.service.cli.conftest import Kontor


def test_a_match_is_described_from_the_set_up_to_the_winner(kontor: Kontor) -> None:
    result = kontor("watch", "fair", "--seed", "7/0", "--players", "3").stdout
    assert "● Anna greedy   ● Bruno greedy   ● Clara greedy" in result
    assert "● Anna lays a 17." in result
    assert "─ Round 2 of 3 ─" in result
    assert "Final scores" in result
    assert result.splitlines()[-1] == "Bruno wins."


def test_the_same_seed_gives_the_same_output(kontor: Kontor) -> None:
    arguments = ("watch", "fair", "--seed", "7", "--bots", "random,random")
    assert kontor(*arguments).stdout == kontor(*arguments).stdout


def test_without_a_seed_a_random_one_is_used_and_shown(kontor: Kontor) -> None:
    result = kontor("watch", "fair", "--bots", "random,random").stdout
    seed = result.partition("seed ")[2].split()[0]
    assert kontor("watch", "fair", "--bots", "random,random", "--seed", seed).stdout == result


def test_the_heading_is_complete_with_few_players(kontor: Kontor) -> None:
    result = kontor("watch", "fair", "--seed", "a rather long seed", "--players", "2").stdout
    assert " · seed a rather long seed · everything shown ─╯" in result


@pytest.mark.parametrize(
    ("viewer", "heading", "known"),
    [
        ((), "everything shown", "Anna Bruno Clara"),
        (("--as", "spectator"), "as a spectator sees it", ""),
        (("--as", "1"), "as Bruno sees it", "Bruno"),
    ],
)
def test_the_description_contains_only_what_the_viewer_may_know(
    kontor: Kontor, viewer: tuple[str, ...], heading: str, known: str
) -> None:
    result = kontor("watch", "fair", "--seed", "7", "--players", "3", *viewer).stdout
    assert heading in result
    assert set(re.findall(r"(\w+) draws a \d+", result)) == set(known.split())


def test_an_error_about_a_missing_seat_names_the_existing_ones(kontor: Kontor) -> None:
    result = kontor("watch", "fair", "--players", "2", "--as", "2")
    assert (result.exit_code, "There is no seat '2'. --as takes 0, 1 or spectator." in result.stderr) == (
        2,
        True,
    )


def test_the_delay_comes_after_each_move(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    result = kontor("watch", "fair", "--players", "2", "--seed", "7", "--delay", "0.25").stdout
    assert set(slept) == {0.25}
    assert len(slept) == 1 + result.count("lays") + result.count("closes")


def test_ctrl_c_stops_and_prints_how_to_watch_the_match_again(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    result = kontor("watch", "fair", "--seed", "7")
    assert (result.exit_code, result.stderr) == (
        130,
        "\nStopped. To watch the same match again, use --seed 7.\n",
    )


def test_a_bot_at_fault_is_named_without_a_traceback(kontor: Kontor) -> None:
    result = kontor("watch", "fair", "--bots", "sleepy,sleepy")
    assert result.exit_code == 1
    assert "A bot of fair failed: seat" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_installed_game_can_be_watched_to_its_final_scores(game: str) -> None:
    result = CliRunner().invoke(main, ["watch", game, "--seed", "7"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Final scores" in result.stdout
    assert result.stdout.rstrip().endswith((" wins.", " share the win."))
