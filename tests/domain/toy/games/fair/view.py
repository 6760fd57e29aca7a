"""The view of the Fair."""

from collections.abc import Sequence

from kontor_games.domain.codec import ARBITER, Plain
from kontor_games.domain.game import View
from tests.domain.toy.games.fair.state import Fair


def view(state: Fair, viewer: int, waits_for: Sequence[int]) -> View:
    """Build the view from nothing: hands, and cards face down, are for their owners only."""
    seen = range(state.seats) if viewer == ARBITER else (viewer,)
    return {
        "round": state.round,
        "rounds": state.rounds,
        "pile": list(state.pile) if viewer == ARBITER else len(state.pile),
        "holder": state.holder,
        "offers": state.offers,
        "offer": _offer(state, state.holder in seen),
        "waits_for": list(waits_for),
        "seats": [_seat(state, seat, seat in seen) for seat in range(state.seats)],
    }


def _offer(state: Fair, known: bool) -> Plain:
    if state.offer is None:
        return None
    card, price = state.offer
    return {"price": price, "card": card} if known else {"price": price}


def _seat(state: Fair, seat: int, known: bool) -> dict[str, Plain]:
    hand, laid = state.hands[seat], state.laid[seat]
    public = {
        "cards": len(hand),
        "coins": state.coins[seat],
        "points": state.points[seat],
        "laid": laid is not None,
    }
    own = {"hand": sorted(hand)} if known else {}
    table = {"card": laid} if known or state.holder is not None else {}
    return {**public, **own, **table}
