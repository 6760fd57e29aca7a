import json
from pathlib import Path

import pytest

from service.cli import simulate
from tests.service.cli.conftest import Kontor


def test_the_table_names_bots_seats_and_order_of_play(kontor: Kontor) -> None:
    told = kontor("simulate", "pebbles", "--bots", "wise,any", "--matches", "40", "--seed", "7")
    assert told.exit_code == 0
    for words in ("Pebbles · hand small · 2 players", "40 matches, seed 7", "wise", "seat 1", "moves 2nd", "95% interval", "cheers"):
        assert words in told.stdout


def test_where_stderr_is_no_terminal_there_is_no_progress_bar(kontor: Kontor) -> None:
    assert kontor("simulate", "pebbles", "--matches", "5").stderr == ""


def test_equal_bots_are_counted_by_seat_only(kontor: Kontor) -> None:
    told = kontor("simulate", "pebbles", "--bots", "wise,wise", "--matches", "4").stdout
    assert "by bot" not in told
    assert "by seat" in told


def test_json_is_all_that_stands_on_stdout(kontor: Kontor) -> None:
    told = json.loads(kontor("simulate", "pebbles", "--bots", "wise,any", "--matches", "40", "--seed", "7", "--json").stdout)
    assert {name: told[name] for name in ("game", "bots", "seed", "matches")} == {
        "game": "pebbles",
        "bots": ["wise", "any"],
        "seed": "7",
        "matches": 40,
    }
    assert told["options"] == {"least": 10, "mood": "loud", "lone": False}
    assert told["ruleset"]["data_set"] == "small"
    wise, anyone = told["by_bot"]
    assert wise["low"] < wise["share"] < wise["high"]
    assert wise["wins"] + anyone["wins"] == 40
    assert sum(wise["places"]) == 40
    assert told["lengths"]["facts"]["mean"] == told["lengths"]["decisions"]["mean"] + 1


def test_the_figures_do_not_depend_on_the_number_of_processes(kontor: Kontor) -> None:
    asked = ("simulate", "pebbles", "--bots", "wise,any,any", "--matches", "30", "--seed", "7", "--json")
    assert kontor(*asked, "--jobs", "2").stdout == kontor(*asked).stdout


def test_without_a_seed_the_one_drawn_is_told(kontor: Kontor) -> None:
    told = json.loads(kontor("simulate", "pebbles", "--matches", "3", "--json").stdout)
    again = kontor("simulate", "pebbles", "--matches", "3", "--json", "--seed", told["seed"])
    assert json.loads(again.stdout) == told


def test_the_last_bot_named_fills_the_seats_that_are_left(kontor: Kontor) -> None:
    told = json.loads(kontor("simulate", "pebbles", "--bots", "wise,any", "--players", "4", "--matches", "2", "--json").stdout)
    assert told["bots"] == ["wise", "any", "any", "any"]


def test_without_names_the_last_bot_meets_the_first(kontor: Kontor) -> None:
    assert json.loads(kontor("simulate", "pebbles", "--matches", "2", "--json").stdout)["bots"] == ["wise", "any", "any", "any"]


def test_options_are_read_as_the_game_wants_them(kontor: Kontor) -> None:
    told = kontor(
        "simulate", "pebbles", "--players", "2", "--option", "least=30", "--option", "lone=true", "--option", "mood=calm", "--json"
    )
    assert json.loads(told.stdout)["options"] == {"least": 30, "mood": "calm", "lone": True}


def test_a_data_set_is_chosen_like_an_option(kontor: Kontor) -> None:
    told = json.loads(kontor("simulate", "pebbles", "--option", "hand=large", "--matches", "2", "--json").stdout)
    assert told["ruleset"]["data_set"] == "large"


def test_a_data_set_of_ones_own_is_played_with(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "huge.json").write_text('{"most": 9}')
    told = json.loads(kontor("simulate", "pebbles", "--data", str(tmp_path / "huge.json"), "--matches", "2", "--json").stdout)
    assert told["ruleset"]["data_set"] == "huge"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("peebles",), "There is no game 'peebles'. Did you mean 'pebbles'? Installed: pebbles."),
        (("pebbles", "--bots", "wize,any"), "pebbles has no bot 'wize'. Did you mean 'wise'? It has: any, cheat, sleepy and wise."),
        (("pebbles", "--bots", "wise"), "pebbles takes 2, 3 or 4 players, not 1. Name as many bots, or add --players 4"),
        (("pebbles", "--players", "7"), "pebbles takes 2, 3 or 4 players, not 7."),
        (("pebbles", "--players", "2", "--bots", "any,any,any"), "--bots names 3 bots for 2 players"),
        (("pebbles", "--option", "leest=7"), "pebbles has no option 'leest'. Did you mean 'least'? It has: hand, least, mood and lone."),
        (("pebbles", "--option", "least=3"), "Option least must be between 5 and 50."),
        (("pebbles", "--option", "mood=sad"), 'Option mood must be one of "calm", "loud".'),
        (("pebbles", "--option", "mood"), "'mood' is no KEY=VALUE."),
        (("pebbles", "--option", "hand=smal"), "pebbles has no hand called 'smal', nor is there such a file. Did you mean 'small'?"),
        (("pebbles", "--option", "lone=true"), "pebbles can't be played so: the lone heap is for two (P-1)"),
        (("pebbles", "--data", "nowhere.json"), "File 'nowhere.json' does not exist."),
        (("pebbles", "--matches", "0"), "Invalid value for '--matches'"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_be_right(kontor: Kontor, args: tuple[str, ...], said: str) -> None:
    told = kontor("simulate", *args)
    assert told.exit_code == 2
    assert said in told.stderr
    assert told.stdout == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no JSON: "),
        ('{"most": "3"}', "is no hand for pebbles:\n  • /most: must be an integer\n  • /colour: is missing"),
    ],
)
def test_each_violation_of_a_file_of_ones_own_is_listed(kontor: Kontor, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "mine.json").write_text(content)
    told = kontor("simulate", "pebbles", "--data", str(tmp_path / "mine.json"))
    assert (told.exit_code, said in told.stderr) == (2, True)


def test_two_data_sets_at_once_are_refused(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"most": 9}')
    told = kontor("simulate", "pebbles", "--data", str(tmp_path / "mine.json"), "--option", "hand=large")
    assert (told.exit_code, "Choose either --data or --option hand=…, not both." in told.stderr) == (2, True)


def test_a_bot_at_fault_is_named_without_a_traceback(kontor: Kontor) -> None:
    told = kontor("simulate", "pebbles", "--bots", "cheat,cheat", "--seed", "7")
    assert told.exit_code == 1
    assert "A bot of pebbles is at fault. match 0 of seed 7: seat" in told.stderr


def test_what_was_played_before_ctrl_c_is_shown(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    played = simulate.outcomes

    def interrupted(held: object, matches: int, jobs: int) -> object:
        yield from played(held, 3, jobs)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "outcomes", interrupted)
    told = kontor("simulate", "pebbles", "--matches", "10")
    assert told.exit_code == 130
    assert "3 matches" in told.stdout
    assert "Stopped after 3 of 10 matches." in told.stderr
