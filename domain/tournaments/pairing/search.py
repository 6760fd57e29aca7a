"""The search for tables since pairing version 2: more tries, no refusal if forbidden pairs can be avoided.

Version 1 stays unchanged, so that older tournaments are audited by their own rules.
"""

from collections import Counter
from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, Pair, TableSize, pair_of
from kontor_games.domain.tournaments.pairing.tables import REPEAT, Cost, cut, improve, table_cost

_TRIES = 40
_EFFORT = 400
"""The maximum of entrants times tries: with more entrants, repeats are rarer and a try costs more."""
_MAX_BYES_TRIED = 20
_STEPS = 20_000
"""The maximum number of placements in the search for tables without forbidden pairs."""


def pair_by_points(
    order: Sequence[int], size: TableSize, history: History, draws: Draws, by_rule: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Return tables of neighbours in the order, and who has a bye: the first of `by_rule`.

    If forbidden pairs can't be avoided with these byes, the next entrants of `by_rule` get them.
    """
    sizes, idle = size.cut(len(order))
    first: tuple[list[list[int]], list[int]] | None = None
    for start in range(min(_MAX_BYES_TRIED, len(order) - idle + 1) if idle and sizes else 1):
        byes = list(by_rule[start : start + idle])
        tables = best_tables([one for one in order if one not in byes], sizes, history, draws)
        if not any(history.forbidden_at(table) for table in tables):
            return tables, byes
        first = first or (tables, byes)
    return first or ([], list(order))


def best_tables(
    order: Sequence[int], sizes: Sequence[int], history: History, draws: Draws, cost: Cost = table_cost
) -> list[list[int]]:
    """Return the cheapest tables of several tries: the given order, then orders with ever more random shifts.

    Further tries are made only while there is a repeated or forbidden pair.
    """
    best, price = _improved(cut(order, sizes), history, cost)
    for number in range(1, min(_TRIES, _EFFORT // max(1, len(order)))):
        if all(cost(history, table) < REPEAT for table in best):
            break
        tables, found = _improved(cut(_shifted(order, number * sizes[0], draws), sizes), history, cost)
        if found < price:
            best, price = tables, found
    return keep_apart(best, history, cost)


def _improved(tables: list[list[int]], history: History, cost: Cost) -> tuple[list[list[int]], int]:
    improve(tables, history, cost)
    return tables, sum(cost(history, table) for table in tables)


def _shifted(order: Sequence[int], width: int, draws: Draws) -> list[int]:
    """The order after each entrant was moved back by a random number of places, up to a width."""
    moved = {entrant: index + draws.below(width + 1) for index, entrant in enumerate(order)}
    return sorted(order, key=moved.__getitem__)


def keep_apart(tables: list[list[int]], history: History, cost: Cost = table_cost) -> list[list[int]]:
    """Return the tables, or others of the same sizes if these have forbidden pairs and others have none."""
    if not any(history.forbidden_at(table) for table in tables):
        return tables
    order = [entrant for table in tables for entrant in table]
    found = _Placement(order, [len(table) for table in tables], history.forbidden).find()
    if found is None:
        return tables
    improve(found, history, cost)
    return found


class _Placement:
    """Places one entrant after another, those with the most forbidden opponents first, with backtracking."""

    def __init__(self, order: Sequence[int], sizes: Sequence[int], forbidden: frozenset[Pair]) -> None:
        conflicts = Counter(entrant for pair in forbidden for entrant in pair)
        self._order = sorted(order, key=lambda entrant: -conflicts[entrant])
        self._sizes = sizes
        self._forbidden = forbidden
        self._tables: list[list[int]] = [[] for _ in sizes]
        self._steps = _STEPS

    def find(self) -> list[list[int]] | None:
        """Return tables without forbidden pairs; None if there are none, or if the search takes too long."""
        # Without recursion: `tried[n]` is the table at which the n-th entrant sits, or will be tried next.
        tried = [0]
        while tried and self._steps:
            self._steps -= 1
            entrant, index = self._order[len(tried) - 1], self._next(len(tried) - 1, tried[-1])
            if index is None:
                tried.pop()
                if tried:
                    self._tables[tried[-1]].remove(self._order[len(tried) - 1])
                    tried[-1] += 1
                continue
            self._tables[index].append(entrant)
            tried[-1] = index
            if len(tried) == len(self._order):
                return self._tables
            tried.append(0)
        return None

    def _next(self, number: int, start: int) -> int | None:
        """The next table from `start` that fits; of empty tables of one size only the first is tried."""
        entrant, empty = self._order[number], set[int]()
        for index, (table, size) in enumerate(zip(self._tables, self._sizes, strict=True)):
            is_new = bool(table) or size not in empty
            if not table:
                empty.add(size)
            if index >= start and is_new and len(table) < size and self._fits(entrant, table):
                return index
        return None

    def _fits(self, entrant: int, table: Sequence[int]) -> bool:
        return all(pair_of(entrant, other) not in self._forbidden for other in table)
