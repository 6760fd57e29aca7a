import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.games import installed_games
from service.cli import main
from tests.service.cli.conftest import Kontor
from tests.service.pebbles import GAME


def test_games_are_shown_with_all_that_can_be_chosen(kontor: Kontor) -> None:
    told = kontor("games").stdout
    for words in ("pebbles  Pebbles", "2, 3 or 4", "any, cheat, sleepy, wise", "small, large", "5 to 50", "calm, loud", "true, false"):
        assert words in told


def test_games_as_json(kontor: Kontor) -> None:
    (told,) = json.loads(kontor("games", "--json").stdout)
    assert {**told, "options": sorted(told["options"])} == {
        "id": "pebbles",
        "titles": {"en": "Pebbles"},
        "players": [2, 3, 4],
        "bots": ["any", "cheat", "sleepy", "wise"],
        "data_option": "hand",
        "data_sets": ["small", "large"],
        "options": ["least", "lone", "mood"],
    }


def test_every_installed_game_is_shown() -> None:
    told = CliRunner().invoke(main, ["games"])
    assert told.exit_code == 0
    for game in installed_games().values():
        assert f"{game.id}  {game.titles['en']}" in told.stdout


def test_rules_are_rendered(kontor: Kontor) -> None:
    assert "Whoever takes the last pebble wins." in kontor("rules", "pebbles").stdout


def test_rules_can_be_had_as_they_are_written(kontor: Kontor) -> None:
    assert kontor("rules", "pebbles", "--markdown").stdout == GAME.rules_text + "\n"


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_the_rules_of_every_installed_game_can_be_read(game: str) -> None:
    told = CliRunner().invoke(main, ["rules", game])
    assert (told.exit_code, len(told.stdout) > 1000) == (0, True)


def test_a_board_is_drawn_into_a_file(kontor: Kontor, tmp_path: Path) -> None:
    told = kontor("board", "pebbles", "large", "--svg", str(tmp_path / "board.svg"))
    assert told.exit_code == 0
    assert (tmp_path / "board.svg").read_text() == "<svg>5</svg>"
    assert f"Drew large into {tmp_path / 'board.svg'}." in told.stderr


def test_a_board_can_be_drawn_to_stdout(kontor: Kontor) -> None:
    told = kontor("board", "pebbles", "small", "--svg", "-")
    assert (told.stdout, told.stderr) == ("<svg>3</svg>", "")


def test_a_file_of_ones_own_is_checked(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"most": 7}')
    assert "mine is a valid hand for pebbles" in kontor("board", "pebbles", str(tmp_path / "mine.json")).stdout


def test_a_file_of_ones_own_that_breaks_the_rules_for_it_is_refused_with_all_faults(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("[]")
    told = kontor("board", "pebbles", str(tmp_path / "mine.json"), "--svg", str(tmp_path / "board.svg"))
    assert told.exit_code == 2
    assert "  • /most: must be an integer\n  • /colour: is missing" in told.stderr
    assert not (tmp_path / "board.svg").exists()


def test_a_game_with_nothing_to_draw_says_so() -> None:
    told = CliRunner().invoke(main, ["board", "pebbles", "small", "--svg", "-"], obj=lambda: {"pebbles": replace(GAME, draw=None)})
    assert (told.exit_code, "pebbles has nothing to draw" in told.stderr) == (2, True)


def test_an_unknown_board_is_answered_with_those_there_are(kontor: Kontor) -> None:
    told = kontor("board", "pebbles", "big")
    assert (told.exit_code, "Known: small and large; or give the path of a JSON file" in told.stderr) == (2, True)


@pytest.mark.parametrize("game", sorted(name for name, game in installed_games().items() if game.draw))
def test_every_board_of_an_installed_game_can_be_drawn(game: str) -> None:
    for data in installed_games()[game].data_sets:
        told = CliRunner().invoke(main, ["board", game, data.name, "--svg", "-"])
        assert (told.exit_code, told.stdout.startswith("<svg")) == (0, True)
