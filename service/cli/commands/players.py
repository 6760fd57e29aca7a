"""`kontor players`: lists the players of a service."""

from urllib.parse import urlencode

import click

from kontor_games.service.cli.arguments import number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.service_client import ServiceClient, url_option
from kontor_games.service.cli.terminal import console, simple_table


@command()
@click.argument("name", required=False)
@url_option
@click.option("--online", is_flag=True, help="List only players who are online now.")
@number_option("--limit", default=50, maximum=200, help_text="Maximum number of players.")
def players(*, name: str | None, url: str, online: bool, limit: int) -> None:
    """List players of a service, or those who are online now.

    NAME is the beginning of a name; without it, all players are listed.
    """
    query: dict[str, str | int] = {"limit": limit, "online": str(online).lower()}
    if name:
        query["q"] = name
    found = ServiceClient.with_own_token(url).get(f"/v1/players?{urlencode(query)}")["players"]
    if not found:
        click.echo("No player was found.")
        return
    table = simple_table("player", "kind", "online", "since", "id", no_wrap=True)
    for one in found:
        kind, is_online = "program" if one["bot"] else "person", "yes" if one["online"] else ""
        table.add_row(one["name"], kind, is_online, one["created_at"][:10], one["id"])
    console().print(table)
