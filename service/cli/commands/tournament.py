"""`kontor tournament`: organises tournaments on a service."""

import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.live import Live
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.service.cli.arguments import FILE, WholeNumber, file_option, language_option, number_option
from kontor_games.service.cli.command_groups import Run, group
from kontor_games.service.cli.play_table import player_names_option
from kontor_games.service.cli.service_client import ProblemError, ServiceClient, url_option
from kontor_games.service.cli.terminal import console, explained, simple_table
from kontor_games.service.cli.tournament_tables import (
    entrants_table,
    name_of,
    protests_table,
    round_table,
    shown_time,
    stage_of,
    standings_table,
    write_report,
)
from kontor_games.service.terminal_text import one_line
from kontor_games.service.tournaments.template import announcement_template

_ALL_PLAYED = ("provisional", "final", "cancelled")
"""The states of a tournament in which all matches are over."""


@group()
def tournament() -> None:
    """Announce, run, sign off and export tournaments.

    The address of the service is taken from the environment variable KONTOR_URL, and the token of the
    organiser from KONTOR_TOKEN; commands that only read need no token. A tournament is announced from a
    TOML file; `kontor tournament template` prints one with every field. The page of the service does all
    of this, too: see docs/organisers.md.
    """


def _command(name: str) -> Callable[[Run], click.Command]:
    """Make a subcommand with the option --url; the function gets the client as its first argument."""

    def decorate(run: Run) -> click.Command:
        @url_option
        @wraps(run)
        def with_client(*, url: str, **arguments: Any) -> None:
            run(ServiceClient.with_own_token(url), **arguments)

        return tournament.subcommand(name)(with_client)

    return decorate


def _id_command(name: str) -> Callable[[Run], click.Command]:
    """Make a subcommand that also has the argument ID."""
    with_id = click.argument("tournament_id", metavar="ID")
    return lambda run: _command(name)(with_id(run))


def _path(tournament_id: str, action: str = "") -> str:
    return f"/v1/tournaments/{tournament_id}{action}"


_why_option = click.option("--why", required=True, help="The reason, which is public.")


@_command("announce")
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


@tournament.subcommand()
def template() -> None:
    """Print a commented TOML file with every field of an announcement."""
    click.echo(announcement_template(), nl=False)


@_command("list")
def list_all(client: ServiceClient) -> None:
    """List tournaments, newest first."""
    table = simple_table("id", "tournament", "status")
    for one in client.get("/v1/tournaments")["tournaments"]:
        about = f"{one['game']}, {one['format']}, {count_phrase(one['entrants'], 'entrant')}"
        played = f"round {one['round']} of {one['rounds']}"
        lines = [(f"{one_line(one['title'])}\n", about), (f"{one['status']}\n", played)]
        table.add_row(one["id"], *(Text.assemble(first, (second, "dim")) for first, second in lines))
    console().print(table)


@_id_command("standings")
def standings(client: ServiceClient, tournament_id: str) -> None:
    """Show the standings."""
    now = client.get(_path(tournament_id))
    console().print(standings_table(now, _lines(client, tournament_id)))


@_id_command("entrants")
def entrants(client: ServiceClient, tournament_id: str) -> None:
    """List the entrants with their numbers and ids."""
    console().print(entrants_table(_lines(client, tournament_id)))


@_id_command("protests")
def protests(client: ServiceClient, tournament_id: str) -> None:
    """Show who protested against the standings and why, and until when others can."""
    now = client.get(_path(tournament_id))
    console().print(protests_table(now, _lines(client, tournament_id)))


@_id_command("tables")
@number_option("--round", "number", help_text="The round. Default: the last one paired.")
def tables(client: ServiceClient, tournament_id: str, number: int | None) -> None:
    """Show the tables of a round.

    Prints the ID of each match, its players by seat, and their places. After a walkover there are no
    places: it shows who was absent.
    """
    number = number or client.get(_path(tournament_id))["round"]
    if not number:
        raise click.ClickException("No round has been paired yet. Start the tournament first.")
    console().print(round_table(client.get(_path(tournament_id, f"/rounds/{number}"))))


