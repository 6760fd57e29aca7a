"""Arena: for a set time, free entrants are paired again with others of about the same points."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize
from kontor_games.domain.tournaments.pairing.swiss import cut
from kontor_games.domain.tournaments.pairing.tables import Pairing, improve, laid


def arena(free: Sequence[int], size: TableSize, history: History, draws: Draws) -> Pairing:
    """Pair as many full tables as there are; the others wait, those who played least come first."""
    tables = len(free) // size.seats
    least_played = sorted(
        draws.shuffled(sorted(free)), key=lambda entrant: sum(history.seated.get(entrant, {}).values())
    )
    playing = least_played[: tables * size.seats]
    waiting = least_played[tables * size.seats :]
    order = sorted(playing, key=lambda entrant: -history.points.get(entrant, 0))
    laid_out = cut(order, [size.seats] * tables)
    improve(laid_out, history)
    return laid(laid_out, waiting, history, draws)
