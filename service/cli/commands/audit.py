"""`kontor audit`: every match of a database played again, and what chance gave in all of them."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from kontor_games.service.cli.command_groups import Command
from kontor_games.service.cli.database_option import database_option, moment, opened
from kontor_games.service.cli.terminal import console
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.audit_report import AuditReport
from kontor_games.service.trust.audits import Listed
from kontor_games.service.trust.checkpoint_check import BrokenPromiseError, check_leaves, check_signature
from kontor_games.service.trust.fairness_page import fairness_page, spoken, title_of


@click.command(
    cls=Command,
    examples=(
        ("audit all matches and save the report", "kontor audit --all --html report.html"),
        ("another database, results as JSON", "kontor audit --all --database postgresql://… --json"),
        ("audit single matches", "kontor audit 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"),
    ),
)
@click.argument("matches", nargs=-1, type=click.UUID, metavar="[MATCH]…")
@click.option("--all", "everything", is_flag=True, help="Audit all matches, and check the newest checkpoint.")
@database_option
@click.option(
    "--html", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE", help="Write the report as an HTML page."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def audit(*, matches: tuple[UUID, ...], everything: bool, url: str | None, html: Path | None, as_json: bool) -> None:
    """Replay the matches of a database and report errors.

    Checks the author and time of every command, every rule, every draw, every clock, every hash and the result.
    The exit code is 1 if anything is wrong.
    """
    if everything == bool(matches):
        raise click.UsageError("Name the matches to audit, or use --all.")
    with opened(url) as kontor:
        listed = kontor.audits.everything()
        chosen = listed if everything else _chosen(listed, matches)
        report = _audited(kontor, chosen)
        report.problems += _broken_checkpoint(kontor) if everything else []
        at = moment(kontor.clock())
    if html is not None:
        html.write_text(fairness_page(report, "Audit", f"Created by kontor audit, {at}."), encoding="utf-8")
    if as_json:
        click.echo(json.dumps(report.plain(), indent=2, ensure_ascii=False))
    else:
        show_audit(console(), report)
        if html is not None:
            click.echo(f"Report written to {html}.")
    sys.exit(1 if report.problems else 0)


def _chosen(listed: list[Listed], wanted: tuple[UUID, ...]) -> list[Listed]:
    known = {one.id: one for one in listed}
    for match_id in wanted:
        if match_id not in known:
            raise click.ClickException(f"The database has no match {match_id}.")
    return [known[match_id] for match_id in wanted]


def _audited(kontor: Kontor, chosen: list[Listed]) -> AuditReport:
    with progress_bar("matches", len(chosen)) as advance:
        return kontor.audits.audit(chosen, advance)


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[object], None]]:
    """A bar on stderr, where that is a terminal; gone when done, so that only the results stay. Gives what moves it on."""
    screen = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda _: progress.advance(task)


def _broken_checkpoint(kontor: Kontor) -> list[tuple[str | None, str]]:
    """What is wrong with the newest checkpoint in the database, if there is one."""
    newest = kontor.checkpoints.latest()
    if newest is None:
        return []
    try:
        check_signature(newest, kontor.signer.public_keys())
        check_leaves(newest, kontor.checkpoints.leaves())
    except BrokenPromiseError as broken:
        return [(None, f"the newest checkpoint: {broken}")]
    return []


def show_audit(screen: Console, report: AuditReport) -> None:
    """Prints what an audit found."""
    style = "bold red" if report.problems else "bold green"
    screen.print(Text(f"{report.verified:,} of {report.matches:,} matches passed the audit", style))
    screen.print(Text(f"{report.facts:,} facts and {report.values:,} random values checked", "dim"))
    screen.print()
    if report.problems:
        screen.print(_problems(report))
    if report.tests:
        screen.print(_chance(report))
        p_value = report.p_value
        summary = "too few values for a statement" if p_value is None else f"{spoken(p_value)} for all of them together"
        screen.print(Text(f"p-value: the probability of counts at least this uneven if chance is fair; {summary}", "dim"))


def _problems(report: AuditReport) -> Table:
    table = _table("match", "what is wrong")
    for match, problem in report.problems:
        table.add_row(Text(match or "–"), Text(problem, "red"))
    table.add_row()
    return table


def _chance(report: AuditReport) -> Table:
    table = _table("game", "stream")
    for heading in ("values", "tested", "χ²", "d.f.", "p-value"):
        table.add_column(heading, justify="right")
    for test in report.tests:
        chi, p_value = test.test, test.test.p_value
        figures = (f"{chi.statistic:,.1f}", f"{chi.freedom:,}", spoken(p_value)) if p_value is not None else ("–", "–", "too few")
        table.add_row(Text(title_of(test.game)), Text(test.stream), f"{test.values:,}", f"{chi.values:,}", *figures)
    table.add_row()
    return table


def _table(*headings: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