@_id_command("watch")
def watch(client: ServiceClient, tournament_id: str) -> None:
    """Show the live standings of a tournament until all matches are played."""
    first = now = client.get(_path(tournament_id))
    if first["status"] in ("announced", "open"):
        click.echo(_waiting(first, tournament_id))
    screen = console()
    with Live(console=screen, auto_refresh=False) as live:
        for now in _changes(client, tournament_id, first):
            if screen.is_terminal:
                live.update(standings_table(now, _lines(client, tournament_id)), refresh=True)
            else:
                click.echo(stage_of(now))
    if not screen.is_terminal:
        screen.print(standings_table(now, _lines(client, tournament_id)))
    if now["status"] == "provisional":
        until = shown_time(now["correction_until"])
        click.echo(
            f"All matches are played. Entrants can protest until {until}: "
            f"kontor tournament protests {tournament_id}\n"
            f"Then make the standings final: kontor tournament sign {tournament_id}"
        )


def _waiting(now: Plain, tournament_id: str) -> str:
    """Return what has to happen before a tournament starts."""
    entered = f"{now['entrants']} of at least {count_phrase(now['terms']['least_entrants'], 'entrant')}"
    steps = {"announced": ["open", "start"], "open": ["start"]}[now["status"]]
    waits = ", then ".join(f"`kontor tournament {step} {tournament_id}`" for step in steps)
    return f"{now['title']} has not started: it is {now['status']}, with {entered}. Waiting for {waits}."


def _changes(client: ServiceClient, tournament_id: str, now: Plain) -> Iterator[Plain]:
    """Yield the tournament as it is and after each change of what is shown, until all matches are played."""
    yield now
    while now["status"] not in _ALL_PLAYED:
        for event in client.lines(_path(tournament_id, f"/events?after={now['version']}")):
            if event["version"] <= now["version"]:
                continue
            before, now = now, client.get(_path(tournament_id))
            if any(before[name] != now[name] for name in ("status", "round", "unfinished", "entrants")):
                yield now
            if now["status"] in _ALL_PLAYED:
                return


@_id_command("open")
def open_entry(client: ServiceClient, tournament_id: str) -> None:
    """Open a tournament for entries."""
    _send(client, tournament_id, "/opening")


@_id_command("start")
def start(client: ServiceClient, tournament_id: str) -> None:
    """Start a tournament and pair the first round.

    The seed is fixed from then on.
    """
    _send(client, tournament_id, "/start")


@_id_command("pair")
@file_option(
    "--tables",
    help_text="Your own tables, one per line: numbers of entrants in seat order, separated by commas.",
)
def pair(client: ServiceClient, tournament_id: str, tables: Path | None) -> None:
    """Pair the next round, or use your own tables."""
    lines = [] if tables is None else tables.read_text(encoding="utf-8").split()
    own = [_numbers(line) for line in lines] or None
    _send(client, tournament_id, "/rounds", {"tables": own})


@_id_command("rule")
@click.argument("match")
@click.argument("places", metavar="PLACES")
@_why_option
@click.option("--new-edition", is_flag=True, help="After the sign-off: sign a new edition without asking.")
def rule(
    client: ServiceClient, tournament_id: str, match: str, places: str, why: str, *, new_edition: bool
) -> None:
    """Decide the result of a match: PLACES by seat, such as 1,2,2,4.

    If the standings are already signed, this is a correction (see `kontor tournament correct`): it signs a
    new edition, so it asks first or needs --new-edition.
    """
    now = client.get(_path(tournament_id))
    if now["status"] == "final" and not new_edition:
        _confirm_edition(now)
    action = "/corrections" if now["status"] == "final" else "/rulings"
    _send(client, tournament_id, action, {"match": match, "places": _numbers(places), "why": why})


def _confirm_edition(now: Plain) -> None:
    """Ask whether to sign a new edition; without a terminal there is nobody to ask."""
    sentence = f"The standings are signed: this corrects them and signs edition {now['edition'] + 1}."
    if not sys.stdin.isatty():
        raise click.ClickException(
            f"{sentence} If you want that, use `kontor tournament correct`, or --new-edition."
        )
    click.confirm(f"{sentence} Go on?", abort=True)


