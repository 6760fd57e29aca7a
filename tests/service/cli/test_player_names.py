"""Names of players for replays and reports, from the command line or from files."""

import json
from pathlib import Path
from typing import Any

import click
import pytest

from kontor_games.service.cli.play_table import read_player_names

PLAYERS = ("p1", "p2")


@pytest.mark.parametrize(
    "content",
    [
        ["Ada", "Ben"],
        {"p1": "Ada", "p2": "Ben"},
        {
            "lines": [
                {"player": {"id": "p2", "name": "Ben"}},
                {"player": {"id": "p1", "name": "Ada"}},
                {"player": {"id": "erased", "name": None}},
            ]
        },
    ],
    ids=["a list", "an object", "standings"],
)
def test_names_of_entrants_are_read_from_a_file(tmp_path: Path, content: Any) -> None:
    file = tmp_path / "names.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert read_player_names(str(file), PLAYERS) == {"p1": "Ada", "p2": "Ben"}


def test_names_of_entrants_are_read_from_the_command_line() -> None:
    assert read_player_names("Ada, Ben", PLAYERS) == {"p1": "Ada", "p2": "Ben"}
    with pytest.raises(click.UsageError, match="must give 2 names"):
        read_player_names("Ada", PLAYERS)


@pytest.mark.parametrize("content", ["[]", "7", "{", '{"lines": [{}]}'])
def test_a_file_without_the_names_of_all_entrants_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "names.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(click.UsageError, match="contains neither the names of all entrants nor standings"):
        read_player_names(str(file), PLAYERS)
