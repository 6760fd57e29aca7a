"""How fast exports are verified, beside the engine deciding the same moves in the same run: `python -m tests.bench.verify`.

Both take turns in short slots, so that a machine that changes its speed changes it for both; the ratio is taken between neighbours.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from uuid import uuid4

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Create, Entry
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store import stored_record
from kontor_games.service.store.match_cache import write_entry
from kontor_games.service.trust import verifier as verifying
from kontor_games.service.trust.audits import AuditTarget, audit_match
from tests.support.recording import KEYS, Recording, announcement, pinned_bot, table_of

TARGET = 20_000
"""Facts a second, on an idle core: of the verifier, and of `kontor audit`."""


@dataclass(frozen=True)
class Measured:
    """What came out for one game."""

    game: str
    seats: int
    facts: int
    commands: int
    bot_moves: int
    """The moves of house bots, which are recomputed."""
    facts_per_second: float
    fastest: float
    engine_facts_per_second: float
    cost: float
    """How many times as long it takes to verify a match as to decide its moves again and nothing else."""
    audited_facts_per_second: float
    """The audit of the same match in a database, by `kontor audit`."""
    audited_fastest: float
    audit_cost: float
    """How many times as long the audit takes as deciding."""


def decide_again(entries: Sequence[Entry]) -> Match:
    """Every command carried out again, nothing compared, hashed or signed; the match to which they lead."""
    match, first = Match(), entries[0]
    created = first.facts[0]
    assert isinstance(created, MatchCreated)
    assert isinstance(first.command, Create)
    first.command.create(match, created, first.by, first.at)
    for entry in entries[1:]:
        entry.command.decide(match, entry.by, entry.at)
    return match


def verify_afresh(content: bytes, published: Sequence[Plain]) -> None:
    """As a newly started verifier would: no command was ever read before."""
    verifying.read_line_command.cache_clear()
    verifying.verify(content, published)


@contextmanager
def stored(recording: Recording) -> Iterator[Callable[[], object]]:
    """Stores a match in a database of its own; yields the function that audits it afresh."""
    match, match_id, head = recording.match, uuid4(), GENESIS
    with tempfile.TemporaryDirectory() as folder:
        kontor = Kontor(Settings(database_url=f"sqlite:///{folder}/kontor.db"))
        kontor.migrate()
        for entry in recording.entries:
            head = link(str(match_id), match.rules, entry, match.created.server_secret, head)[-1]
            kontor.store.append(match_id, entry.first, write_entry(entry, match, head))
        target = AuditTarget(match_id, match.created.game)

        def audit() -> None:
            stored_record._read_command.cache_clear()
            assert audit_match(kontor.store, target).problem is None

        yield audit
        kontor.close()


def slot(work: Callable[[], object], seconds: float) -> float:
    """Seconds of the processor for one time: the quickest within a slot, since others use this machine too."""
    best, began = float("inf"), perf_counter()
    while perf_counter() - began < seconds:
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def measure(recording: Recording, seconds: float, repeats: int) -> Measured:
    """One match, verified and decided again in turn."""
    content, published, facts = recording.export(), KEYS.published(), recording.match.version
    with stored(recording) as audit:
        slots = [
            (
                slot(lambda: verify_afresh(content, published), seconds),
                slot(lambda: decide_again(recording.entries), seconds),
                slot(audit, seconds),
            )
            for _ in range(repeats)
        ]
    pairs = [(verified, decided) for verified, decided, _ in slots]
    return Measured(
        game=recording.match.created.game,
        seats=len(recording.match.seats),
        facts=facts,
        commands=len(recording.entries),
        bot_moves=sum(bot.recomputed for bot in verifying.verify(content, published).bots),
        facts_per_second=median(facts / verified for verified, _ in pairs),
        fastest=max(facts / verified for verified, _ in pairs),
        engine_facts_per_second=median(facts / decided for _, decided in pairs),
        cost=median(verified / decided for verified, decided in pairs),
        audited_facts_per_second=median(facts / audited for _, _, audited in slots),
        audited_fastest=max(facts / audited for _, _, audited in slots),
        audit_cost=median(audited / decided for _, decided, audited in slots),
    )


def table(measured: Sequence[Measured]) -> Table:
    """The figures for people."""
    shown = Table(
        box=SIMPLE_HEAD, title="Verifying exports: everything checked, one process", title_justify="left"
    )
    shown.add_column("game", style="bold")
    for heading in (
        "seats",
        "facts",
        "commands",
        "by bots",
        "facts/s",
        "fastest slot",
        "target",
        "deciding alone, facts/s",
        "× deciding alone",
        "audit, facts/s",
        "fastest slot",
        "target",
        "× deciding alone",
    ):
        shown.add_column(heading, justify="right")
    for one in measured:
        shown.add_row(
            one.game,
            str(one.seats),
            f"{one.facts:,}",
            f"{one.commands:,}",
            f"{one.bot_moves:,}",
            f"{one.facts_per_second:,.0f}",
            f"{one.fastest:,.0f}",
            "–" if one.bot_moves else _target(one.fastest),
            f"{one.engine_facts_per_second:,.0f}",
            f"{one.cost:.2f}",
            f"{one.audited_facts_per_second:,.0f}",
            f"{one.audited_fastest:,.0f}",
            _target(one.audited_fastest),
            f"{one.audit_cost:.2f}",
        )
    return shown


def _target(fastest: float) -> str:
    return f"≥ {TARGET:,} " + ("[green]✓[/]" if fastest >= TARGET else "[bold red]✗[/]")


def written(measured: Sequence[Measured]) -> str:
    """The figures for programs, with the machine they were taken on."""
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    return json.dumps({"machine": machine, "verified": [asdict(one) for one in measured]}, indent=2) + "\n"


@click.command()
@click.option("--seconds", type=float, default=1.0, show_default=True, help="How long one slot lasts.")
@click.option("--repeats", type=int, default=5, show_default=True, help="How many slots each gets.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the figures into this file.",
)
def main(*, seconds: float, repeats: int, target: Path | None) -> None:
    """Measure facts a second of the verifier for a whole match of every installed game and number of players."""
    recordings = [
        table_of(game.id, seats).play_on()
        for game in installed_games().values()
        for seats in game.rules().seat_counts
    ]
    recordings += [
        Recording(
            announcement(game.id, *[pinned_bot(game.id, name)] * game.rules().seat_counts[-1])
        ).play_with_bots()
        for game in installed_games().values()
        for name in game.bots
    ]
    measured = [measure(recording, seconds, repeats) for recording in recordings]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    console.print(table(measured))
    if target:
        target.write_text(written(measured), encoding="utf-8")
        console.print(f"Written to {target}.")


if __name__ == "__main__":
    main()