@_id_command("correct")
@click.argument("match")
@click.argument("places", metavar="PLACES")
@_why_option
def correct(client: ServiceClient, tournament_id: str, match: str, places: str, why: str) -> None:
    """Correct the result of a match after the sign-off: PLACES by seat, such as 1,2,2,4.

    This signs a new edition of the standings. The earlier editions stay in the record.
    """
    _send(client, tournament_id, "/corrections", {"match": match, "places": _numbers(places), "why": why})


@_id_command("withdraw")
@click.argument("entrant", type=WholeNumber(0))
@_why_option
def withdraw(client: ServiceClient, tournament_id: str, entrant: int, why: str) -> None:
    """Withdraw an entrant, who is not paired any more.

    ENTRANT is the number that `kontor tournament entrants` prints.
    """
    _send(client, tournament_id, "/withdrawals", {"entrant": entrant, "why": why})


@_id_command("replay")
@click.argument("match")
@_why_option
def replay(client: ServiceClient, tournament_id: str, match: str, why: str) -> None:
    """Discard a match and have it played again."""
    _send(client, tournament_id, "/replays", {"match": match, "why": why})


@_id_command("sign")
@click.option(
    "--despite-protests",
    is_flag=True,
    help="Confirm that you have examined all protests and that the standings stay as they are.",
)
def sign(client: ServiceClient, tournament_id: str, *, despite_protests: bool) -> None:
    """Sign off the standings as final.

    This is possible when the time for protests is over, or earlier if all entrants agree.
    """
    try:
        _send(client, tournament_id, "/sign-off", {"despite_protests": despite_protests})
    except ProblemError as problem:
        now = client.get(_path(tournament_id))
        raise click.ClickException(_sign_advice(client, now, problem.message)) from problem


def _sign_advice(client: ServiceClient, now: Plain, refusal: str) -> str:
    """Return why standings cannot be signed, with the protests and what to do about them."""
    advice = refusal.replace("`despite_protests`", "--despite-protests")
    if now["status"] != "provisional":
        return advice
    names = {line["entrant"]: name_of(line["player"]) for line in _lines(client, now["id"])}
    listed = [f"\n  {names[one['entrant']]}: {one['why']}" for one in now["protests"]]
    return f"{advice}{''.join(listed)}\nProtests are possible until {shown_time(now['correction_until'])}."


@_id_command("cancel")
@_why_option
def cancel(client: ServiceClient, tournament_id: str, why: str) -> None:
    """Cancel a tournament."""
    _send(client, tournament_id, "/cancellation", {"why": why})


@_id_command("export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(client: ServiceClient, tournament_id: str, file: Path) -> None:
    """Write the export of a tournament to FILE.

    `kontor verify FILE` checks it.
    """
    content = client.download(_path(tournament_id, "/export"))
    file.write_bytes(content)
    click.echo(f"{file}: {len(content):,} bytes. Check it with: kontor verify {file}")


@_command("report")
@click.argument("source", metavar="FILE|ID")
@click.argument("page", type=click.Path(dir_okay=False, path_type=Path), metavar="REPORT.html")
@language_option
@player_names_option
def report(client: ServiceClient, source: str, page: Path, language: str, names: str | None) -> None:
    """Write an HTML report on a tournament, in the language that --language names.

    The report contains standings with intervals, a crosstable, all matches, ratings, the time used,
    no-shows, protests and rulings, and statistics of seats, dice and deals. It is made from an export FILE,
    which is also verified and has no names (use --names), or from the service by ID, with the names of the
    players and the moves that were refused.
    """
    write_report(client, source, page, language, names)
    click.echo(f"{page}: {page.stat().st_size:,} bytes.")


def _lines(client: ServiceClient, tournament_id: str) -> list[Plain]:
    """Return the lines of the standings, one for each entrant."""
    lines: list[Plain] = client.get(_path(tournament_id, "/standings"))["lines"]
    return lines


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
