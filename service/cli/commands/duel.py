"""`kontor duel`: tests sequentially, on duplicate deals, whether one bot is better than another."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import click
from rich.live import Live
from rich.table import Table

from kontor_games.domain.game import Game
from kontor_games.domain.statistics import RunningMean, SequentialTest, beaten_share
from kontor_games.service.arena import Contest, Outcome, label_of, outcomes
from kontor_games.service.cli.arguments import game_argument, json_option, number_option, score_option
from kontor_games.service.cli.bot_table_options import BotTable, seat_options
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.simulation_report import fault_words
from kontor_games.service.cli.terminal import console

Faults = dict[str, Counter[str]]
"""The faults of each own bot, by kind: crashed, late or illegal."""


@command()
@game_argument
@click.argument("challenger", metavar="A")
@click.argument("champion", metavar="B")
@seat_options
@score_option("--worse", 0.5, "Score of a bot that is not better than B.")
@score_option("--better", 0.52, "Score of a bot that is better than B.")
@number_option(
    "--most", default=2000, help_text="Maximum number of deals; after them, the test ends undecided."
)
@number_option("--jobs", default=1, help_text="Number of processes. The results do not depend on it.")
@json_option("the result as JSON")
def duel(
    *, game: Game, challenger: str, champion: str, table: BotTable, worse: float, better: float, most: int,
    jobs: int, as_json: bool,
) -> None:  # fmt: skip
    """Test whether bot A is better than bot B.

    The test plays only as many matches as it needs for a decision.

    A plays against B on all other seats, each deal once from every seat. The score of A is the share of
    opponents that it beats, 0.5 between equals; the deal is the unit of the statistics. A sequential test
    (GSPRT, error rates of 5%) ends as soon as it can decide between the scores --better and --worse. Exit
    codes: 0 if A is better, 1 if it is not, 3 if undecided.

    A and B are house bots (`kontor games` lists them) or your own bots: bot.py:Class, exec:COMMAND or
    http://HOST:PORT; with NAME= before it, a bot has that name (docs/own-bots.md).
    """
    if worse >= better:
        raise click.UsageError("--worse must be less than --better.")
    seats = table.players or min(game.rules().seat_counts)
    named = replace(table, bots=f"{challenger},{champion}", players=seats)
    contest = replace(named.contest(game, ()), duplicate=True)
    test, score = SequentialTest(worse, better), RunningMean()
    verdict, faults = _decide(contest, test, score, most, jobs, show=not as_json)
    if as_json:
        click.echo(json.dumps(_plain(contest, test, score, faults, verdict=verdict), indent=2))
    raise SystemExit({True: 0, False: 1, None: 3}[verdict])


def _decide(
    contest: Contest, test: SequentialTest, score: RunningMean, most: int, jobs: int, *, show: bool
) -> tuple[bool | None, Faults]:
    """Play deals until the test decides; return the verdict and the faults of own bots."""
    verdict: bool | None = None
    faults: Faults = {}
    with Live(console=console(), auto_refresh=False, transient=False) as live:
        for block in _blocks(contest, most, jobs):
            score.add(_score(block, label_of(contest.bots[0])))
            for bot, kinds in (one for outcome in block for one in outcome.fault_kinds.items()):
                faults.setdefault(bot, Counter()).update(kinds)
            verdict = test.verdict(score.count, score.mean, score.variance)
            if show and (verdict is not None or score.count % 10 == 0 or score.count == most):
                live.update(_table(contest, test, score, faults, verdict=verdict), refresh=True)
            if verdict is not None:
                break
    return verdict, faults


def _blocks(contest: Contest, most: int, jobs: int) -> Iterator[list[Outcome]]:
    """Yield the matches of each deal."""
    block: list[Outcome] = []
    for outcome in outcomes(contest, most * len(contest.bots), jobs):
        block.append(outcome)
        if len(block) == len(contest.bots):
            yield block
            block = []


def _score(block: list[Outcome], name: str) -> float:
    """Return the mean share of opponents that the challenger beat in the matches of one deal."""
    shares = [beaten_share(outcome.places, outcome.bots.index(name)) for outcome in block]
    return sum(shares) / len(shares)


def _interval(score: RunningMean) -> tuple[float, float]:
    """Return the 95% interval of the score, which is a share of opponents."""
    low, high = score.interval
    return max(0.0, low), min(1.0, high)


_WORDS = {True: "A is better", False: "A is not better", None: "undecided so far"}


def _ratio(test: SequentialTest, score: RunningMean) -> float | None:
    """Return the log-likelihood ratio; None without variance, where it is not defined."""
    return test.ratio(score.count, score.mean, score.variance) if score.variance else None


def _table(
    contest: Contest, test: SequentialTest, score: RunningMean, faults: Faults, *, verdict: bool | None
) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    low, high = _interval(score)
    ratio = _ratio(test, score)
    shown = "not defined, since all scores are equal" if ratio is None else f"{ratio:+.2f}"
    table.add_row(
        "duel", f"A = {label_of(contest.bots[0])}, B = {label_of(contest.bots[-1])}, seed {contest.seed}"
    )
    table.add_row("deals", f"{score.count:,}, each played from {len(contest.bots)} seats")
    table.add_row("score of A", f"{score.mean:.3f}, 95% interval {low:.3f} – {high:.3f}")
    table.add_row("test", f"{test.worse:g} against {test.better:g}: LLR {shown}, bounds ±{test.bound:.2f}")
    if faults:
        table.add_row("faults", f"moves replaced by random ones: {fault_words(faults)}")
    table.add_row("verdict", _WORDS[verdict])
    return table


def _plain(
    contest: Contest, test: SequentialTest, score: RunningMean, faults: Faults, *, verdict: bool | None
) -> dict[str, object]:
    low, high = _interval(score)
    return {
        "a": label_of(contest.bots[0]), "b": label_of(contest.bots[-1]), "seed": contest.seed,
        "deals": score.count, "matches": score.count * len(contest.bots), "score": score.mean,
        "interval": [low, high], "llr": _ratio(test, score),
        "bound": test.bound, "better": verdict,
        "faults": sum(kinds.total() for kinds in faults.values()),
        "faults_by_bot": {bot: dict(kinds) for bot, kinds in sorted(faults.items())},
    }  # fmt: skip
