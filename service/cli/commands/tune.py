"""`kontor tune`: tunes the weights of a searching bot, and tests the result."""

import json
from contextlib import closing, suppress
from pathlib import Path

import click

from kontor_games.domain.codec import digest
from kontor_games.domain.game import Game
from kontor_games.domain.statistics import SequentialTest
from kontor_games.service.arena.tuning import Plan, Tuning, TuningJournal, level_of, settled
from kontor_games.service.cli.arguments import game_argument, number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.terminal import progress_bar

_TEST = SequentialTest()


@command()
@game_argument
@click.option(
    "--journal",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with a line for each step, from which an interrupted run resumes.",
)
@click.option(
    "--target",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the weights, if they pass the test.",
)
@click.option("--bot", default="search:1", show_default=True, help="The bot whose weights are tuned.")
@click.option("--data", "data_name", help="Data set. Default: the first that `kontor games` lists.")
@click.option("--players", multiple=True, type=int, help="Number of players; several are taken in turn.")
@number_option("--steps", default=400, help_text="Number of steps.")
@number_option("--deals", default=4, help_text="Duplicate deals in each step.")
@number_option("--most", default=1000, help_text="Maximum number of deals in the test at the end.")
@click.option("--seed", default="1", show_default=True, help="Seed of all matches and changes.")
@number_option("--jobs", default=1, help_text="Number of processes. The results do not depend on it.")
def tune(
    *, game: Game, journal: Path, target: Path, bot: str, data_name: str | None, players: tuple[int, ...],
    steps: int, deals: int, most: int, seed: str, jobs: int,
) -> None:  # fmt: skip
    """Tune the weights of a searching bot (SPSA on duplicate deals).

    Each step changes all weights at random, plays the change against its opposite, and moves the weights
    towards the better one. At the end, a sequential test plays the result against the weights at the start,
    with each number of players. Exit codes: 0 if the result is better with at least one number of players and
    worse with none; its weights are then in the target. 1 if it is worse, 3 if nothing was decided.
    """
    counts = game.rules().seat_counts
    for number in players:
        if number not in counts:
            raise click.UsageError(f"{game.id} is for {', '.join(map(str, counts))} players, not {number}.")
    level = level_of(game.id, bot)
    start = dict(level.weights)
    data = data_name or game.data_sets[0].name
    plan = Plan(
        game=game.id, data=data, level=bot, seats=players or (min(counts),), steps=steps, deals=deals,
        seed=seed, start=start,
    )  # fmt: skip
    with closing(Tuning(plan, jobs)) as tuning:
        kept = TuningJournal(journal, plan)
        _make_steps(tuning, kept)
        weights = settled(kept.steps)
        verdicts = [_passes(tuning, weights, seats, most) for seats in plan.seats]
    if False in verdicts:
        raise SystemExit(1)
    if True not in verdicts:
        raise SystemExit(3)
    document = {"version": level.version + 1, "hash": digest(weights), "weights": weights}
    target.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {target}.")


def _make_steps(tuning: Tuning, kept: TuningJournal) -> None:
    """Make the steps that the journal lacks; after Ctrl-C, the test follows for the steps so far."""
    weights = kept.steps[-1].weights if kept.steps else tuning.plan.start
    with suppress(KeyboardInterrupt), progress_bar("steps", tuning.plan.steps) as advance:
        for step in kept.steps:
            advance(step)
        for step in tuning.steps(weights, len(kept.steps)):
            kept.add(step)
            advance(step)


def _passes(tuning: Tuning, weights: dict[str, float], seats: int, most: int) -> bool | None:
    """Test the weights with one number of players, and report the score."""
    verdict = None
    for score, verdict in tuning.gate(weights, seats, most, _TEST):  # noqa: B007
        pass
    low, high = score.interval
    words = {True: "better", False: "not better", None: "undecided"}[verdict]
    click.echo(
        f"{seats} players, {score.count} deals: score {score.mean:.3f} ({low:.3f} – {high:.3f}), {words}"
    )
    return verdict
