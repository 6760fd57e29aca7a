import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_games.service.arena import Contest, Outcome, outcomes
from kontor_games.service.cli.commands import simulate
from tests.service.cli.conftest import Kontor
from tests.support.serving import children_of
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

OWN = json.dumps({"values": [7] * 20})


def test_the_tables_name_bots_seats_and_scores(kontor: Kontor) -> None:
    result = kontor("simulate", "fair", "--bots", "greedy,random", "--matches", "40", "--seed", "7")
    assert result.exit_code == 0
    for words in (
        "The Fair · cards plain · 2 players",
        "40 matches, seed 7",
        "greedy",
        "seat 1",
        "95% interval",
        "coins",
        "3 rounds",
    ):
        assert words in result.stdout


def test_the_report_says_how_to_watch_one_of_the_matches(kontor: Kontor) -> None:
    arguments = ("--bots", "greedy,random", "--option", "coins=7")
    *_, message, line = kontor(
        "simulate", "fair", *arguments, "--matches", "3", "--seed", "my seed"
    ).stdout.splitlines()
    assert "has the seed my seed/n" in message
    assert shlex.split(line) == ["kontor", "watch", "fair", *arguments, "--seed", "my seed/0"]
    assert kontor(*shlex.split(line)[1:]).exit_code == 0


def test_the_order_of_play_is_omitted_if_the_same_seat_always_begins(kontor: Kontor) -> None:
    assert "by order of play" not in kontor("simulate", "fair", "--matches", "8").stdout


def test_there_is_no_progress_bar_if_stderr_is_not_a_terminal(kontor: Kontor) -> None:
    assert kontor("simulate", "fair", "--matches", "5").stderr == ""


def test_equal_bots_are_counted_by_seat_only(kontor: Kontor) -> None:
    result = kontor("simulate", "fair", "--bots", "greedy,greedy", "--matches", "4").stdout
    assert "by bot" not in result
    assert "by seat" in result


def test_only_json_is_written_to_stdout(kontor: Kontor) -> None:
    result = json.loads(
        kontor(
            "simulate", "fair", "--bots", "greedy,random", "--matches", "40", "--seed", "7", "--json"
        ).stdout
    )
    assert {name: result[name] for name in ("game", "bots", "seed", "matches")} == {
        "game": "fair",
        "bots": ["greedy", "random"],
        "seed": "7",
        "matches": 40,
    }
    assert result["options"] == {"rounds": 3, "coins": 5, "mood": "loud", "lone": False, "music": []}
    assert result["ruleset"]["data_set"] == "plain"
    greedy, anyone = result["by_bot"]
    assert greedy["low"] < greedy["share"] < greedy["high"]
    assert greedy["wins"] + anyone["wins"] == 40
    assert sum(greedy["places"]) == 40
    assert result["lengths"]["rounds"] == {"mean": 3.0, "median": 3.0, "least": 3, "most": 3}


def test_the_figures_do_not_depend_on_the_number_of_processes(kontor: Kontor) -> None:
    arguments = (
        "simulate",
        "fair",
        "--bots",
        "greedy,random,random",
        "--matches",
        "30",
        "--seed",
        "7",
        "--json",
    )
    assert kontor(*arguments, "--jobs", "2").stdout == kontor(*arguments).stdout


def test_a_random_seed_is_printed(kontor: Kontor) -> None:
    result = json.loads(kontor("simulate", "fair", "--matches", "3", "--json").stdout)
    again = kontor("simulate", "fair", "--matches", "3", "--json", "--seed", result["seed"])
    assert json.loads(again.stdout) == result


def test_the_last_named_bot_takes_the_remaining_seats(kontor: Kontor) -> None:
    result = json.loads(
        kontor(
            "simulate", "fair", "--bots", "greedy,random", "--players", "4", "--matches", "2", "--json"
        ).stdout
    )
    assert result["bots"] == ["greedy", "random", "random", "random"]


def test_by_default_the_last_bot_plays_against_the_first(kontor: Kontor) -> None:
    assert json.loads(kontor("simulate", "fair", "--matches", "2", "--json").stdout)["bots"] == [
        "greedy",
        "random",
        "random",
        "random",
    ]


