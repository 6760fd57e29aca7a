"""`kontor tournament`: organises tournaments on a service."""

import sys
import tomllib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.live import Live
from rich.table import Table

from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments.export import read_file
from kontor_games.service.cli.arguments import FILE, file_option, language_option, number_option
from kontor_games.service.cli.command_groups import Run, group
from kontor_games.service.cli.service_client import ServiceClient, url_option
from kontor_games.service.cli.terminal import console, explained, simple_table
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.tournaments.report_figures import report_figures
from kontor_games.service.tournaments.report_page import report_page
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError

_ALL_PLAYED = ("provisional", "final", "cancelled")
"""The states of a tournament in which all matches are over."""


@group(
    ("announce a tournament", "kontor tournament announce cup.toml"),
    ("follow it", "kontor tournament watch ID"),
    ("find a match", "kontor tournament tables ID"),
    (
        "decide a match that could not be played",
        'kontor tournament rule ID MATCH 1,2,2,4 --why "power cut"',
    ),
    ("write a report", "kontor tournament report cup.ndjson report.html"),
    (
        "export the tournament and verify the file",
        "kontor tournament export ID cup.ndjson && kontor verify cup.ndjson",
    ),
)
def tournament() -> None:
    """Announce, run, sign off and export tournaments.

    The token of the organiser is taken from the environment variable KONTOR_TOKEN; commands that only
    read need no token. A tournament is announced from a TOML file with the fields of
    `POST /v1/tournaments`; `title` and `game` are enough.
    """


def _command(name: str, *, example: tuple[str, str]) -> Callable[[Run], click.Command]:
    """Make a subcommand with the option --url; the function gets the client as its first argument."""

    def decorate(run: Run) -> click.Command:
        @url_option
        @wraps(run)
        def with_client(*, url: str, **arguments: Any) -> None:
            run(ServiceClient.with_own_token(url), **arguments)

        return tournament.subcommand(example, name=name)(with_client)

    return decorate


def _id_command(name: str, *, example: tuple[str, str]) -> Callable[[Run], click.Command]:
    """Make a subcommand that also has the argument ID."""
    with_id = click.argument("tournament_id", metavar="ID")
    return lambda run: _command(name, example=example)(with_id(run))


def _path(tournament_id: str, action: str = "") -> str:
    return f"/v1/tournaments/{tournament_id}{action}"


@_command("announce", example=("announce a tournament", "kontor tournament announce cup.toml"))
@click.argument("file", type=FILE, metavar="FILE.toml")
@click.option("--open", "opens", is_flag=True, help="Open it for entries at once.")
def announce(client: ServiceClient, file: Path, *, opens: bool) -> None:
    """Announce a tournament from a TOML file."""
    with explained(f"{file} is not TOML", tomllib.TOMLDecodeError, UnicodeDecodeError):
        terms = tomllib.loads(file.read_text(encoding="utf-8"))
    made = client.post_signed_in("/v1/tournaments", terms)
    click.echo(f"Announced {made['title']}: {made['id']}")
    if opens:
        client.post_signed_in(_path(made["id"], "/opening"), None)
        click.echo("It is open for entries.")


@_command("list", example=("list all tournaments", "kontor tournament list"))
def list_all(client: ServiceClient) -> None:
    """List tournaments, newest first."""
    table = simple_table("id", "title", "game", "format", "status", "entrants", "round")
    for one in client.get("/v1/tournaments")["tournaments"]:
        round_ = f"{one['round']} of {one['rounds']}"
        table.add_row(
            one["id"], one["title"], one["game"], one["format"], one["status"], str(one["entrants"]), round_
        )
    console().print(table)


@_id_command("standings", example=("show the standings", "kontor tournament standings ID"))
def standings(client: ServiceClient, tournament_id: str) -> None:
    """Show the standings."""
    console().print(_standings(client, tournament_id, client.get(_path(tournament_id))))


@_id_command("tables", example=("show the tables of the last round", "kontor tournament tables ID"))
@number_option("--round", "number", help_text="The round. Default: the last one paired.")
def tables(client: ServiceClient, tournament_id: str, number: int | None) -> None:
    """Show the tables of a round.

    Prints the ID of each match, its players by seat, and their places.
    """
    number = number or client.get(_path(tournament_id))["round"]
    if not number:
        raise click.ClickException("No round has been paired yet. Start the tournament first.")
    console().print(_tables(client.get(_path(tournament_id, f"/rounds/{number}"))))


