import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from kontor_games.__main__ import main as program
from kontor_games.service.cli import main
from kontor_games.service.cli.command_groups import CATALOGUE, SectionedGroup
from tests.service.cli.conftest import Kontor
from tests.service.fair import fairground

COMMANDS = main.list_commands(click.Context(main))


def test_the_help_names_every_command_with_a_sentence(kontor: Kontor) -> None:
    result = kontor("--help").stdout
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z].+\.$", result, re.MULTILINE), name


def test_the_list_of_commands_has_the_summary_of_each_command() -> None:
    context = click.Context(main)
    for summaries in main.sections.values():
        for name, summary in summaries.items():
            command = main.get_command(context, name)
            assert command is not None
            assert summary == command.get_short_help_str(limit=80)


def test_commands_are_loaded_only_when_used() -> None:
    read = (
        "import sys, kontor_games.service.cli; "
        "print([name for name in sys.modules if name.startswith('kontor_games.service.cli.commands')])"
    )
    result = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(kontor: Kontor, command: str) -> None:
    result = kontor(command, "--help")
    assert result.exit_code == 0
    assert f"kontor {command}" in result.stdout.partition("Examples:")[2]


def names_of(command: click.Command, *path: str) -> Iterator[str]:
    yield " ".join(path) or "kontor"
    if isinstance(command, click.Group):
        for name in command.list_commands(context := click.Context(command)):
            if found := command.get_command(context, name):
                yield from names_of(found, *path, name)


def test_the_catalogue_has_examples_of_every_command_and_subcommand_and_of_no_other() -> None:
    assert sorted(names_of(main)) == sorted(CATALOGUE["examples"])
    for name, examples in CATALOGUE["examples"].items():
        assert examples
        assert all("kontor " in line for _, line in examples), name


def test_examples_name_a_game_that_is_installed(kontor: Kontor) -> None:
    assert "kontor watch fair --seed 7" in kontor("--help").stdout


def test_the_version_is_printed(kontor: Kontor) -> None:
    assert kontor("--version").stdout.startswith("kontor ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "fair", "--matches", "many"), "'many' is not a valid whole number."),
        (("watch", "fair", "--delay", "soon"), "'soon' is not a valid number."),
        (("duel", "fair", "a", "b", "--worse", "half"), "'half' is not a valid number."),
        (("play", "fair", "--players", "some"), "'some' is not a valid whole number."),
        (("tournament", "withdraw", "ID", "Ada", "--why", "left"), "'Ada' is not a valid whole number."),
    ],
)
def test_a_word_in_place_of_a_number_is_refused_in_plain_words(
    kontor: Kontor, arguments: tuple[str, ...], message: str
) -> None:
    refused = kontor(*arguments)
    assert refused.exit_code == 2
    assert message in refused.stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "report.html"
    commands = SectionedGroup(name="kontor", sections={"": {"write": ""}})
    commands.add_command(click.Command("write", callback=lambda: file.write_text("")))
    refused = CliRunner().invoke(commands, ["write"])
    assert (refused.exit_code, refused.stderr) == (1, f"Error: {file}: No such file or directory.\n")


@pytest.mark.parametrize(("typed", "meant"), [("simulat", "simulate"), ("serv", "serve")])
def test_an_error_about_an_unknown_command_suggests_a_similar_one(
    kontor: Kontor, typed: str, meant: str
) -> None:
    result = kontor(typed)
    assert (result.exit_code, f"Did you mean '{meant}'?" in result.stderr) == (2, True)


@pytest.mark.parametrize("command", [("simulate",), ("watch",), ("rules",), ("board", "--svg", "x.svg")])
def test_a_missing_game_argument_is_a_usage_error(kontor: Kontor, command: tuple[str, ...]) -> None:
    result = kontor(*command)
    assert (result.exit_code, "Missing argument 'GAME" in result.stderr) == (2, True)


def test_by_default_the_installed_games_are_used() -> None:
    result = CliRunner().invoke(main, ["rules", "fair"])
    assert "There is no game 'fair'" in result.stderr


def test_the_tabulator_key_completes_a_game() -> None:
    offered = ShellComplete(main, {"obj": fairground}, "kontor", "_KONTOR_COMPLETE").get_completions(
        ["watch"], "fa"
    )
    assert [item.value for item in offered] == ["fair"]


def test_it_runs_as_a_module() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "kontor_games", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.startswith("kontor ")


def test_ctrl_c_while_the_commands_are_loaded_ends_without_output() -> None:
    program = """
import sys
from kontor_games.__main__ import main

class Interrupted:
    def find_spec(self, name, path, target=None):
        if name == "kontor_games.service.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
main()
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_characters_that_the_terminal_cannot_encode_are_replaced() -> None:
    watched = (
        "from kontor_games.service.cli import main; from tests.service.fair import fairground; "
        "main(['watch', 'fair'], obj=fairground)"
    )
    poor = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [sys.executable, "-c", watched], capture_output=True, text=True, check=True, env=poor
    )
    assert "? Anna greedy   ? Bruno greedy" in result.stdout


def test_the_program_runs_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["kontor", "games"])
    with pytest.raises(SystemExit) as ended:
        program()
    assert ended.value.code == 0
    assert "speicherstadt" in capsys.readouterr().out