def test_options_are_read_as_the_game_wants_them(kontor: Kontor) -> None:
    wanted = ("coins=12", "rounds=2", "lone=true", "mood=calm", "music=flute,drum")
    result = kontor(
        "simulate",
        "fair",
        "--players",
        "2",
        "--json",
        *(word for pair in wanted for word in ("--option", pair)),
    )
    assert json.loads(result.stdout)["options"] == {
        "rounds": 2,
        "coins": 12,
        "mood": "calm",
        "lone": True,
        "music": ["flute", "drum"],
    }


def test_a_data_set_is_chosen_like_an_option(kontor: Kontor) -> None:
    result = json.loads(
        kontor("simulate", "fair", "--option", "cards=steep", "--matches", "2", "--json").stdout
    )
    assert result["ruleset"]["data_set"] == "steep"


def test_an_own_data_set_can_be_used(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "huge.json").write_text(OWN)
    result = json.loads(
        kontor("simulate", "fair", "--data", str(tmp_path / "huge.json"), "--matches", "2", "--json").stdout
    )
    assert result["ruleset"]["data_set"] == "huge"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("faire",), "There is no game 'faire'. Did you mean 'fair'? Installed: fair."),
        (
            ("fair", "--bots", "gredy,random"),
            "fair has no bot 'gredy'. Did you mean 'greedy'? It has: "
            "random, cheat, sleepy, quiet, trader and greedy.",
        ),
        (
            ("fair", "--bots", "greedy"),
            "fair is for 2, 3 or 4 players, not 1. Name one bot for each seat, or add --players 4",
        ),
        (("fair", "--players", "7"), "fair is for 2, 3 or 4 players, not 7."),
        (("fair", "--players", "2", "--bots", "random,random,random"), "--bots names 3 bots for 2 players"),
        (
            ("fair", "--option", "coyns=7"),
            "fair has no option 'coyns'. Did you mean 'coins'? It has: "
            "cards, rounds, coins, mood, lone and music.",
        ),
        (("fair", "--option", "coins=33"), "Option coins must be between 0 and 20."),
        (("fair", "--option", "mood=sad"), 'Option mood must be one of "calm", "loud".'),
        (("fair", "--option", "mood"), "'mood' is not of the form KEY=VALUE."),
        (
            ("fair", "--option", "cards=plan"),
            "fair has no cards named 'plan', and there is no such file. Did you mean 'plain'?",
        ),
        (
            ("fair", "--option", "lone=true"),
            "fair cannot be played like this: The lone fair is for two. (T-9)",
        ),
        (("fair", "--data", "nowhere.json"), "File 'nowhere.json' does not exist."),
        (("fair", "--matches", "0"), "Invalid value for '--matches'"),
    ],
)
def test_errors_name_the_valid_values(kontor: Kontor, args: tuple[str, ...], message: str) -> None:
    result = kontor("simulate", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not valid JSON: "),
        (
            '{"values": [7], "colour": 1}',
            "cannot be used as the cards of fair:\n  • /colour: is not a known field\n"
            "  • /values: must have between 20 and 999 items",
        ),
    ],
)
def test_each_fault_of_an_own_data_set_is_listed(
    kontor: Kontor, tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / "mine.json").write_text(content)
    result = kontor("simulate", "fair", "--data", str(tmp_path / "mine.json"))
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_two_data_sets_together_are_refused(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(OWN)
    result = kontor("simulate", "fair", "--data", str(tmp_path / "mine.json"), "--option", "cards=steep")
    assert (result.exit_code, "Use either --data or --option cards=…, not both." in result.stderr) == (
        2,
        True,
    )


def test_a_bot_at_fault_is_named_without_a_traceback(kontor: Kontor) -> None:
    result = kontor("simulate", "fair", "--bots", "cheat,cheat", "--seed", "7")
    assert result.exit_code == 1
    assert "A bot of fair failed: match 0 of seed 7: seat" in result.stderr


def test_ctrl_c_shows_the_matches_played_so_far(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(contest: Contest, matches: int, jobs: int, first: int) -> Iterator[Outcome]:
        yield from outcomes(contest, 3, jobs)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "outcomes", interrupted)
    result = kontor("simulate", "fair", "--matches", "10")
    assert result.exit_code == 130
    assert "3 matches" in result.stdout
    assert "Stopped after 3 of 10 matches." in result.stderr


def test_a_run_resumes_from_its_journal_with_the_same_report(kontor: Kontor, tmp_path: Path) -> None:
    arguments = ("simulate", "fair", "--seed", "7", "--json", "--matches")
    journal = ("--journal", str(tmp_path / "run.ndjson"))
    kontor(*arguments, "4", *journal)
    resumed = kontor(*arguments, "9", *journal)
    assert resumed.exit_code == 0
    assert json.loads(resumed.stdout) == json.loads(kontor(*arguments, "9").stdout)
    assert len((tmp_path / "run.ndjson").read_text().splitlines()) == 10


def test_a_journal_needs_the_seed_of_the_run_before(kontor: Kontor, tmp_path: Path) -> None:
    journal = ("--journal", str(tmp_path / "run.ndjson"))
    kontor("simulate", "fair", "--seed", "7", "--matches", "2", *journal)
    without = kontor("simulate", "fair", "--matches", "4", *journal)
    assert (without.exit_code, "use the --seed of the previous run" in without.stderr) == (2, True)
    other = kontor("simulate", "fair", "--seed", "8", "--matches", "4", *journal)
    assert other.exit_code == 1
    assert 'is not the journal of these matches: its seed is "7".' in other.stderr


def test_a_cluster_without_workers_that_prove_their_code_is_refused_in_one_sentence(kontor: Kontor) -> None:
    result = kontor("simulate", "fair", "--bots", "mine=exec:cat,random", "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 1
    assert "can't play on a cluster" in result.stderr


def test_faults_of_own_bots_are_reported_with_the_first_one(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "class Bot:\n    def choose(self, seat, view, moves):\n        return 1 / 0\n"
    )
    bots = ("--bots", f"mine={tmp_path}/bot.py:Bot,random", "--seed", "7")
    result = kontor("simulate", "fair", *bots, "--matches", "2")
    assert "replaced by random ones: mine " in " ".join(result.stdout.split())
    first = "The first: mine at seat 0: ZeroDivisionError: division by zero (bot.py, line 3)"
    assert f" crashed. {first}" in " ".join(result.stdout.split())
    watched = kontor("watch", "fair", *bots)
    assert first in watched.stderr
    assert "● mine " in watched.stdout


@pytest.mark.parametrize("named", ["watch", "simulate", "duel"])
def test_own_bots_need_no_name(kontor: Kontor, tmp_path: Path, named: str) -> None:
    (tmp_path / "bot.py").write_text(
        "class Last:\n    def choose(self, seat, view, moves):\n        return moves[-1]\n"
    )
    bot = f"{tmp_path}/bot.py:Last"
    chosen = {
        "watch": ("--bots", f"{bot},random"),
        "simulate": ("--bots", f"{bot},random", "--matches", "2"),
        "duel": (bot, "random", "--most", "1"),
    }
    result = kontor(named, "fair", "--seed", "7", *chosen[named])
    assert result.exit_code == (3 if named == "duel" else 0), result.output
    assert "Last" in result.stdout
    assert "replaced by random ones" not in result.output


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ("=bot.py:Bot,random", "Give your bot a name before the equals sign: mine=bot.py:Bot"),
        ("random=bot.py:Bot,random", "'random' is a house bot. Give your own bot another name"),
        ("mine=bot.py:Bot,mine=bot.py:Other", "Two different bots are named 'mine'."),
        ("bot.py:random,random", "'random' is a house bot. Give your own bot another name, before an equals"),
        ("bot,random", "Name your own as bot.py:Class, exec:COMMAND or http://HOST:PORT."),
    ],
)
def test_ambiguous_names_of_own_bots_are_refused(kontor: Kontor, bots: str, message: str) -> None:
    result = kontor("simulate", "fair", "--bots", bots)
    assert result.exit_code == 2
    assert message in result.stderr


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def restore_sigint() -> None:
    """Reset SIGINT to its default: background jobs of a shell ignore it, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_ctrl_c_while_the_processes_start_ends_them_all_without_a_traceback(workers: int) -> None:
    command = [
        sys.executable,
        "-m",
        "kontor_games",
        "simulate",
        "speicherstadt",
        "--jobs",
        "4",
        "--matches",
        "100000",
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=restore_sigint,
    )
    while (
        process.poll() is None and len(children_of(process.pid)) <= workers
    ):  # one further child is the resource tracker
        time.sleep(0.002)
    children = children_of(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.fullmatch(r"Stopped after \d+ of 100000 matches\.\n", errors)
    wait_until(lambda: not any(map(is_running, children)))
