"""Redraws everything that is hidden from a viewer."""

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import ARBITER
from tests.domain.toy.games.fair.state import Fair


def resample(state: Fair, viewer: int, chance: Chance) -> Fair:
    """Redraw the pile, the hands of others and the cards that others laid face down."""
    other = state.copy()
    if viewer == ARBITER:
        return other
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    covered = {
        seat: card for seat in hidden if (card := state.laid[seat]) is not None and state.holder is None
    }
    unseen = [*state.pile, *covered.values(), *(card for seat in hidden for card in state.hands[seat])]
    other.pile = chance.draws("resample", 0).shuffled(sorted(unseen))
    for seat in hidden:
        other.hands[seat] = [other.pile.pop() for _ in state.hands[seat]]
    for seat in covered:
        other.laid[seat] = other.pile.pop()
    if state.offer is not None and state.holder in hidden:
        place = state.hands[state.holder].index(state.offer[0])
        other.offer = (other.hands[state.holder][place], state.offer[1])
    return other
