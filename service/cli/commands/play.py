"""`kontor play`: play against house bots at the terminal."""

from typing import Any

import click

from kontor_games.domain.game import Game
from kontor_games.service.cli.arguments import (
    WholeNumber,
    fresh_seed,
    game_argument,
    language_option,
    number_option,
)
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.play_session import PlayerLeftError, PlaySession
from kontor_games.service.cli.play_table import LocalTable, RemoteTable, Table
from kontor_games.service.cli.service_client import ServiceClient, UnreachableError, url_option
from kontor_games.service.cli.terminal import console


@command()
@game_argument
@url_option
@click.option("--local", is_flag=True, help="Play in this process, without a service; nothing is saved.")
@click.option(
    "--players",
    type=WholeNumber(min=2),
    metavar="N",
    help="Number of seats. Default: the minimum.",
)
@click.option(
    "--bot",
    metavar="NAME",
    help="House bot on the other seats. Default: the last in `kontor games`.",
)
@number_option("--minutes", maximum=1440, help_text="Your time for the whole match.")
@click.option("--name", default="Guest", show_default=True, help="Your name, if you have no token.")
@click.option("--match", "match_id", metavar="ID", help="Continue this match; needs KONTOR_TOKEN.")
@click.option("--token", envvar="KONTOR_TOKEN", metavar="TOKEN", help="Your token; KONTOR_TOKEN is safer.")
@click.option("--seed", metavar="TEXT", help="With --local: the seed of the deal. Default: a random seed.")
@click.option("--yes", is_flag=True, help="Make moves without asking for confirmation.")
@language_option
def play(*, game: Game, yes: bool, **given: Any) -> None:
    """Play against house bots at the terminal.

    The match is played on a service, where others can watch it, or with --local in this process. All moves
    that you can make are listed with numbers; type ? for help.
    """
    table = _table(game, **given)
    try:
        PlaySession(console(), table, confirm=not yes).run()
    except (PlayerLeftError, KeyboardInterrupt):
        click.echo(f"\nYou left the match. {table.message_on_leaving()}", err=True)
        raise SystemExit(130) from None


def _table(
    game: Game,
    *,
    local: bool,
    players: int | None,
    bot: str | None,
    seed: str | None,
    language: str,
    **given: Any,
) -> Table:
    counts = game.rules().seat_counts
    seats = min(counts) if players is None else players
    if seats not in counts:
        raise click.UsageError(f"{game.id} is for {', '.join(map(str, counts))} players.")
    chosen = bot or list(game.bots)[-1]
    if chosen not in game.all_bots:
        raise click.UsageError(f"{game.id} has no bot {chosen!r}; there are {', '.join(game.all_bots)}.")
    if local:
        return LocalTable(
            game, (given["name"], *[chosen] * (seats - 1)), chosen, seed or fresh_seed(), language
        )
    try:
        return _remote(game, [{"type": "bot", "bot": chosen}] * (seats - 1), language, **given)
    except UnreachableError as error:
        advice = f"To play without one: kontor play {game.id} --local."
        raise click.ClickException(f"{error.message} {advice}") from error


def _remote(
    game: Game,
    others: list[dict[str, str]],
    language: str,
    *,
    url: str,
    token: str | None,
    name: str,
    match_id: str | None,
    minutes: int | None,
) -> RemoteTable:
    client = ServiceClient(url, token, language)
    if not token:
        if match_id is not None:
            raise click.UsageError("--match needs your token, in KONTOR_TOKEN.")
        client.token = client.post("/v1/players", {"name": name})["token"]
    if match_id is None:
        clock = {"clock": {"kind": "bank", "ms": minutes * 60_000}} if minutes else {}
        body = {"game": game.id, "seats": [{"type": "me"}, *others], **clock}
        match_id = client.post("/v1/matches", body)["id"]
    table = RemoteTable(client, match_id)
    click.echo(f"Others can watch: kontor watch {table.watch_url}", err=True)
    return table
