"""`kontor audit`: replays the matches of a database, and tests random values statistically."""

import gc
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from uuid import UUID

import click
import msgspec
from msgspec.structs import asdict
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kontor_games.domain.anomalies import anomaly
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.service.cli.arguments import json_option, language_option, number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import database_option, open_database
from kontor_games.service.cli.terminal import console, counted, format_time, progress_bar, simple_table
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.kontor import Kontor
from kontor_games.service.processes import parallel_map
from kontor_games.service.settings import Settings
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.trust.audit_report import AuditReport
from kontor_games.service.trust.audits import AuditTarget, MatchAudit, audit_match
from kontor_games.service.trust.checkpoint_check import (
    CheckpointMismatchError,
    UnreadableCheckpointError,
    check_keys,
    check_leaves,
    read_checkpoint,
)
from kontor_games.service.trust.fairness_page import fairness_page, format_p_value

Sentence = Callable[[Texts], str]
"""Returns a sentence in the language of the texts that it is given."""


@command()
@click.argument("matches", nargs=-1, type=click.UUID, metavar="[MATCH]…")
@click.option("--all", "everything", is_flag=True, help="Audit all matches, and check the newest checkpoint.")
@database_option
@number_option("--jobs", default=1, help_text="Number of processes.")
@click.option("--bots", is_flag=True, help="Also recompute the moves of house bots. This is slow.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the report as an HTML page, in the language that --language names.",
)
@language_option
@json_option("the report as JSON")
def audit(
    *,
    matches: tuple[UUID, ...],
    everything: bool,
    url: str | None,
    jobs: int,
    bots: bool,
    html: Path | None,
    language: str,
    as_json: bool,
) -> None:
    """Replay the matches of a database and report errors.

    Checks the author and time of every command, every rule, draw, clock and hash, and the result.
    With --all it also checks that the newest checkpoint is signed and agrees with the database.
    The exit code is 1 if anything is wrong.
    """
    if everything == bool(matches):
        raise click.UsageError("Name the matches to audit, or use --all.")
    with open_database(url) as kontor:
        listed = kontor.audits.all_matches()
        began = perf_counter()
        report = _run_audits(
            kontor, listed if everything else _find_matches(listed, matches), jobs, bots=bots
        )
        seconds = perf_counter() - began
        checkpoint_text = _check_checkpoint(kontor, report) if everything else _not_checked
        at = format_time(kontor.clock())
    if html is not None:
        say = texts_in(language)
        made = say("audit.made", at=at, checkpoint=checkpoint_text(say))
        page = fairness_page(report, say("audit.title"), made, language=language)
        html.write_text(page, encoding="utf-8")
    checkpoint = checkpoint_text(texts_in(DEFAULT_LANGUAGE))
    if as_json:
        shown = {**asdict(report.answer()), "checkpoint": checkpoint}
        click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2))
    else:
        show_audit(console(), report, checkpoint)
        click.echo(f"Audited in {seconds:,.1f} s with {_rate(report.facts, seconds, jobs)}.")
        if html is not None:
            click.echo(f"Report written to {html}.")
    sys.exit(1 if report.problems else 0)


def _rate(facts: int, seconds: float, jobs: int) -> str:
    rate = f"{facts / seconds:,.0f} facts per second" if facts else "no facts"
    if jobs == 1:
        return f"1 process: {rate}"
    return f"{jobs} processes: {rate}" + (f", {facts / seconds / jobs:,.0f} per process" if facts else "")


def _find_matches(targets: list[AuditTarget], match_ids: tuple[UUID, ...]) -> list[AuditTarget]:
    known = {one.id: one for one in targets}
    for match_id in match_ids:
        if match_id not in known:
            raise click.ClickException(f"The database has no match {match_id}.")
    return [known[match_id] for match_id in match_ids]


