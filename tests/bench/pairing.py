"""Speed and quality of pairing the rounds of a large tournament: `python -m tests.bench.pairing`.

It enters 10,000 players, plays rounds with made-up results, and times each pairing as the service does it:
the command on a copy, with standings and history computed again. It fails if a pairing takes more than five
seconds of CPU time. A complete tournament can have at most 2,000 tables, so it has as many entrants as that
allows.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import click

from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments import facts
from kontor_games.domain.tournaments.commands import PairRound
from kontor_games.domain.tournaments.pairing.entrants import pairs_of
from kontor_games.domain.tournaments.terms import PAIRING_VERSION
from kontor_games.domain.tournaments.tournament import Tournament
from tests.domain.tournaments.tournaments import SECRET, TERMS

ENTRANTS, LONGEST_S = 10_000, 5.0
ROUND_ROBIN = 63
"""The most entrants with which a round robin has at most 2,000 tables."""


@dataclass(frozen=True)
class Field:
    """A tournament to be measured."""

    name: str
    rounds: int
    terms: dict[str, Any]
    most: int = ENTRANTS


FIELDS = (
    Field("swiss, tables of 4", 8, {"format": "swiss"}),
    Field("swiss, tables of 2", 8, {"format": "swiss", "seats": 2, "least_seats": 2, "points": (2, 0)}),
    Field("swiss, tables of 5", 8, {"format": "swiss", "seats": 5, "points": (8, 5, 3, 1, 0)}),
    Field("balanced blocks, tables of 4", 8, {"format": "balanced"}),
    Field("knockout, 2 of 4 go on", 8, {"format": "knockout"}),
    Field("arena, tables of 4", 8, {"format": "arena", "duration_ms": 1_000_000}),
    Field(
        "round robin, tables of 2",
        8,
        {"format": "complete", "seats": 2, "least_seats": 2, "points": (2, 0)},
        ROUND_ROBIN,
    ),
)


@dataclass
class Quality:
    """The quality of the pairings of all rounds."""

    meetings: int
    repeats: int
    """How often two entrants met again."""
    seat_imbalance: float
    """The difference between the seats that an entrant had most and least often; the mean over entrants."""
    worst_imbalance: int
    point_gap: float
    """The difference between the most and the fewest points at a table of the last round, on average."""


def started(field: Field, entrants: int) -> Tournament:
    """A started tournament with this many entrants."""
    terms = replace(
        TERMS, **{"rounds": field.rounds, "bye_points": 0, "pairing_version": PAIRING_VERSION, **field.terms}
    )
    tournament = Tournament()
    tournament.fold_fact(facts.TournamentAnnounced(terms, commitment_of(SECRET), SECRET))
    tournament.fold_fact(facts.EntryOpened())
    for number in range(entrants):
        tournament.fold_fact(facts.EntrantEntered(number, f"p{number}", bot=True, contribution=""))
    ends_at = terms.duration_ms if terms.format == "arena" else None
    tournament.fold_fact(facts.TournamentStarted(tuple(range(entrants)), ends_at))
    return tournament


def finish_round(tournament: Tournament, chance: Random) -> None:
    """Give every open match a result: the lower number is stronger, but not always."""
    for planned in tournament.unfinished:
        match = f"m{planned.slot}"
        tournament.fold_fact(facts.MatchOpened(*planned.slot, match, planned.entrants))
        strength = {
            entrant: entrant + chance.gauss(0, len(tournament.entrants) / 4) for entrant in planned.entrants
        }
        ranked = sorted(planned.entrants, key=strength.__getitem__)
        places = tuple(1 + ranked.index(entrant) for entrant in planned.entrants)
        scores = tuple(10 * (5 - place) for place in places)
        tournament.fold_fact(facts.ResultRecorded(match, places, scores, "played"))


def paired_rounds(tournament: Tournament, rounds: int) -> Iterator[float]:
    """Pair and play rounds; yield the CPU time of each pairing, in seconds."""
    chance = Random(7)  # the same results in every run
    for number in range(1, rounds + 1):
        copy, start = tournament.copy(), time.process_time()
        [paired] = PairRound().decide(copy, HOUSE, number)
        yield time.process_time() - start
        tournament.fold_fact(paired)
        finish_round(tournament, chance)


def quality_of(tournament: Tournament) -> Quality:
    """Count repeated meetings, seats and gaps in points."""
    tables = [table for paired in tournament.rounds for table in paired.tables]
    met = Counter(pair for table in tables for pair in pairs_of(table.entrants))
    seats = Counter((entrant, seat) for table in tables for seat, entrant in enumerate(table.entrants))
    width = range(tournament.terms.seats)
    spread = [
        max(seats[entrant.number, seat] for seat in width)
        - min(seats[entrant.number, seat] for seat in width)
        for entrant in tournament.entrants
    ]
    gaps = [max(table.points) - min(table.points) for table in tournament.rounds[-1].tables]
    return Quality(
        met.total(),
        met.total() - len(met),
        sum(spread) / len(spread),
        max(spread),
        sum(gaps) / len(gaps) / 60,
    )


def main() -> None:
    """Print one row for each format, and fail if a round took too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=ENTRANTS, help="how many players enter")
    entrants, slow = parser.parse_args().entrants, list[str]()
    click.echo(
        "| format | entrants | rounds | slowest round (CPU s) | repeated meetings "
        "| seat imbalance, mean (worst) | gap in points |\n"
        "|---|---|---|---|---|---|---|"
    )
    for field in FIELDS:
        tournament = started(field, min(entrants, field.most))
        slowest = max(paired_rounds(tournament, field.rounds))
        found = quality_of(tournament)
        click.echo(
            f"| {field.name} | {len(tournament.entrants):,} | {field.rounds} | {slowest:.2f} | "
            f"{found.repeats:,} of {found.meetings:,} | {found.seat_imbalance:.2f} "
            f"({found.worst_imbalance}) | {found.point_gap:.2f} |"
        )
        if slowest > LONGEST_S:
            slow.append(field.name)
    if slow:
        sys.exit(f"slower than {LONGEST_S} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
