"""Swiss rounds for tables: entrants with equal points meet, earlier opponents as rarely as possible.

Sort by points, ties by lot; remove those with a bye; cut into tables; then swap entrants between tables that
are near in points until no swap makes the round better.
"""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.search import pair_by_points
from kontor_games.domain.tournaments.pairing.tables import Pairing, cut, improve, pairing_of


def swiss(
    present: Sequence[int], size: TableSize, history: History, draws: Draws, version: int = 2
) -> Pairing:
    """Pair one round of the entrants who are present, by a version of the rules of pairing."""
    order = sorted(draws.shuffled(sorted(present)), key=lambda entrant: -history.points.get(entrant, 0))
    if version > 1:
        return pairing_of(
            *pair_by_points(order, size, history, draws, choose_byes(order, len(order), history)),
            history,
            draws,
        )
    sizes, idle = size.cut(len(order))
    byes = choose_byes(order, idle, history)
    order = [entrant for entrant in order if entrant not in byes]
    tables = cut(order, sizes)
    improve(tables, history)
    return pairing_of(tables, byes, history, draws)


def choose_byes(order: Sequence[int], count: int, history: History) -> list[int]:
    """Return the entrants with a bye: those with the fewest byes, and among them the last in the order.

    A round missed by absence counts as a bye, so that nobody gets an extra bye by leaving and coming back.
    """
    rank = {entrant: index for index, entrant in enumerate(order)}
    return sorted(order, key=lambda entrant: (history.byes.get(entrant, 0), -rank[entrant]))[:count]