def _run_audits(kontor: Kontor, targets: list[AuditTarget], jobs: int, *, bots: bool) -> AuditReport:
    report = AuditReport()
    _collect_garbage_rarely()
    alone = partial(_audit_alone, kontor.settings)
    audit_one = partial(alone if jobs > 1 else partial(audit_match, kontor.store), recompute_bots=bots)
    with progress_bar("matches", len(targets)) as advance:
        for found in counted(parallel_map(audit_one, targets, jobs), advance):
            report.add(found.match, found.game, found.facts, found.problem, found.counts, found.deal)
            report.add_returned(found.returned_ms)
    return report


def _audit_alone(settings: Settings, target: AuditTarget, *, recompute_bots: bool) -> MatchAudit:
    """Audit a match in a worker process, which has its own connection to the database."""
    return audit_match(_store(settings), target, recompute_bots=recompute_bots)


@cache
def _store(settings: Settings) -> EventStore:
    _collect_garbage_rarely()
    return Kontor(settings).store


def _collect_garbage_rarely() -> None:
    """Make the garbage collector run less often: replaying creates many objects but few cycles."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


def _not_checked(say: Texts) -> str:
    return say("checkpoint.unchecked")


def _check_checkpoint(kontor: Kontor, report: AuditReport) -> Sentence:
    """Check the newest checkpoint and return a sentence about it; add any problem to the report."""
    newest = kontor.checkpoints.latest()
    if newest is None:
        return lambda say: say("checkpoint.none")
    size, at = newest.size, format_time(newest.at)
    try:
        kept, keys = read_checkpoint(newest.note), kontor.signer.public_keys()
        kept.check_signature(keys)
        check_leaves(kept, kontor.checkpoints.leaves())
        check_keys(kontor.checkpoints.leaves(), keys)
    except (CheckpointMismatchError, UnreadableCheckpointError) as broken:
        [problem] = broken.args
        report.problems.append((None, anomaly("newest_checkpoint", problem=problem)))
        return lambda say: say(
            "checkpoint.wrong", n=size, leaves=say.number(size), at=at, problem=say.anomaly(problem)
        )
    return lambda say: say("checkpoint.sound", n=size, leaves=say.number(size), at=at)


def show_audit(screen: Console, report: AuditReport, checkpoint: str) -> None:
    """Print the report."""
    style = "bold red" if report.problems else "bold green"
    screen.print(Text(f"{report.verified:,} of {report.matches:,} matches passed the audit", style))
    screen.print(Text(f"{report.facts:,} facts and {report.values:,} random values checked", "dim"))
    screen.print(Text(checkpoint, "dim"))
    if report.returned:
        matches = count_phrase(f"{report.returned:,}", "match", "matches")
        given = f"{report.returned_ms / 1000:,.1f} s of outages given back to the clocks of {matches}"
        screen.print(Text(f"{given}, by the operator's word", "dim"))
    screen.print()
    if report.problems:
        screen.print(_problems(report))
    if report.tests:
        screen.print(_chance(report))
        p_value = report.p_value
        together = "too few values for a statement"
        if p_value is not None:
            together = f"{format_p_value(p_value)} for all of them together"
        meaning = "p-value: the probability of counts at least this uneven if chance is fair"
        screen.print(Text(f"{meaning}; {together}", "dim"))
    if report.repeated_deals:
        screen.print(Text(texts_in(DEFAULT_LANGUAGE)("fairness.chance_once"), "dim"))


def _problems(report: AuditReport) -> Table:
    table = simple_table("match", "what is wrong", overflow="fold")
    for match, problem in report.problems:
        table.add_row(Text(match or "–"), Text(str(problem), "red"))
    table.add_row()
    return table


def _chance(report: AuditReport) -> Table:
    table = simple_table("game", "stream", overflow="fold")
    for heading in ("values", "tested", "χ²", "d.f.", "p-value"):
        table.add_column(heading, justify="right")
    for test in report.tests:
        chi, p_value = test.test, test.test.p_value
        figures = "–", "–", "too few"
        if p_value is not None:
            figures = f"{chi.statistic:,.1f}", f"{chi.freedom:,}", format_p_value(p_value)
        names = Text(texts_in(DEFAULT_LANGUAGE).title(test.game)), Text(test.stream)
        table.add_row(*names, f"{test.values:,}", f"{chi.values:,}", *figures)
    table.add_row()
    return table