@_id_command("watch", example=("follow a tournament", "kontor tournament watch ID"))
def watch(client: ServiceClient, tournament_id: str) -> None:
    """Show the live standings of a tournament until all matches are played."""
    with Live(console=console(), auto_refresh=False, transient=False) as live:
        now = client.get(_path(tournament_id))
        live.update(_standings(client, tournament_id, now), refresh=True)
        while now["status"] not in _ALL_PLAYED:
            for event in client.lines(_path(tournament_id, f"/events?after={now['version']}")):
                if event["version"] > now["version"]:
                    now = client.get(_path(tournament_id))
                    live.update(_standings(client, tournament_id, now), refresh=True)
                if now["status"] in _ALL_PLAYED:
                    break
    if now["status"] == "provisional":
        click.echo(
            f"All matches are played. To make the standings final: kontor tournament sign {tournament_id}"
        )


@_id_command("open", example=("open it for entries", "kontor tournament open ID"))
def open_entry(client: ServiceClient, tournament_id: str) -> None:
    """Open a tournament for entries."""
    _send(client, tournament_id, "/opening")


@_id_command("start", example=("start it", "kontor tournament start ID"))
def start(client: ServiceClient, tournament_id: str) -> None:
    """Start a tournament and pair the first round.

    The seed is fixed from then on.
    """
    _send(client, tournament_id, "/start")


@_id_command("pair", example=("pair the next round", "kontor tournament pair ID"))
@file_option(
    "--tables",
    help_text="Your own tables, one per line: numbers of entrants in seat order, separated by commas.",
)
def pair(client: ServiceClient, tournament_id: str, tables: Path | None) -> None:
    """Pair the next round, or use your own tables."""
    lines = [] if tables is None else tables.read_text(encoding="utf-8").split()
    own = [_numbers(line) for line in lines] or None
    _send(client, tournament_id, "/rounds", {"tables": own})


@_id_command("rule", example=("decide a match", 'kontor tournament rule ID MATCH 1,2,2,4 --why "agreed"'))
@click.argument("match")
@click.argument("places", metavar="PLACES")
@click.option("--why", required=True, help="The reason, which is public.")
def rule(client: ServiceClient, tournament_id: str, match: str, places: str, why: str) -> None:
    """Decide the result of a match: PLACES by seat, such as 1,2,2,4.

    If the standings are already final, this is a correction.
    """
    final = client.get(_path(tournament_id))["status"] == "final"
    what = "/corrections" if final else "/rulings"
    _send(client, tournament_id, what, {"match": match, "places": _numbers(places), "why": why})


@_id_command("replay", example=("play a match again", 'kontor tournament replay ID MATCH --why "power cut"'))
@click.argument("match")
@click.option("--why", required=True, help="The reason, which is public.")
def replay(client: ServiceClient, tournament_id: str, match: str, why: str) -> None:
    """Discard a match and have it played again."""
    _send(client, tournament_id, "/replays", {"match": match, "why": why})


@_id_command("sign", example=("sign off the standings", "kontor tournament sign ID"))
@click.option(
    "--despite-protests",
    is_flag=True,
    help="Confirm that you have examined all protests and that the standings stay as they are.",
)
def sign(client: ServiceClient, tournament_id: str, *, despite_protests: bool) -> None:
    """Sign off the standings as final."""
    _send(client, tournament_id, "/sign-off", {"despite_protests": despite_protests})


@_id_command("cancel", example=("cancel it", 'kontor tournament cancel ID --why "rain"'))
@click.option("--why", required=True, help="The reason, which is public.")
def cancel(client: ServiceClient, tournament_id: str, why: str) -> None:
    """Cancel a tournament."""
    _send(client, tournament_id, "/cancellation", {"why": why})


@_id_command("export", example=("write the export to a file", "kontor tournament export ID cup.ndjson"))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(client: ServiceClient, tournament_id: str, file: Path) -> None:
    """Write the export of a tournament to FILE.

    `kontor verify FILE` checks it.
    """
    content = client.download(_path(tournament_id, "/export"))
    file.write_bytes(content)
    click.echo(f"{file}: {len(content):,} bytes. Check it with: kontor verify {file}")


