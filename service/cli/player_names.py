"""Names of players in replays and verification reports. Exports contain none, so that names can be erased."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kontor_games.domain.stream import HOUSE

_ID_SHOWN = 8

names_option = click.option(
    "--names",
    metavar="NAMES",
    help="Names of the players by seat: Ada,Greta or a JSON file with a list of names"
    " or a match as the API returns it. Default: the first digits of their ids.",
)


player_names_option = click.option(
    "--names",
    metavar="NAMES",
    help="Names of the players of a tournament: Ada,Greta in the order of entry, or a JSON file with a list,"
    " an object of names by player id, or the standings as the API returns them.",
)


def name_of_seat(seat: int, player: str | None, house: str | None) -> str:
    """Return a substitute for an unknown name: the house bot, a short player id, or the seat number."""
    if house is not None:
        return f"{house}-{seat}"
    return f"seat {seat}" if player is None else player[:_ID_SHOWN]


def read_names(given: str, seats: int) -> list[str]:
    """Return the names of all seats from the value of `--names`: names separated by commas, or a file."""
    names = _names_in(Path(given)) if Path(given).is_file() else [name.strip() for name in given.split(",")]
    if len(names) != seats or not all(names):
        raise click.UsageError(
            f"--names must give {seats} names, one for each seat; it gives {len([*filter(None, names)])}."
        )
    return names


def read_player_names(given: str, players: Sequence[str]) -> dict[str, str]:
    """Return names by player id from the value of `--names`; `players` are in the order of entry."""
    if not Path(given).is_file():
        names = [name.strip() for name in given.split(",")]
        if len(names) != len(players):
            raise click.UsageError(f"--names must give {len(players)} names, in the order of entry.")
        return dict(zip(players, names, strict=True))
    try:
        content = json.loads(Path(given).read_bytes())
        if isinstance(content, list):
            return dict(zip(players, map(str, content), strict=True))
        if "lines" in content:
            found = [line["player"] for line in content["lines"]]
            return {one["id"]: str(one["name"]) for one in found if one["name"]}
        return {str(player): str(name) for player, name in content.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{given} contains neither the names of all entrants nor standings as the API returns them."
        ) from error


def _names_in(file: Path) -> list[str]:
    """Read a list of names, or the names in a match as the API returns it."""
    try:
        content = json.loads(file.read_bytes())
        if isinstance(content, dict):
            return [_name_in(seat, taken["player"]) for seat, taken in enumerate(content["seats"])]
        return [name.strip() for name in content]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{file} contains neither a list of names nor a match as the API returns it."
        ) from error


def _name_in(seat: int, player: Any) -> str:
    """Return the name of a player as in the API; a substitute for house bots and erased names."""
    if player is None:
        return name_of_seat(seat, None, None)
    house = player["name"] if player["id"] == HOUSE else None
    return name_of_seat(seat, player["id"], house) if house or not player["name"] else str(player["name"])
