"""`kontor admin`: what only an operator can hand out."""

import click

from kontor_games.service.cli.command_groups import Command, Group
from kontor_games.service.cli.database_option import database_option, moment, opened

_DAY_MS = 24 * 3600 * 1000


@click.group(cls=Group, examples=(("give a player a token with every scope", "kontor admin token 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"),))
def admin() -> None:
    """Hand out what no call of the API gives."""


@admin.command(
    cls=Command, examples=(("for a week", "kontor admin token 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11 --label 'night shift' --days 7"),)
)
@click.argument("player", type=click.UUID)
@database_option
@click.option("--label", default="admin", show_default=True, help="By which it will be known again.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How long it lasts.")
def token(*, player: object, url: str | None, label: str, days: int) -> None:
    """Give PLAYER a token with every scope; it is shown once, here."""
    with opened(url) as kontor:
        issued = kontor.tokens.issue_admin(str(player), label, days * _DAY_MS)
    click.echo(issued.text)
    click.echo(f"It lasts until {moment(issued.token.expires_at or 0)}. Whoever has it may do anything.", err=True)
