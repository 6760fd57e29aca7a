"""`kontor doctor`: examines an installation and says what to do."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click
import structlog
from rich.text import Text

from kontor_games.service.cli.arguments import json_option
from kontor_games.service.cli.checkup import ADVICE, FAILED, OK, SKIPPED, Finding, examine
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import database_option, read_settings
from kontor_games.service.cli.terminal import console, simple_table
from kontor_games.service.settings import SettingsError

_MARKS = {OK: ("✓", "green"), FAILED: ("✗", "bold red"), ADVICE: ("!", "yellow"), SKIPPED: ("–", "")}


@command(
    ("examine the installation that the settings of this shell describe", "kontor doctor"),
    ("and what clients see at its public address", "kontor doctor --url https://kontor.example.org"),
)
@database_option
@click.option(
    "--url",
    "address",
    metavar="URL",
    envvar="KONTOR_URL",
    help="Public address of the service to check, too.",
)
@json_option("the findings as JSON")
def doctor(*, url: str | None, address: str | None, as_json: bool) -> None:
    """Check an installation, and say what to correct.

    It looks at settings, database, rights, clock, leader, keys, disk, proxy and version. Run it with the
    settings of the service, as its user. ✓ is in order, ✗ is not (the exit code is then 1), ! works but could
    be safer, – was not checked.
    """
    try:
        settings = read_settings(url)
    except SettingsError as error:
        findings = [Finding("settings", FAILED, fault, "Correct it.") for fault in error.faults]
    else:
        with _without_logs():
            checked = list(examine(settings, address.rstrip("/") if address else None))
        findings = [Finding("settings", OK, "all settings are valid"), *checked]
    if as_json:
        click.echo(json.dumps({"findings": [one._asdict() for one in findings]}, indent=2))
    else:
        _print(findings)
    if any(one.state == FAILED for one in findings):
        raise SystemExit(1)


@contextmanager
def _without_logs() -> Iterator[None]:
    """Drop log messages: the findings say the same."""
    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    try:
        yield
    finally:
        structlog.configure(**before)


def _print(findings: list[Finding]) -> None:
    table = simple_table("", "check", "found")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for one in findings:
        table.add_row(Text(*_MARKS[one.state]), one.check, Text(one.found))
        if one.do:
            table.add_row("", "", Text(f"→ {one.do}"), style="bold" if one.state == FAILED else "")
    console().print(table)
