"""The label of each move: the values of its message, as in `sentences.py`."""

from kontor_games.domain.game import Move
from kontor_games.domain.toolkit.message_values import MessageValues
from kontor_games.domain.toolkit.messages import Phrase, phrase
from tests.domain.toy.games.fair.moves import TakeOffer
from tests.domain.toy.games.fair.state import Fair

LABELS: MessageValues[Fair] = MessageValues(
    shown={"card": lambda state, card: phrase("card", value=state.values[card])},
    # A seat that may take the offer does not know the card, so the label names only the price.
    more={TakeOffer: lambda state, move: {"price": state.standing_offer[2]}},
)


def label(state: Fair, move: Move) -> Phrase:
    """A short imperative sentence for a legal move."""
    return LABELS.phrase("moves", move, state)
