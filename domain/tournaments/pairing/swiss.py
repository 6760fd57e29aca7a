"""Swiss rounds for tables: entrants with equal points meet, old opponents as rarely as possible.

Sort by points, equals by lot; those with a bye leave; cut into tables; then swap entrants between tables that
are near in points until no swap makes the round better.
"""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.tables import Pairing, improve, laid


def swiss(present: Sequence[int], size: TableSize, history: History, draws: Draws) -> Pairing:
    """Pair one round of the entrants who are present."""
    order = sorted(draws.shuffled(sorted(present)), key=lambda entrant: -history.points.get(entrant, 0))
    sizes, idle = size.cut(len(order))
    byes = choose_byes(order, idle, history)
    order = [entrant for entrant in order if entrant not in byes]
    tables = cut(order, sizes)
    improve(tables, history)
    return laid(tables, byes, history, draws)


def choose_byes(order: Sequence[int], count: int, history: History) -> list[int]:
    """Return the entrants with a bye: those with the fewest byes, and among them the last in the order.

    A round missed by absence counts as a bye, so that leaving and coming back never brings one.
    """
    rank = {entrant: index for index, entrant in enumerate(order)}
    return sorted(order, key=lambda entrant: (history.byes.get(entrant, 0), -rank[entrant]))[:count]


def cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Cut an order of entrants into tables."""
    tables, start = [], 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size
    return tables
