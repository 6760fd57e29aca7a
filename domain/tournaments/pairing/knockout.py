"""Knockout: the best of each table advance, until one table is left."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.search import keep_apart
from kontor_games.domain.tournaments.pairing.tables import FORBIDDEN, Pairing, improve, pairing_of, table_cost


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
    while order:
        for table, seats in [
            *zip(tables, sizes, strict=True),
            *reversed([*zip(tables, sizes, strict=True)]),
        ]:
            if order and len(table) < seats:
                table.append(order.pop(0))
    improve(tables, history, _forbidden_only)
    if version > 1:
        tables = keep_apart(tables, history, _forbidden_only)
    return pairing_of(tables, seeded[:idle], history, draws)


def _forbidden_only(history: History, entrants: Sequence[int]) -> int:
    return table_cost(history, entrants) // FORBIDDEN * FORBIDDEN


def advancing(finishes: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]], best: int) -> list[int]:
    """Return the entrants who advance from tables given as entrants, places and scores.

    The best by place, ties by score, then by seat; the winners of all tables come before all second places.
    """
    going: list[tuple[int, int, int, int]] = []
    for table, (entrants, places, scores) in enumerate(finishes):
        order = sorted(range(len(entrants)), key=lambda seat: (places[seat], -scores[seat], seat))
        going += [(rank, -scores[seat], table, entrants[seat]) for rank, seat in enumerate(order[:best])]
    return [entrant for *_, entrant in sorted(going)]
