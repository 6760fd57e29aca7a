"""`kontor admin`: actions for operators only."""

import json
from uuid import UUID

import click
import msgspec

from kontor_games.service.cli.arguments import json_option, number_option
from kontor_games.service.cli.command_groups import group
from kontor_games.service.cli.database_option import database_option, open_database
from kontor_games.service.cli.terminal import console, format_time, simple_table
from kontor_games.service.people.bans import Account
from kontor_games.service.people.names import read_name
from kontor_games.service.people.reports import OUTCOMES, Report

_DAY_MS = 24 * 3600 * 1000
_PLAYER = "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"


@group()
def admin() -> None:
    """List and ban players, close registration, issue admin tokens.

    `reports` and `close-report` are about what players report. On PostgreSQL these commands need the owner
    of the tables, except for lists.
    """


@admin.subcommand()
@click.argument("name", required=False, default="")
@database_option
@click.option("--banned", is_flag=True, help="List only banned players.")
@number_option("--limit", default=50, maximum=10_000, help_text="Maximum number of accounts.")
@json_option("the accounts as JSON")
def players(*, name: str, url: str | None, banned: bool, limit: int, as_json: bool) -> None:
    """List accounts, the newest first, with their tokens, matches and bans.

    NAME is the beginning of a name; without it, all accounts are listed.
    """
    with open_database(url) as kontor:
        found = kontor.bans.accounts(name, banned=banned, limit=limit)
    if as_json:
        click.echo(json.dumps({"players": [one._asdict() for one in found]}, indent=2))
    elif found:
        _print_accounts(found)
    else:
        click.echo("No account was found.")


def _print_accounts(accounts: list[Account]) -> None:
    table = simple_table("player", "kind", "since", "seen", "tokens", "matches", "banned", "id", no_wrap=True)
    table.columns[6].no_wrap = False
    for one in accounts:
        kind = "program" if one.bot else "person"
        seen = "" if one.seen_at is None else format_time(one.seen_at)[:16]
        ban = "" if one.banned_at is None else f"{format_time(one.banned_at)[:10]} {one.reason}"
        numbers = str(one.tokens), str(one.matches)
        table.add_row(
            one.name or "(erased)", kind, format_time(one.created_at)[:10], seen, *numbers, ban, one.id
        )
    console().print(table)


@admin.subcommand()
@click.argument("player", type=click.UUID)
@database_option
@click.option("--reason", default="", metavar="TEXT", help="Reason; the player is shown it.")
def ban(*, player: UUID, url: str | None, reason: str) -> None:
    """Refuse all tokens of PLAYER, in every process within a second, until the ban is lifted.

    The player cannot get another token, and their seeks are cancelled. In matches they are absent: their
    clocks run on, and matches without a clock expire.
    """
    if reason:
        reason = read_name(reason, "reason")
    with open_database(url) as kontor:
        kontor.ban(str(player), reason)
    click.echo(f"{player} is banned. `kontor admin unban {player}` lifts the ban.")


@admin.subcommand()
@click.argument("player", type=click.UUID)
@database_option
def unban(*, player: UUID, url: str | None) -> None:
    """Lift the ban of PLAYER: their tokens work again."""
    with open_database(url) as kontor:
        kontor.bans.lift(str(player))
    click.echo(f"{player} is no longer banned.")


@admin.subcommand()
@database_option
@click.option("--closed", is_flag=True, help="List closed reports instead of open ones.")
@number_option("--limit", default=50, maximum=10_000, help_text="Maximum number of reports.")
@json_option("the reports as JSON")
def reports(*, url: str | None, closed: bool, limit: int, as_json: bool) -> None:
    """List the reports of players about players, the oldest first."""
    with open_database(url) as kontor:
        found = kontor.reports.list(limit, is_open=not closed)
    if as_json:
        click.echo(json.dumps({"reports": msgspec.to_builtins(found, enc_hook=int)}, indent=2))
    elif found:
        _print_reports(found)
    else:
        click.echo("There is no report.")


def _print_reports(found: list[Report]) -> None:
    for one in found:
        about, by = (who.name or "(erased)" if who else "(erased)" for who in (one.reported, one.reporter))
        where = f" in match {one.match}" if one.match else ""
        click.echo(f"{one.id}  {format_time(one.at)[:16]}  {one.outcome or 'open'}")
        click.echo(f"  {about} ({one.reported.id if one.reported else '?'}), by {by}: {one.reason}{where}")
        if one.text:
            click.echo(f"  {one.text}")


@admin.subcommand(name="close-report")
@click.argument("report", type=click.UUID)
@click.argument("outcome", type=click.Choice(OUTCOMES))
@database_option
def close_report(*, report: UUID, outcome: str, url: str | None) -> None:
    """Close REPORT. With `banned` the player whom it is about is banned, as by `kontor admin ban`."""
    with open_database(url) as kontor:
        kontor.close_report(str(report), outcome)
    click.echo(f"Report {report} is closed: {outcome}.")


@admin.subcommand()
@click.argument("state", type=click.Choice(["open", "closed"]), required=False)
@database_option
def registration(*, state: str | None, url: str | None) -> None:
    """Show whether new accounts are accepted, or accept (open) or refuse (closed) them from now on."""
    with open_database(url) as kontor:
        if state is not None:
            kontor.bans.open_registration(is_open=state == "open")
        is_open = kontor.bans.registration_open
    click.echo("Registration is open." if is_open else "Registration is closed: new accounts are refused.")


@admin.subcommand()
@click.argument("player", type=click.UUID)
@database_option
@click.option("--label", default="admin", show_default=True, help="Label of the token.")
@number_option("--days", default=30, maximum=3650, help_text="Lifetime in days.")
def token(*, player: UUID, url: str | None, label: str, days: int) -> None:
    """Create a token with all scopes for PLAYER and print it once."""
    with open_database(url) as kontor:
        issued = kontor.tokens.issue_admin(str(player), label, days * _DAY_MS)
    click.echo(issued.text)
    click.echo(
        f"Valid until {format_time(issued.token.expires_at or 0)}."
        " This token allows everything: keep it secret.",
        err=True,
    )
