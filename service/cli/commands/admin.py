"""`kontor admin`: actions for operators only."""

import click

from kontor_games.service.cli.arguments import number_option
from kontor_games.service.cli.command_groups import group
from kontor_games.service.cli.database_option import database_option, format_time, open_database

_DAY_MS = 24 * 3600 * 1000


@group(("give a player a token with every scope", "kontor admin token 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"))
def admin() -> None:
    """Administrative actions that the API does not offer."""


@admin.subcommand(
    (
        "valid for a week",
        "kontor admin token 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11 --label 'night shift' --days 7",
    )
)
@click.argument("player", type=click.UUID)
@database_option
@click.option("--label", default="admin", show_default=True, help="Label of the token.")
@number_option("--days", default=30, maximum=3650, help_text="Lifetime in days.")
def token(*, player: object, url: str | None, label: str, days: int) -> None:
    """Create a token with all scopes for PLAYER and print it once."""
    with open_database(url) as kontor:
        issued = kontor.tokens.issue_admin(str(player), label, days * _DAY_MS)
    click.echo(issued.text)
    click.echo(
        f"Valid until {format_time(issued.token.expires_at or 0)}."
        " This token allows everything: keep it secret.",
        err=True,
    )
