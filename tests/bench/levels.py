"""How strong house bots are, and how long they think: `python -m tests.bench.levels`.

Each line is a bot on one seat against another bot on all other seats, each deal once from every seat.
Intervals are 95%, with the deal as the unit. Times are CPU time for a decision between several moves. This
program made the table of docs/searching-bots.md; `--only` chooses lines.
"""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import click

from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.game import Bot, Move, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.statistics import RunningMean, beaten_share
from kontor_games.service.arena import BotMatch

LEVELS = tuple(f"search:{level}" for level in range(1, 6))


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    game: str
    seats: int
    bot: str
    rival: str
    deals: int
    """With the default of `--scale`."""
    data: str | None = None

    def __str__(self) -> str:
        return f"{self.game} {self.seats} {self.bot} {self.rival}"


_AGAINST_GREEDY = ((2, 500), (3, 100), (4, 60), (5, 40))
LINES = (
    *(Line("speicherstadt", seats, "search:3", "greedy", deals) for seats, deals in _AGAINST_GREEDY),
    *(Line("speicherstadt", 2, bot, "greedy", 200) for bot in LEVELS[:2]),
    *(Line("speicherstadt", 4, bot, "greedy", 60) for bot in LEVELS[:2]),
    *(Line("speicherstadt", 2, bot, rival, 200) for rival, bot in pairwise(LEVELS[:3])),
    *(Line("speicherstadt", 4, bot, rival, 30) for rival, bot in pairwise(LEVELS)),
    *(Line("europe", 4, bot, "greedy", 60) for bot in LEVELS[:3]),
    *(Line("europe", 4, bot, rival, 30) for rival, bot in pairwise(LEVELS[:3])),
)


@dataclass
class Timed:
    """A bot whose CPU time is measured."""

    bot: Bot
    times: list[float] = field(default_factory=list)

    def choose(self, seat: int, view: Sight, legal: Sequence[Move], draws: Draws) -> Move | None:
        began = time.process_time()
        move = self.bot.choose(seat, view, legal, draws)
        if len(legal) > 1:
            self.times.append(time.process_time() - began)
        return move


def play(line: Line, deal: int) -> tuple[float, float, list[float]]:
    """The bot's share of wins and of opponents beaten in the matches of a deal, and its times."""
    game = installed_games()[line.game]
    rules = game.rules(line.data)
    bot, rival = Timed(game.all_bots[line.bot](rules)), game.all_bots[line.rival](rules)
    wins, beaten = 0.0, 0.0
    for seat in range(line.seats):
        bots: list[Any] = [bot if other == seat else rival for other in range(line.seats)]
        match = BotMatch(rules, bots, rules.options(), Seeded(seed_from(f"levels/{deal}")))
        for _ in match:
            pass
        result = rules.result(match.state)
        assert result is not None
        wins += (seat in result.winners) / len(result.winners)
        beaten += beaten_share(result.places, seat)
    return wins / line.seats, beaten / line.seats, bot.times


def measured(line: Line, deals: int, pool: ProcessPoolExecutor) -> str:
    """A line of the table, as Markdown."""
    wins, beaten, times = RunningMean(), RunningMean(), list[float]()
    for won, share, taken in pool.map(play, [line] * deals, range(deals)):
        wins.add(won)
        beaten.add(share)
        times += taken
    times.sort()
    mean, late, most = sum(times) / len(times), times[int(0.99 * len(times))], times[-1]
    return (
        f"| {line.game} | {line.seats} | {line.bot} | {line.rival} | {deals * line.seats} | {_percent(wins)} "
        f"| {_percent(beaten)} | {1000 * mean:.1f} | {1000 * late:.0f} | {1000 * most:.0f} |"
    )


def _percent(mean: RunningMean) -> str:
    low, high = mean.interval
    return f"{100 * mean.mean:.1f}% ± {50 * (high - low):.1f}"


@click.command()
@click.option("--only", default="", help="Lines that contain this text, such as 'speicherstadt 2'.")
@click.option("--scale", default=1.0, help="Factor on the number of deals.")
@click.option("--jobs", default=1, help="Number of processes.")
def main(*, only: str, scale: float, jobs: int) -> None:
    """Measure house bots against each other."""
    click.echo("| game | seats | bot | against | matches | wins | opponents beaten | ms mean | p99 | most |")
    click.echo("|---|---|---|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for line in _chosen(only):
            click.echo(measured(line, max(2, round(line.deals * scale)), pool))


def _chosen(only: str) -> Iterable[Line]:
    return (line for line in LINES if only in str(line))


if __name__ == "__main__":
    main()
