"""`python -m tests.attacks`: thousands of hostile connections of each kind, and what honest players notice of them."""

import sys

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.attacks.siege import KINDS, besieged

TARGET = 3.0


@click.command()
@click.option("--count", default=2000, show_default=True, help="Hostile connections of each kind.")
@click.option("--moves", default=300, show_default=True, help="Honest moves beside each kind.")
@click.option("--kind", "only", multiple=True, help="Only this kind of attack; can be repeated.")
def main(*, count: int, moves: int, only: tuple[str, ...]) -> None:
    """Attack a service with held connections and measure honest moves."""
    table = Table(box=SIMPLE_HEAD, title=f"Honest moves beside {count:,} hostile connections of one address")
    for heading in ("attack", "p50 ms", "p99 ms", "alone p99 ms", "times", f"≤ {TARGET:g}", "CPU s"):
        table.add_column(heading, justify="left" if heading == "attack" else "right")
    failed = False
    with besieged() as siege:
        siege.play(moves)
        for kind in only or KINDS:
            for with_token in (False, True) if kind in ("streams", "long polls") else (False,):
                alone = siege.play(moves)
                with siege.attacked(kind, count, 300, with_token=with_token):
                    beside = siege.play(moves)
                times = beside.p99_ms / alone.p99_ms
                failed |= times > TARGET
                table.add_row(
                    kind + (" of one player" if with_token else ""),
                    f"{beside.p50_ms:.1f}",
                    f"{beside.p99_ms:.1f}",
                    f"{alone.p99_ms:.1f}",
                    f"× {times:.2f}",
                    "[red]✗[/]" if times > TARGET else "[green]✓[/]",
                    f"{beside.cpu:.2f}",
                )
    Console(highlight=False, width=None if sys.stdout.isatty() else 120).print(table)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