@_command(
    "report",
    example=("write a report to print or to send", "kontor tournament report cup.ndjson report.html"),
)
@click.argument("source", metavar="FILE|ID")
@click.argument("page", type=click.Path(dir_okay=False, path_type=Path), metavar="REPORT.html")
@language_option
def report(client: ServiceClient, source: str, page: Path, language: str) -> None:
    """Write an HTML report on a tournament, in the language that --language names.

    The report contains standings with intervals, a crosstable, ratings, the time used, no-shows and
    rulings, and statistics of seats, dice and deals. It is made from an export FILE, which is also
    verified, or from the service by ID, with the names of the players and the moves that were refused.
    """
    file = Path(source)
    content = file.read_bytes() if file.is_file() else client.download(_path(source, "/export"))
    names, refused = {}, None
    if not file.is_file():
        refusals = client.get(_path(source, "/refusals"))["entrants"]
        names = {one["player"]["id"]: one["player"]["name"] or "" for one in refusals}
        refused = {one["entrant"]: one["kinds"] for one in refusals}
    with explained(f"{source} is not the export of a tournament", BrokenFileError, MalformedError):
        figures = report_figures(content, names)
    figures.refused = refused
    say = texts_in(language)
    made = say("report.made", source=file.name if file.is_file() else client.url)
    page.write_text(report_page(figures, _verification(content, say), made, language), encoding="utf-8")
    click.echo(f"{page}: {page.stat().st_size:,} bytes.")


def _verification(content: bytes, say: Texts) -> tuple[bool | None, str]:
    """Return whether an export is valid, None if its tournament is not over, and a sentence about it."""
    if not read_file(content).header.get("complete"):
        return None, say("report.not_over")
    try:
        verdict = verify_tournament(content)
    except BrokenFileError as error:
        return False, say("report.invalid", line=error.line, detail=error.detail)
    counts = {"facts": verdict.facts, "rounds": verdict.rounds, "matches": verdict.matches}
    return True, say("report.verified", **{name: say.number(count) for name, count in counts.items()})


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{text} is not a list of numbers such as 1,2,2,4.") from None


def _send(client: ServiceClient, tournament_id: str, action: str, body: Plain = None) -> None:
    """Send a command to a tournament, and print the resulting facts."""
    answer = client.post_signed_in(_path(tournament_id, action), body)
    facts = ", ".join(fact["type"].replace("_", " ") for fact in answer["facts"])
    click.echo(f"{answer['title']} is {answer['status']}: {facts}.")
    if sys.stdout.isatty():
        click.echo(f"Receipt: version {answer['receipt']['version']}, head {answer['receipt']['head'][:16]}…")


def _standings(client: ServiceClient, tournament_id: str, now: Plain) -> Table:
    found = client.get(_path(tournament_id, "/standings"))
    table = simple_table("place", "player", "points", "per match (95%)", "played", "wins", "strength", "")
    rounds = f"round {now['round']} of {now['rounds']}"
    table.title = f"{now['title']}: {now['status']}, {rounds}, {now['unfinished']} matches running"
    for line in found["lines"]:
        spread = "" if line["low"] is None else f"{line['low']:.2f} – {line['high']:.2f}"
        strength = "" if line["strength"] is None else f"{line['strength']:+.2f}"
        apart = "" if line["strength"] is None or line["separated"] else "not separated from the next"
        name = line["player"]["name"] or line["player"]["id"][:8]
        table.add_row(
            str(line["place"]), name, f"{line['points']:g}", spread, str(line["played"]), f"{line['wins']:g}",
            strength, apart,
        )  # fmt: skip
    if all(line["low"] is None for line in found["lines"]):
        table.caption = (
            "No intervals or strengths: they need five tables per entrant, and at most 200 entrants."
        )
    return table


def _tables(paired: Plain) -> Table:
    table = simple_table("table", "match", "status", "players by seat (places)")
    table.columns[1].min_width = 36  # a complete id, even in a narrow terminal, so that it can be copied
    counts = count_phrase(len(paired["tables"]), "table"), count_phrase(len(paired["byes"]), "bye")
    table.title = f"Round {paired['round']}: {', '.join(counts)}"
    for one in paired["tables"]:
        names = {
            entrant: player["name"] or player["id"][:8]
            for entrant, player in zip(one["entrants"], one["players"], strict=True)
        }
        for match in one["matches"]:
            places = match["places"] or [None] * len(match["entrants"])
            seats = [
                names[entrant] if place is None else f"{names[entrant]} ({place})"
                for entrant, place in zip(match["entrants"], places, strict=True)
            ]
            table.add_row(str(one["table"] + 1), match["match"], match["status"], ", ".join(seats))
    return table
