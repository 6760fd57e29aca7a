"""Speed of the engine, compared with catanatron in the same run: `python -m tests.bench.engine`.

It plays at random in one process, with every legal move listed at each decision. The subjects take turns in
short slots, so that changes in the speed of the machine affect all of them alike; ratios are taken between
neighbouring slots. All times are CPU times, which do not include what other programs use.
"""

import cProfile
import json
import os
import platform
import pstats
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.bench.subjects import Catanatron, Installed, Subject

RATIO_TARGETS = {"speicherstadt": 4.0, "europe": 2.0}
"""The least decisions per second, as a multiple of catanatron's."""
COPY_TARGETS = {"speicherstadt": 10.0, "europe": 30.0}
"""The most microseconds for copying a state in the middle of a match."""


@dataclass(frozen=True)
class Measured:
    """The results for one subject."""

    name: str
    players: int
    decisions_per_second: float
    slowest: float
    fastest: float
    decisions: int
    matches: int
    copy_microseconds: float
    ratio: float
    """Speed as a multiple of catanatron's; the median over pairs of neighbouring slots."""
    ratio_target: float | None
    copy_target: float | None


@dataclass(frozen=True)
class Slot:
    """One turn of one subject."""

    decisions: int
    matches: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.decisions / self.seconds


def run_slot(subject: Subject, first: int, seconds: float) -> Slot:
    """Play whole matches, beginning with number `first`, until `seconds` of CPU time have passed."""
    decisions, number, began = 0, first, process_time()
    while True:
        decisions += subject.play(number)
        number += 1
        if (passed := process_time() - began) >= seconds:
            return Slot(decisions, number - first, passed)


def copy_microseconds(copy: Callable[[], object], seconds: float) -> float:
    """The CPU time of one copy; the median of several bursts."""
    bursts = []
    for _ in range(7):
        copies, began = 0, process_time()
        while (passed := process_time() - began) < seconds / 7:
            for _ in range(20):
                copy()
            copies += 20
        bursts.append(passed / copies * 1e6)
    return median(bursts)


def measure(subjects: Sequence[Subject], seconds: float, repeats: int) -> list[Measured]:
    """Measure all subjects in alternating slots; the others are compared with the last one."""
    slots: list[list[Slot]] = [[] for _ in subjects]
    for _ in range(repeats):
        for subject, played in zip(subjects, slots, strict=True):
            played.append(run_slot(subject, sum(slot.matches for slot in played), seconds))
    copies = [copy_microseconds(subject.midway(), min(seconds, 1.0)) for subject in subjects]
    peer = slots[-1]
    return [_measured(*one, peer) for one in zip(subjects, slots, copies, strict=True)]


def _measured(subject: Subject, slots: Sequence[Slot], copy: float, peer: Sequence[Slot]) -> Measured:
    rates = [slot.rate for slot in slots]
    return Measured(
        name=subject.name,
        players=subject.seats,
        decisions_per_second=median(rates),
        slowest=min(rates),
        fastest=max(rates),
        decisions=sum(slot.decisions for slot in slots),
        matches=sum(slot.matches for slot in slots),
        copy_microseconds=copy,
        ratio=median(rate / other.rate for rate, other in zip(rates, peer, strict=True)),
        ratio_target=RATIO_TARGETS.get(subject.name),
        copy_target=COPY_TARGETS.get(subject.name),
    )


def table_of(measured: Sequence[Measured]) -> Table:
    """The results as a table."""
    table = Table(
        box=SIMPLE_HEAD,
        title="Engine: random play, one process, all legal moves listed at each decision",
        title_justify="left",
    )
    table.add_column("engine", style="bold")
    for heading in (
        "players",
        "decisions/s",
        "slowest – fastest",
        "× catanatron",
        "target",
        "copy µs",
        "target",
        "matches",
        "decisions each",
    ):
        table.add_column(heading, justify="right")
    for one in measured:
        table.add_row(
            one.name,
            str(one.players),
            f"{one.decisions_per_second:,.0f}",
            f"{one.slowest:,.0f} – {one.fastest:,.0f}",
            f"{one.ratio:.2f}",
            _target(one.ratio_target, "≥", one.ratio_target is not None and one.ratio >= one.ratio_target),
            f"{one.copy_microseconds:.1f}",
            _target(
                one.copy_target, "≤", one.copy_target is not None and one.copy_microseconds <= one.copy_target
            ),
            f"{one.matches:,}",
            f"{one.decisions / one.matches:,.0f}",
        )
    return table


def _target(target: float | None, sign: str, met: bool) -> str:
    if target is None:
        return ""
    return f"{sign} {target:g} " + ("[green]✓[/]" if met else "[bold red]✗[/]")


def profile(subject: Subject, matches: int) -> list[str]:
    """The ten functions in which random play spends most of its time."""
    profiler = cProfile.Profile()
    profiler.enable()
    for number in range(matches):
        subject.play(number)
    profiler.disable()
    stats = pstats.Stats(profiler)
    # (file, line, name) → (calls, calls with recursion, own time, …).
    functions = stats.stats  # type: ignore[attr-defined]
    hottest = sorted(functions.items(), key=lambda item: -item[1][2])[:10]
    return [
        f"{own / stats.total_tt:6.1%} {calls:>9,} calls  {name} ({Path(file).name}:{line})"  # type: ignore[attr-defined]
        for (file, line, name), (_, calls, own, *_) in hottest
    ]


def subjects_of(games: Mapping[str, Game], *, every_count: bool) -> list[Subject]:
    """Our games with four players (or the largest number below), or with every number; catanatron last."""
    subjects: list[Subject] = []
    for game in games.values():
        counts = game.rules().seat_counts
        subjects += [
            Installed(game, count)
            for count in (counts if every_count else [max(n for n in counts if n <= 4)])
        ]
    return [*subjects, Catanatron()]


def written(measured: Sequence[Measured], seconds: float, repeats: int) -> str:
    """The results as JSON, with a description of the machine."""
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    return (
        json.dumps(
            {
                "machine": machine,
                "slot_seconds": seconds,
                "slots": repeats,
                "engines": [asdict(one) for one in measured],
            },
            indent=2,
        )
        + "\n"
    )


@click.command()
@click.option(
    "--seconds", type=float, default=2.0, show_default=True, help="How long one slot of one engine lasts."
)
@click.option("--repeats", type=int, default=5, show_default=True, help="How many slots each engine gets.")
@click.option("--game", "only", multiple=True, help="Measure only this game; can be repeated.")
@click.option("--every-count", is_flag=True, help="Measure every number of players, not only four.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results into this file.",
)
@click.option(
    "--profile",
    "profiled",
    is_flag=True,
    help="Show the slowest functions of each engine instead of measuring it.",
)
def main(
    *,
    seconds: float,
    repeats: int,
    only: tuple[str, ...],
    every_count: bool,
    target: Path | None,
    profiled: bool,
) -> None:
    """Measure decisions per second of every installed game, compared with catanatron."""
    games = {name: game for name, game in installed_games().items() if not only or name in only}
    subjects = subjects_of(games, every_count=every_count)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    if profiled:
        for subject in subjects:
            console.print(f"\n[bold]{subject.name}[/], {subject.seats} players: the ten slowest functions")
            console.print("\n".join(profile(subject, matches=20)), markup=False)
        return
    measured = measure(subjects, seconds, repeats)
    console.print(table_of(measured))
    if target:
        target.write_text(written(measured, seconds, repeats), encoding="utf-8")
        console.print(f"Written to {target}.")


if __name__ == "__main__":
    main()
