"""Blocks: everybody meets everybody, either in every combination or about equally often."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize, pairs_of
from kontor_games.domain.tournaments.pairing.search import keep_apart
from kontor_games.domain.tournaments.pairing.swiss import choose_byes
from kontor_games.domain.tournaments.pairing.tables import (
    FORBIDDEN,
    REPEAT,
    Pairing,
    cut,
    improve,
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


def _meetings(history: History, entrants: Sequence[int]) -> int:
    cost = 0
    for pair in pairs_of(entrants):
        met = history.met.get(pair, 0)
        cost += REPEAT * met**2
        cost += FORBIDDEN if pair in history.forbidden else 0
    return cost


def balanced(
    present: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2
) -> Pairing:
    """Pair a round by who has met least, regardless of points: the best of several tries."""
    order = sorted(present)
    sizes, idle = size.cut(len(order))
    best: tuple[int, list[list[int]], list[int]] | None = None
    for _ in range(_TRIES):
        drawn = draws.shuffled(order)
        byes = choose_byes(drawn, idle, history)
        tables = cut([entrant for entrant in drawn if entrant not in byes], sizes)
        improve(tables, history, _meetings)
        cost = sum(_meetings(history, table) for table in tables)
        if best is None or cost < best[0]:
            best = (cost, tables, byes)
        if not cost:
            break
    if best is None:
        return Pairing((), tuple(order))
    tables = keep_apart(best[1], history, _meetings) if version > 1 else best[1]
    return pairing_of(tables, best[2], history, draws)
