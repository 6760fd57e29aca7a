"""Arena: for a set time, free entrants are paired again with others of about the same points."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.search import best_tables
from kontor_games.domain.tournaments.pairing.tables import Pairing, cut, improve, pairing_of


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
        return pairing_of(best_tables(order, sizes, history, draws), waiting, history, draws)
    tables = cut(order, sizes)
    improve(tables, history)
    return pairing_of(tables, waiting, history, draws)
