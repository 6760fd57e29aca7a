"""Speed of verifying exports and auditing databases, compared with the engine.

`python -m tests.bench.verify` measures it. The engine carries out the same commands and nothing else. All
three take turns in short slots, so that changes in the speed of the machine affect them alike; ratios are
taken between neighbouring slots.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
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
from kontor_games.domain.commands import Create
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.stream import Entry
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store import stored_record
from kontor_games.service.store.entries import write_entry
from kontor_games.service.trust import verifier as verifying
from kontor_games.service.trust.audits import AuditTarget, audit_match
from tests.support.entries import append
from tests.support.recording import KEYS, Recording, announcement, pinned_bot, table_of

TARGET = 20_000
"""Facts per second on an idle core, of the verifier and of each process of `kontor audit`."""
AUDITED = 10
"""How many matches of a kind are audited, beginning with empty caches; real databases have thousands."""


@dataclass(frozen=True)
class Measured:
    """The results for one game."""

    game: str
    players: str
    """Who chose the moves: people at random, or a house bot."""
    seats: int
    facts: int
    commands: int
    bot_moves: int
    """The moves of house bots, which are recomputed."""
    facts_per_second: float
    fastest: float
    engine_facts_per_second: float
    cost: float
    """The time to verify a match, as a multiple of the time to carry out its commands."""
    audited_facts_per_second: float
    """The audit of several such matches in a database, as by `kontor audit --all`."""
    audited_fastest: float
    audit_cost: float
    """The time of the audit, as a multiple of the time to carry out the commands."""


def decide_again(entries: Sequence[Entry]) -> Match:
    """Carry out all commands again without comparing, hashing or signing anything; return the match."""
    match, first = Match(), entries[0]
    created = first.facts[0]
    assert isinstance(created, MatchCreated)
    assert isinstance(first.command, Create)
    first.command.create(match, created, first.by, first.at)
    for entry in entries[1:]:
        entry.command.decide(match, entry.by, entry.at)
    return match


def verify_afresh(content: bytes, published: Sequence[Plain]) -> None:
    """Verify with empty caches, as a newly started verifier does."""
    verifying.read_line_command.cache_clear()
    verifying.verify(content, published)


@contextmanager
def stored(recordings: Sequence[Recording]) -> Iterator[Callable[[], object]]:
    """Store matches in a new database; yield a function that audits them with empty caches."""
    with tempfile.TemporaryDirectory() as folder:
        kontor = Kontor(Settings(database_url=f"sqlite:///{folder}/kontor.db"))
        kontor.migrate()
        targets = [_store(kontor, recording) for recording in recordings]

        def audit() -> None:
            stored_record._read_command.cache_clear()
            stored_record._known_facts.cache_clear()
            for target in targets:
                assert audit_match(kontor.store, target).problem is None

        yield audit
        kontor.close()


def _store(kontor: Kontor, recording: Recording) -> AuditTarget:
    match, match_id, head = recording.match, uuid4(), GENESIS
    for entry in recording.entries:
        head = link(MATCHES, str(match_id), match, entry, head)[-1]
        append(kontor.store, match_id, entry.first, write_entry(MATCHES, entry, match, head))
    return AuditTarget(match_id, match.created.game)


def slot(work: Callable[[], object], seconds: float) -> float:
    """The CPU time of one call: the shortest in a slot, since other programs use the machine too."""
    best, began = float("inf"), perf_counter()
    while perf_counter() - began < seconds:
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def measure(recordings: Sequence[Recording], players: str, seconds: float, repeats: int) -> Measured:
    """Measure in turn the verification of the first match, its commands alone, and the audit of all."""
    recording, published = recordings[0], KEYS.published()
    content, facts = recording.export(), recording.match.version
    audited_facts = sum(one.match.version for one in recordings)
    with stored(recordings) as audit:
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
        players=players,
        seats=len(recording.match.seats),
        facts=facts,
        commands=len(recording.entries),
        bot_moves=sum(bot.recomputed for bot in verifying.verify(content, published).bots),
        facts_per_second=median(facts / verified for verified, _ in pairs),
        fastest=max(facts / verified for verified, _ in pairs),
        engine_facts_per_second=median(facts / decided for _, decided in pairs),
        cost=median(verified / decided for verified, decided in pairs),
        audited_facts_per_second=median(audited_facts / audited for _, _, audited in slots),
        audited_fastest=max(audited_facts / audited for _, _, audited in slots),
        audit_cost=median(audited / decided * facts / audited_facts for _, decided, audited in slots),
    )


def table(measured: Sequence[Measured]) -> Table:
    """The results as a table."""
    shown = Table(
        box=SIMPLE_HEAD, title="Verifying exports: everything checked, one process", title_justify="left"
    )
    shown.add_column("game", style="bold")
    shown.add_column("players")
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
            one.players,
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
    """The results as JSON, with a description of the machine."""
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    return json.dumps({"machine": machine, "verified": [asdict(one) for one in measured]}, indent=2) + "\n"


def _secret(number: int) -> str:
    return sha256(f"secret {number}".encode()).hexdigest()


def _played_by_bots(game: str, name: str, seats: int, number: int) -> Recording:
    created = announcement(game, *[pinned_bot(game, name)] * seats, server_secret=_secret(number))
    return Recording(created).play_with_bots()


@click.command()
@click.option("--seconds", type=float, default=1.0, show_default=True, help="How long one slot lasts.")
@click.option("--repeats", type=int, default=5, show_default=True, help="How many slots each gets.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results into this file.",
)
def main(*, seconds: float, repeats: int, target: Path | None) -> None:
    """Measure facts per second of verifier and audit for every game, number of players and house bot."""
    measured = []
    for game in installed_games().values():
        for seats in game.rules().seat_counts:
            at_random = [
                table_of(game.id, seats, server_secret=_secret(number)).play_on(seed=str(number))
                for number in range(AUDITED)
            ]
            measured.append(measure(at_random, "at random", seconds, repeats))
            for name in game.bots:
                by_bots = [_played_by_bots(game.id, name, seats, number) for number in range(AUDITED)]
                measured.append(measure(by_bots, name, seconds, repeats))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    console.print(table(measured))
    if target:
        target.write_text(written(measured), encoding="utf-8")
        console.print(f"Written to {target}.")


if __name__ == "__main__":
    main()
