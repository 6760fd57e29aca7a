"""The label of each move."""

from collections.abc import Callable
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.domain.toy.games.fair.state import Fair

LABELS: dict[type[Move], Callable[[Fair, Any], dict[str, Value]]] = {
    LayCard: lambda state, move: {"card": phrase("card", value=state.values[move.card])},
    OfferCard: lambda state, move: {
        "card": phrase("card", value=state.values[move.card]),
        "price": move.price,
    },
    # A seat that may take the offer does not know the card, so the label names only the price.
    TakeOffer: lambda state, move: {"price": state.standing_offer[2]},
    CloseFair: lambda state, move: {},
}


def label(state: Fair, move: Move) -> Phrase:
    """A short imperative sentence for a legal move."""
    return Phrase(f"moves.{move.type}", LABELS[type(move)](state, move))
