import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontor_games.domain.games import installed_games
from kontor_games.service.cli import main
from tests.service.cli.conftest import Kontor
from tests.service.fair import GAME

OWN = json.dumps({"values": [7] * 20})


def test_games_are_shown_with_all_their_options(kontor: Kontor) -> None:
    result = kontor("games").stdout
    for words in (
        "fair  The Fair",
        "2, 3 or 4",
        ", ".join(GAME.bots),
        "plain, steep, or --data",
        "0 to 20",
        "1, 2, 3",
        "calm, loud",
        "true, false",
    ):
        assert words in result


def test_games_as_json(kontor: Kontor) -> None:
    (result,) = json.loads(kontor("games", "--json").stdout)
    assert {**result, "options": sorted(result["options"])} == {
        "id": "fair",
        "titles": dict(GAME.titles),
        "players": [2, 3, 4],
        "bots": list(GAME.bots),
        "data_option": "cards",
        "data_sets": ["plain", "steep"],
        "options": ["coins", "lone", "mood", "music", "rounds"],
    }


def test_every_installed_game_is_shown() -> None:
    result = CliRunner().invoke(main, ["games"])
    assert result.exit_code == 0
    for game in installed_games().values():
        assert f"{game.id}  {game.titles['en']}" in result.stdout


def test_rules_are_rendered(kontor: Kontor) -> None:
    title = GAME.rules_texts["en"].splitlines()[0]
    result = kontor("rules", "fair").stdout
    assert title.startswith("# ")
    assert title.strip("# ") in result
    assert title not in result


def test_rules_can_be_printed_as_markdown(kontor: Kontor) -> None:
    assert kontor("rules", "fair", "--markdown").stdout == GAME.rules_texts["en"] + "\n"


def test_rules_can_be_read_in_another_language(kontor: Kontor) -> None:
    result = kontor("rules", "fair", "--markdown", "--language", "de")
    assert (result.stdout, result.stderr) == (GAME.rules_texts["de"] + "\n", "")
    assert "Der Markt" in kontor("rules", "fair", "--language", "de").stdout


def test_rules_that_are_not_translated_are_shown_in_english_and_the_command_says_so(kontor: Kontor) -> None:
    result = kontor("rules", "fair", "--markdown", "--language", "es")
    assert result.exit_code == 0
    assert result.stdout == GAME.rules_texts["en"] + "\n"
    assert (
        result.stderr == "The rules of fair are available in en, de, not in es. This is the English text.\n"
    )


def test_the_help_says_which_languages_there_are(kontor: Kontor) -> None:
    assert "en, de, fr, it or es" in " ".join(kontor("rules", "--help").stdout.split())


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_the_rules_of_every_installed_game_can_be_read(game: str) -> None:
    result = CliRunner().invoke(main, ["rules", game])
    assert (result.exit_code, len(result.stdout) > 1000) == (0, True)


def test_a_board_is_drawn_into_a_file(kontor: Kontor, tmp_path: Path) -> None:
    result = kontor("board", "fair", "steep", "--svg", str(tmp_path / "board.svg"))
    assert result.exit_code == 0
    assert (tmp_path / "board.svg").read_text() == "<svg>24</svg>"
    assert f"The drawing of steep was written to {tmp_path / 'board.svg'}." in result.stderr


def test_a_board_can_be_drawn_to_stdout(kontor: Kontor) -> None:
    result = kontor("board", "fair", "plain", "--svg", "-")
    assert (result.stdout, result.stderr) == ("<svg>20</svg>", "")


def test_an_own_data_set_is_checked(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(OWN)
    assert (
        "mine is valid and can be used as the cards of fair"
        in kontor("board", "fair", str(tmp_path / "mine.json")).stdout
    )


def test_an_invalid_data_set_is_refused_with_all_faults(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("[]")
    result = kontor("board", "fair", str(tmp_path / "mine.json"), "--svg", str(tmp_path / "board.svg"))
    assert result.exit_code == 2
    assert "mine.json cannot be used as the cards of fair:\n  • /: must be an object\n" in result.stderr
    assert not (tmp_path / "board.svg").exists()


def test_a_game_with_nothing_to_draw_says_so() -> None:
    result = CliRunner().invoke(
        main, ["board", "fair", "plain", "--svg", "-"], obj=lambda: {"fair": replace(GAME, draw=None)}
    )
    assert (result.exit_code, "of fair cannot be drawn." in result.stderr) == (2, True)


def test_an_error_about_an_unknown_board_names_the_available_ones(kontor: Kontor) -> None:
    result = kontor("board", "fair", "big")
    assert (
        result.exit_code,
        "Available: plain and steep, or the path of your own JSON file" in result.stderr,
    ) == (2, True)


@pytest.mark.parametrize("game", sorted(name for name, game in installed_games().items() if game.draw))
def test_every_board_of_an_installed_game_can_be_drawn(game: str) -> None:
    for data in installed_games()[game].data_sets:
        result = CliRunner().invoke(main, ["board", game, data.name, "--svg", "-"])
        assert (result.exit_code, result.stdout.startswith("<svg")) == (0, True)
