"""`kontor games`: the installed games and their options."""

import json
from typing import Any

import click
from rich.console import Group
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Game
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.cli.arguments import json_option
from kontor_games.service.cli.command_groups import command, finder
from kontor_games.service.cli.terminal import console, simple_table


@command()
@json_option("the games as JSON")
@click.pass_context
def games(ctx: click.Context, *, as_json: bool) -> None:
    """List the installed games: players, options, bots, data sets."""
    installed = finder(ctx)().values()
    if as_json:
        click.echo(json.dumps([_plain(game) for game in installed], indent=2, ensure_ascii=False))
        return
    screen = console()
    for game in installed:
        screen.print(_description(game))


def _plain(game: Game) -> Plain:
    rules = game.rules()
    return {
        "id": game.id,
        "titles": dict(game.titles),
        "players": list(rules.seat_counts),
        "bots": list(game.all_bots),
        "data_option": game.data_option,
        "data_sets": [data.name for data in game.data_sets],
        "options": rules.options_shape.schema()["properties"],
    }


def _description(game: Game) -> Group:
    rules = game.rules()
    about = Table.grid(padding=(0, 2))
    about.add_row(Text("players", "dim"), join_words(rules.seat_counts, "or"))
    about.add_row(Text("bots", "dim"), ", ".join(game.all_bots))
    title = Text.assemble((game.id, "bold cyan"), "  ", (game.titles["en"], "bold"))
    return Group(Text(), title, about, _options(game))


def _options(game: Game) -> Table:
    table = simple_table("--option", "values", "default", no_wrap=True)
    table.columns[1].no_wrap = False
    names = [data.name for data in game.data_sets]
    table.add_row(game.data_option, ", ".join(names) + ", or --data FILE", names[0])
    for name, schema in game.rules().options_shape.schema()["properties"].items():
        table.add_row(name, _values(schema), _default(schema["default"]))
    return table


def _values(schema: Any) -> str:
    """Describe the JSON Schema of an option in a few words."""
    if "enum" in schema:
        return ", ".join(str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_values(inner) for inner in schema["anyOf"])
    match schema.get("type"):
        case "boolean":
            return "true, false"
        case "integer":
            return f"{schema['minimum']} to {schema['maximum']}"
        case "array":
            return f"a list of: {_values(schema['items'])}"
        case kind:
            return str(kind or "any JSON")


def _default(value: Plain) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return value if isinstance(value, str) else json.dumps(value)
