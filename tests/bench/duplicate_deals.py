"""How much the variance of results decreases if the same deal is played from every seat.

`python -m tests.bench.duplicate_deals` lets greedy bots play against random ones, with duplicate and with
independent deals, and compares the variance of the score of a block: the mean share of opponents that the
first bot beat. The interval is a bootstrap over blocks.
"""

import argparse
from collections.abc import Sequence
from statistics import variance

import click

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.games import installed_games
from kontor_games.domain.statistics import bootstrap
from kontor_games.service.arena.contest import Contest, Outcome

PAIR = ("greedy", "random")


def contest_of(game: str, seats: int, *, duplicate: bool) -> Contest:
    """A contest in which greedy and random bots have alternate seats."""
    title = installed_games()[game]
    data = title.data_sets[0]
    bots = tuple(PAIR[seat % 2] for seat in range(seats))
    return Contest(
        game, bots, f"duplicate {duplicate}", title.rules(data).options(), data, duplicate=duplicate
    )


def block_scores(contest: Contest, blocks: int) -> list[float]:
    """For each block, the mean share of opponents that the first bot beat; in each match its seat differs."""
    seats = len(contest.bots)
    return [
        sum(_beaten(contest.outcome(block * seats + turn), turn) for turn in range(seats)) / seats
        for block in range(blocks)
    ]


def _beaten(outcome: Outcome, seat: int) -> float:
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    return sum(1.0 if mine < place else 0.5 if mine == place else 0.0 for place in others) / len(others)


def compared(same: Sequence[float], own: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """The variance with duplicate deals divided by that with independent ones, and its 95% interval."""

    def ratio(pairs: Sequence[tuple[float, float]]) -> dict[int, float]:
        whole = variance([pair[1] for pair in pairs])
        return {0: variance([pair[0] for pair in pairs]) / whole if whole else 1.0}

    pairs = list(zip(same, own, strict=True))
    return ratio(pairs)[0], bootstrap(pairs, ratio, Seeded(seed_from("duplicate deals")).draws("blocks", 0))[
        0
    ]


def main() -> None:
    """Print one line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=300, help="blocks of matches for each game")
    parser.add_argument("--seats", type=int, default=4, help="players of each match")
    parser.add_argument("--games", nargs="*", default=sorted(installed_games()), help="only these games")
    blocks, seats, games = vars(parser.parse_args()).values()
    click.echo(
        "| game | seats | blocks | variance, independent | variance, duplicate | ratio (95%) |\n"
        "|---|---|---|---|---|---|"
    )
    for game in games:
        scores = [block_scores(contest_of(game, seats, duplicate=same), blocks) for same in (True, False)]
        ratio, (low, high) = compared(*scores)
        same, own = (variance(found) for found in scores)
        click.echo(
            f"| `{game}` | {seats} | {blocks} | {own:.4f} | {same:.4f} | {ratio:.2f} "
            f"({low:.2f} – {high:.2f}) |"
        )


if __name__ == "__main__":
    main()
