"""`kontor simulate`: many matches between bots, and statistics over their results."""

import json
import shlex
import time
from contextlib import nullcontext, suppress
from pathlib import Path

import click

from kontor_games.domain.game import Game
from kontor_games.service.arena import Contest, Journal, Tally, outcomes
from kontor_games.service.arena.cluster import cluster_outcomes
from kontor_games.service.cli.arguments import game_argument, json_option, number_option
from kontor_games.service.cli.bot_table_options import BotTable, table_options
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.simulation_report import plain_report, show_report
from kontor_games.service.cli.terminal import console, progress_bar


@command()
@game_argument
@table_options
@number_option("--matches", default=200, help_text="Number of matches.")
@number_option("--jobs", default=1, help_text="Number of processes. The results do not depend on it.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786 (docs/simulations.md)."
)
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write each match to this file as a line of JSON. "
    "If the file contains matches of the same run, continue after them.",
)
@json_option("the results as JSON")
def simulate(
    *,
    game: Game,
    table: BotTable,
    matches: int,
    jobs: int,
    cluster: str | None,
    journal: Path | None,
    as_json: bool,
) -> None:
    """Simulate many matches between bots and count the wins.

    After each match, every bot moves to the next seat. Shares of wins are printed with their 95% confidence
    interval (Wilson); a win shared by two counts half for each. Without --bots, the last bot that the game
    lists plays against the first.

    Match n of seed X, counted from 0, has the seed X/n: `kontor watch GAME --seed X/n` and "seed": "X/n" in
    the API give the same deal.
    """
    contest = table.contest(game, list(game.bots)[-1:] + list(game.bots)[:1])
    if journal and journal.exists() and table.seed is None:
        raise click.UsageError("To continue a journal, use the --seed of the previous run.")
    began = time.perf_counter()
    tally = _tally(contest, matches, jobs, cluster, journal)
    seconds = time.perf_counter() - began
    if tally.matches and as_json:
        click.echo(json.dumps(plain_report(contest, tally), indent=2, ensure_ascii=False))
    elif tally.matches:
        show_report(console(), game, contest, tally, seconds)
        _show_seeds(contest, table)
    if tally.matches < matches:
        click.echo(f"Stopped after {tally.matches} of {matches} matches.", err=True)
        raise SystemExit(130)


def _show_seeds(contest: Contest, table: BotTable) -> None:
    """Print the seed of each match, and the command to watch the first one."""
    chosen = [word for key, value in table.pairs for word in ("--option", f"{key}={value}")]
    chosen += ["--data", str(table.data)] if table.data else []
    line = ["kontor", "watch", contest.game, "--bots", ",".join(contest.bots), *chosen]
    click.echo(
        f"Match n, counted from 0, has the seed {contest.seed}/n, and its bots have moved n seats on."
        " To watch the first one:"
    )
    click.echo(f"  {shlex.join([*line, '--seed', contest.seed_text(0)])}")


def _tally(contest: Contest, matches: int, jobs: int, cluster: str | None, journal: Path | None) -> Tally:
    """Count the outcomes of all matches; after Ctrl-C, of the matches played so far."""
    tally = Tally()
    with (
        suppress(KeyboardInterrupt),
        Journal(journal, contest) if journal else nullcontext() as kept,
        progress_bar("matches", matches) as advance,
    ):
        for outcome in kept.recorded(matches) if kept else ():
            tally.add(outcome)
            advance(outcome)
        if cluster is None:
            played = outcomes(contest, matches, jobs, tally.matches)
        else:
            played = cluster_outcomes(contest, matches, cluster, tally.matches)
        for outcome in played:
            if kept:
                kept.add(outcome)
            tally.add(outcome)
            advance(outcome)
    return tally
