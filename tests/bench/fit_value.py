"""Fits the weights of the value of positions of Settlers of Europe: `python -m tests.bench.fit_value`.

Positions are sampled from the turns of matches between house bots. The weights are those of a
conditional logit: with strengths s, seat i wins with the probability exp(s_i) / (exp(s_0) + … + exp(s_n)).
They are fitted by Newton's method to four fifths of the matches; the others measure the loss. Weights of the
current version that are no factors of features stay as they are. Its output is in docs/tuning.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from math import exp, fsum, log
from multiprocessing import get_context
from typing import Any, NamedTuple

import click

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.bots.searching import LEVELS
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.state.phases import ACTION
from kontor_games.service.arena import BotMatch

Vector = list[float]
EVERY = 14
"""Of the positions in which a seat may act after production, one in so many is sampled."""
RIDGE = 1e-3


class Sample(NamedTuple):
    """One position."""

    features: tuple[Vector, ...]
    """By seat."""
    won: Vector
    """By seat, the share of the win."""


def names() -> list[str]:
    """The features, in the order of the weights."""
    rules: Any = GAME.rules()
    state = rules.table(4, rules.options())
    rules.deal(state, Seeded(seed_from("names")))
    return [*_valuer(rules, state).features(state, 0)]


def _valuer(rules: Any, state: Any) -> Valuer:
    return Valuer(Terrain(rules), state, LEVELS["search:1"].weights)


def sampled(data: str, seats: int, bot: str, seed: str, number: int) -> list[Sample]:
    """The positions of one match."""
    rules: Any = GAME.rules(data)
    bots = [GAME.all_bots[bot](rules)] * seats
    match = BotMatch(rules, bots, rules.options(), Seeded(seed_from(f"{seed}/{number}")))
    seen, found = number, list[tuple[Vector, ...]]()
    for _ in match:
        state = match.state
        if state.phase == ACTION and not state.offers:
            seen += 1
            if seen % EVERY == 0:
                valuer = _valuer(rules, state)
                rows = (valuer.features(state, seat) for seat in range(seats))
                found.append(tuple([[*map(float, row.values())] for row in rows]))
    result = rules.result(match.state)
    won = [(seat in result.winners) / len(result.winners) for seat in range(seats)]
    return [Sample(features, won) for features in found]


def chances(weights: Vector, sample: Sample) -> Vector:
    """The probability that each seat wins."""
    strengths = [fsum(map(float.__mul__, weights, row)) for row in sample.features]
    most = max(strengths)
    powers = [exp(strength - most) for strength in strengths]
    return [power / fsum(powers) for power in powers]


def loss(weights: Vector, samples: Sequence[Sample]) -> float:
    """The mean of minus the logarithm of the probability of what happened."""
    terms = (
        -share * log(chance)
        for sample in samples
        for share, chance in zip(sample.won, chances(weights, sample), strict=True)
    )
    return fsum(terms) / len(samples)


def fitted(samples: Sequence[Sample], steps: int = 6) -> Vector:
    """The weights with the smallest loss."""
    size = len(samples[0].features[0])
    weights = [0.0] * size
    for _ in range(steps):
        slope = [RIDGE * weight for weight in weights]
        curve = [[RIDGE * (row == column) for column in range(size)] for row in range(size)]
        for sample in samples:
            expected = chances(weights, sample)
            mean = [
                fsum(map(float.__mul__, expected, column)) for column in zip(*sample.features, strict=True)
            ]
            for row, chance, share in zip(sample.features, expected, sample.won, strict=True):
                apart = [value - middle for value, middle in zip(row, mean, strict=True)]
                for i, value in enumerate(apart):
                    slope[i] += (chance - share) * row[i] / len(samples)
                    factor, line = chance * value / len(samples), curve[i]
                    for j in range(i + 1):
                        line[j] += factor * apart[j]
        for i in range(size):
            for j in range(i):
                curve[j][i] = curve[i][j]
        weights = [weight - change for weight, change in zip(weights, solved(curve, slope), strict=True)]
    return weights


def solved(matrix: Sequence[Vector], right: Vector) -> Vector:
    """The solution of linear equations with a positive definite matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        for other in rows[i + 1 :]:
            factor = other[i] / row[i]
            for j in range(i, len(row)):
                other[j] -= factor * row[j]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = fsum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found


@click.command()
@click.option("--data", default="short-2", help="Data set.")
@click.option("--players", default=4, help="Number of seats.")
@click.option("--bot", default="greedy", help="The bot on all seats.")
@click.option("--matches", default=2000, help="Number of matches.")
@click.option("--seed", default="fit-2", help="Seed of the matches.")
@click.option("--jobs", default=1, help="Number of processes.")
def main(*, data: str, players: int, bot: str, matches: int, seed: str, jobs: int) -> None:
    """Fit the weights and print them."""
    play = partial(sampled, data, players, bot, seed)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found = [*pool.map(play, range(matches), chunksize=8)]
    known, new = (
        [*chain.from_iterable(found[i] for i in range(matches) if (i % 5 == 0) == held)] for held in (0, 1)
    )
    weights = fitted(known)
    click.echo(f"{matches} matches of {players} {bot} on {data}, {len(known)} + {len(new)} positions")
    for label, some in (("nothing", [0.0] * len(weights)), ("these weights", weights)):
        click.echo(
            f"loss with {label}: {loss(some, known):.4f} (fitted), {loss(some, new):.4f} (other matches)"
        )
    click.echo(
        json.dumps({name: round(weight, 3) for name, weight in zip(names(), weights, strict=True)}, indent=1)
    )


if __name__ == "__main__":
    main()
