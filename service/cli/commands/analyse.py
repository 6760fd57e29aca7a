"""`kontor analyse`: says what each seat of an exported match could have done better."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kontor_games.domain.analysis import Decision, Step, analysed, mistakes
from kontor_games.domain.codec import Plain
from kontor_games.domain.games import installed_games
from kontor_games.service.cli.arguments import FILE, json_option, language_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.commands.replay import verified_export
from kontor_games.service.cli.play_table import names_option, read_names
from kontor_games.service.cli.replay_screen import Replay
from kontor_games.service.cli.terminal import console, counted, progress_bar
from kontor_games.service.terminal_text import one_line


@command()
@click.argument("file", type=FILE, metavar="FILE")
@click.option(
    "--seat", type=click.IntRange(0), metavar="SEAT", help="Only the decisions of this seat, from 0."
)
@click.option("--all", "everything", is_flag=True, help="Every decision, not only the largest mistakes.")
@names_option
@language_option
@json_option("the decisions as JSON")
def analyse(
    *, file: Path, seat: int | None, everything: bool, names: str | None, language: str, as_json: bool
) -> None:
    """Say what each seat of an exported match could have done better.

    FILE is the export of a match that is over; it is verified first. For each decision the value of the
    position before and after the move is shown, and the best move that was found, judged only by what the
    seat could know (docs/analysis.md).
    """
    taken = verified_export(file, file.read_bytes())
    game = installed_games()[taken.header["ruleset"]["game"]]
    if not taken.header["complete"]:
        raise click.ClickException("The match is not over: what is hidden in it cannot be analysed.")
    if game.appraiser is None:
        raise click.ClickException(f"Matches of {game.titles['en']} cannot be analysed.")
    session = Replay(taken, language)
    if names is not None:
        session.names = read_names(names, len(session.names))
    if seat is not None and seat >= len(session.names):
        raise click.UsageError(f"The match has seats 0 to {len(session.names) - 1}.")
    decisions = analysed(session.id, session.entries, {language: session.names}, seat)
    with progress_bar("Analysing", len(session.entries)) as advance:
        found = [one for entry in counted(decisions, advance) for one in entry]
    seats = range(len(session.names)) if seat is None else [seat]
    own = {one: [decision for decision in found if decision.seat == one] for one in seats}
    shown = own if everything else {one: list(mistakes(found, one)) for one in seats}
    if as_json:
        encode = session.at(session.last).rules.move_codec.encode
        lists = [[_plain(one, encode, language) for one in shown[seat]] for seat in seats]
        counts = [len(own[one]) for one in seats]
        named = zip(seats, counts, lists, strict=True)
        click.echo(json.dumps(
            {"match": session.id, "seats": [
                {"seat": one, "name": session.names[one], "decisions": count, "shown": plain}
                for one, count, plain in named
            ]},
            ensure_ascii=False,
        ))  # fmt: skip
        return
    unit = game.appraiser(session.at(session.last).rules).unit
    tables = [_table(session.names, one, decisions, unit, language) for one, decisions in shown.items()]
    console().print(Group(*tables))


def _plain(one: Decision, encode: Callable[[Any], Plain], language: str) -> Plain:
    def step(taken: Step) -> Plain:
        return {"seat": taken.seat, "move": encode(taken.move), "label": taken.labels[language]}

    return {
        "version": one.version, "before": round(one.before, 2), "after": round(one.after, 2),
        "made": step(one.made), "line": [step(taken) for taken in one.line],
    }  # fmt: skip


def _table(
    names: Sequence[str], seat: int, decisions: Sequence[Decision], unit: str, language: str
) -> RenderableType:
    title = Text(f"{one_line(names[seat])}", "bold")
    if not decisions:
        return Group(title, Text("no mistake found"))
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    for heading in ("version", f"best, {unit}", "played"):
        table.add_column(heading, justify="right")
    for heading in ("move", "better was", "and then"):
        table.add_column(heading)
    for one in decisions:
        best, *then = one.line or (None,)
        table.add_row(
            str(one.version), f"{one.before:+.1f}", f"{one.after:+.1f}", one.made.labels[language],
            best.labels[language] if best else "–",
            "\n".join(f"{one_line(names[step.seat])}: {step.labels[language]}" for step in then if step),
        )  # fmt: skip
    return table
