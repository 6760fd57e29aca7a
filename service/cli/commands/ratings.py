"""`kontor ratings`: shows the ladder of a game on a service, or rebuilds all ladders in a database."""

from urllib.parse import urlencode

import click

from kontor_games.domain.codec import Plain
from kontor_games.service.cli.arguments import number_option
from kontor_games.service.cli.command_groups import group
from kontor_games.service.cli.database_option import database_option, open_database
from kontor_games.service.cli.service_client import ServiceClient, url_option
from kontor_games.service.cli.terminal import console, simple_table


@group()
def ratings() -> None:
    """Show the ladder of a game, or rebuild all ladders."""


@ratings.subcommand()
@click.argument("game")
@url_option
@click.option("--programs", is_flag=True, help="Show the ladder of programs instead of people.")
@number_option("--limit", default=50, maximum=200, help_text="Maximum number of players.")
def show(*, game: str, url: str, programs: bool, limit: int) -> None:
    """Show the ladder of GAME as a table."""
    query = urlencode({"game": game, "kind": "programs" if programs else "people", "limit": limit})
    found = ServiceClient.with_own_token(url).get(f"/v1/ratings?{query}")["ratings"]
    if not found:
        click.echo("No rated match has been played yet.")
        return
    table = simple_table("rank", "player", "rating", "±", "mean", "matches", no_wrap=True)
    for one in found:
        table.add_row(*_cells(one))
    console().print(table)


def _cells(entry: Plain) -> list[str]:
    figures = [f"{entry[name]:.2f}" for name in ("conservative", "deviation", "mean")]
    return [str(entry["rank"]), entry["player"]["name"] or "(deleted)", *figures, str(entry["matches"])]


@ratings.subcommand()
@database_option
def rebuild(*, url: str | None) -> None:
    """Recompute all ratings from all matches.

    Ratings depend on the matches alone, so this repairs damaged ratings and changes no others.
    """
    with open_database(url) as kontor:
        counted = kontor.rating_projection.rebuild()
    click.echo(f"{counted} rated matches counted.")
