"""The formats of tournaments: one function for each, which pairs the entrants by a version of the rules."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, inf

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.search import best_tables, keep_apart, pair_by_points
from kontor_games.domain.tournaments.pairing.tables import (
    FORBIDDEN,
    Pairing,
    cut,
    improve,
    meeting_cost,
    pairing_of,
)

MAX_TABLES = 2000
"""Maximum number of tables of a complete tournament."""
_TRIES = 40


def complete_rounds(entrants: int, seats: int) -> list[list[tuple[int, ...]]]:
    """Return every combination of entrants once, in rounds in which nobody sits at two tables.

    For two seats these are the rounds of the circle method. The numbers are places in the list of entrants.
    """
    if comb(entrants, seats) > MAX_TABLES:
        raise ValueError(f"more than {MAX_TABLES} tables")
    return _circle(entrants) if seats == 2 else _first_fit(entrants, seats)


def _circle(entrants: int) -> list[list[tuple[int, ...]]]:
    """The circle method: one entrant stays, the others rotate; with an odd number, one has a bye."""
    places = [*range(entrants), *([-1] if entrants % 2 else [])]
    half = len(places) // 2
    rounds: list[list[tuple[int, ...]]] = []
    for _ in range(len(places) - 1):
        pairs = zip(places[:half], reversed(places[half:]), strict=True)
        rounds.append([pair for pair in pairs if -1 not in pair])
        places = [places[0], places[-1], *places[1:-1]]
    return rounds


def _first_fit(entrants: int, seats: int) -> list[list[tuple[int, ...]]]:
    rounds: list[list[tuple[int, ...]]] = []
    busy: list[set[int]] = []
    for table in combinations(range(entrants), seats):
        index = next((i for i, taken in enumerate(busy) if taken.isdisjoint(table)), len(busy))
        if index == len(busy):
            busy.append(set())
            rounds.append([])
        busy[index].update(table)
        rounds[index].append(table)
    return rounds


def balanced(
    present: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2
) -> Pairing:
    """Pair a round by who has met least, regardless of points: the best of several tries."""
    order = sorted(present)
    sizes, idle = size.cut(len(order))
    tables, byes, least = list[list[int]](), list[int](), inf
    for _ in range(_TRIES):
        drawn = draws.shuffled(order)
        resting = bye_order(drawn, history)[:idle]
        tried = cut([entrant for entrant in drawn if entrant not in resting], sizes)
        improve(tried, history, meeting_cost)
        cost = sum(meeting_cost(history, table) for table in tried)
        if cost < least:
            tables, byes, least = tried, resting, cost
        if not cost:
            break
    if version > 1:
        tables = keep_apart(tables, history, meeting_cost)
    return pairing_of(tables, byes, history, draws)


def swiss(
    present: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2
) -> Pairing:
    """Pair one round of a Swiss: entrants with equal points meet, earlier opponents as rarely as possible.

    Sort by points, ties by lot; remove those with a bye; cut into tables; then swap entrants between tables
    that are near in points until no swap makes the round better.
    """
    order = sorted(draws.shuffled(sorted(present)), key=lambda entrant: -history.points.get(entrant, 0))
    byes = bye_order(order, history)
    if version > 1:
        tables, byes = pair_by_points(order, size, history, draws, byes)
    else:
        sizes, idle = size.cut(len(order))
        byes = byes[:idle]
        tables = cut([entrant for entrant in order if entrant not in byes], sizes)
        improve(tables, history)
    return pairing_of(tables, byes, history, draws)


def bye_order(order: Sequence[int], history: History) -> list[int]:
    """Return who gets a bye first: those with the fewest byes, and among them the last in the given order.

    A round missed by absence counts as a bye, so that nobody gets an extra bye by leaving and coming back.
    """
    rank = {entrant: index for index, entrant in enumerate(order)}
    return sorted(order, key=lambda entrant: (history.byes.get(entrant, 0), -rank[entrant]))


def arena(free: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2) -> Pairing:
    """Pair as many entrants as fill tables, those who played least first; the others wait.

    In version 1 of the pairing rules, only full tables are paired.
    """
    full = len(free) // size.seats
    sizes = size.cut(len(free))[0] if version > 1 else [size.seats] * full
    least_played = sorted(
        draws.shuffled(sorted(free)), key=lambda entrant: sum(history.seated.get(entrant, {}).values())
    )
    playing, waiting = least_played[: sum(sizes)], least_played[sum(sizes) :]
    order = sorted(playing, key=lambda entrant: -history.points.get(entrant, 0))
    if version > 1:
        tables = best_tables(order, sizes, history, draws)
    else:
        tables = cut(order, sizes)
        improve(tables, history)
    return pairing_of(tables, waiting, history, draws)


def knockout(
    seeded: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2
) -> Pairing:
    """Pair one round of the remaining entrants, best seeded first.

    The best seeded have the byes, if there are any. The others are dealt to the tables like cards, forwards
    and back, so that the best are spread evenly.
    """
    sizes, idle = size.cut(len(seeded))
    tables: list[list[int]] = [[] for _ in sizes]
    order = list(seeded[idle:])
    forwards = list(zip(tables, sizes, strict=True))
    while order:
        for table, seats in forwards + forwards[::-1]:
            if order and len(table) < seats:
                table.append(order.pop(0))
    improve(tables, history, _forbidden_only)
    if version > 1:
        tables = keep_apart(tables, history, _forbidden_only)
    return pairing_of(tables, seeded[:idle], history, draws)


def _forbidden_only(history: History, entrants: Sequence[int]) -> int:
    return FORBIDDEN * len(history.forbidden_at(entrants))


def advancing(finishes: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]], best: int) -> list[int]:
    """Return the entrants who advance from tables given as entrants, places and scores.

    The best by place, ties by score, then by seat; the winners of all tables come before all second places.
    """
    going: list[tuple[int, int, int, int]] = []
    for table, (entrants, places, scores) in enumerate(finishes):
        order = sorted(range(len(entrants)), key=lambda seat: (places[seat], -scores[seat], seat))
        going += [(rank, -scores[seat], table, entrants[seat]) for rank, seat in enumerate(order[:best])]
    return [entrant for *_, entrant in sorted(going)]
