"""Redraws everything that is hidden from a viewer: the order of pile and bag."""

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.speicherstadt.data.cards import GOODS, by_season
from kontor_games.domain.games.speicherstadt.state import Table


def resample(state: Table, viewer: int, chance: Chance) -> Table:
    """Return a copy with pile and bag reordered (S-9); unchanged for the arbiter, who knows both orders."""
    other = state.copy()
    if viewer == ARBITER:
        return other
    hidden = by_season(state.unrevealed()).values()
    pile = [card for n, cards in enumerate(hidden) for card in chance.draws("deck", n).shuffled(cards)]
    cubes = sorted(state.bag[state.drawn :], key=lambda good: GOODS.index(good))
    other.pile = state.pile[: state.revealed] + tuple(pile)
    other.bag = state.bag[: state.drawn] + tuple(chance.draws("bag", 0).shuffled(cubes))
    return other
