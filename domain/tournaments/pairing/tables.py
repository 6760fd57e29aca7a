"""Tables of a round: cost, improvement by swaps, and seats."""

from collections.abc import Callable, Sequence
from itertools import permutations

from kontor_games.domain.chance import Draws
from kontor_games.domain.codec import Record, record
from kontor_games.domain.tournaments.pairing.entrants import History, pairs_of
from kontor_games.domain.tournaments.refusals import PairingImpossibleError

FORBIDDEN = 1_000_000_000
"""The cost of a forbidden pair at one table: more than everything else together."""
REPEAT = 1000
"""The cost of a first repeated meeting, equal to a difference of 1000 in the points at a table."""
_PASSES = 4
_NEIGHBOURS = 8
"""Number of neighbouring tables, in the order of points, with which swaps are tried."""

Cost = Callable[[History, Sequence[int]], int]
"""The cost of a table, given the history."""


@record
class Table(Record):
    """One table of a round: its entrants in the order of seats, and the reasons for the pairing."""

    entrants: tuple[int, ...]
    points: tuple[int, ...]
    """The points of each entrant before the round."""
    repeats: int
    """Number of repeated meetings at this table."""
    seat_repeats: int
    """How often these players had these seats before, in total."""


@record
class Pairing(Record):
    """The tables of one round, and the entrants with a bye."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


def table_cost(history: History, entrants: Sequence[int]) -> int:
    """Return the cost of a table: forbidden pairs, repeated meetings, and the difference in points."""
    points = [history.points.get(entrant, 0) for entrant in entrants]
    return max(points) - min(points) + meeting_cost(history, entrants)


def meeting_cost(history: History, entrants: Sequence[int]) -> int:
    """Return the cost of a table regardless of points."""
    cost = 0
    for pair in pairs_of(entrants):
        cost += REPEAT * history.met.get(pair, 0) ** 2
        cost += FORBIDDEN if pair in history.forbidden else 0
    return cost


def cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Cut an order of entrants into tables."""
    tables, start = [], 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size
    return tables


def improve(tables: list[list[int]], history: History, cost: Cost = table_cost) -> None:
    """Swap entrants between tables as long as that makes the round cheaper, within a bounded search."""
    costs = [cost(history, table) for table in tables]
    for _ in range(_PASSES):
        improved = False
        for index in range(len(tables)):
            if costs[index] >= REPEAT:
                improved |= _make_best_swap(
                    tables, costs, index, _neighbours(index, len(tables)), history, cost
                )
        if not improved:
            break
    for index in range(len(tables)):
        if costs[index] >= FORBIDDEN:
            everywhere = [other for other in range(len(tables)) if other != index]
            _make_best_swap(tables, costs, index, everywhere, history, cost)


def _neighbours(index: int, tables: int) -> list[int]:
    """The other tables that are near in the order of points, nearest first."""
    near = range(max(0, index - _NEIGHBOURS), min(tables, index + _NEIGHBOURS + 1))
    return sorted((other for other in near if other != index), key=lambda other: abs(other - index))


def _make_best_swap(
    tables: list[list[int]],
    costs: list[int],
    index: int,
    others: Sequence[int],
    history: History,
    cost: Cost,
) -> bool:
    """Make the best swap of one entrant of a table with one of another; return whether there was one."""
    best = (0, 0, 0, 0)
    for other in others:
        before = costs[index] + costs[other]
        for i in range(len(tables[index])):
            for j in range(len(tables[other])):
                after = sum(cost(history, table) for table in _swapped(tables[index], tables[other], i, j))
                best = min(best, (after - before, other, i, j))
    gain, other, i, j = best
    if gain >= 0:
        return False
    tables[index], tables[other] = _swapped(tables[index], tables[other], i, j)
    costs[index], costs[other] = cost(history, tables[index]), cost(history, tables[other])
    return True


def _swapped(one: list[int], other: list[int], i: int, j: int) -> tuple[list[int], list[int]]:
    return [*one[:i], other[j], *one[i + 1 :]], [*other[:j], one[i], *other[j + 1 :]]


def seat(entrants: Sequence[int], history: History, draws: Draws) -> tuple[int, ...]:
    """Return the entrants in the order of seats, so that each has sat everywhere about equally often."""
    if len(entrants) == 1:
        return tuple(entrants)
    drawn = draws.shuffled(entrants)
    taken = [history.seated.get(entrant, {}) for entrant in drawn]
    seats = range(len(drawn))
    order = min(
        permutations(seats), key=lambda order: sum(taken[i].get(s, 0) ** 2 for s, i in enumerate(order))
    )
    return tuple(drawn[i] for i in order)


def pairing_of(
    tables: Sequence[Sequence[int]], byes: Sequence[int], history: History, draws: Draws
) -> Pairing:
    """Return the pairing with seats and reasons; raise PairingImpossibleError for a forbidden pair."""
    return Pairing(tuple(_seated_table(table, history, draws) for table in tables), tuple(sorted(byes)))


def _seated_table(entrants: Sequence[int], history: History, draws: Draws) -> Table:
    if met := history.forbidden_at(entrants):
        raise PairingImpossibleError(
            f"Entrants {met[0][0]} and {met[0][1]} must not meet, and no pairing keeps them apart."
        )
    return described(seat(entrants, history, draws), history)


def described(seated: Sequence[int], history: History) -> Table:
    """Return a table with the reasons for it."""
    return Table(
        entrants=tuple(seated),
        points=tuple(history.points.get(entrant, 0) for entrant in seated),
        repeats=sum(history.met.get(pair, 0) > 0 for pair in pairs_of(seated)),
        seat_repeats=sum(history.seated.get(entrant, {}).get(s, 0) for s, entrant in enumerate(seated)),
    )
