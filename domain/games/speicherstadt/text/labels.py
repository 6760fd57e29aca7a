"""The label of each move: the values of its message in `messages/`, under `moves` and its type.

Most values are fields of the move, as in `sentences.py`; `_MORE` adds the others.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kontor_games.domain.game import Move
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import good, goods, in_row, merchant_for
from kontor_games.domain.games.speicherstadt.text.sentences import SHOWN
from kontor_games.domain.toolkit.message_values import MessageValues, Values
from kontor_games.domain.toolkit.messages import Phrase


class LabelContext(NamedTuple):
    """What labels need: the state before a move, its seat, and the steps with the price of a card."""

    state: Table
    seat: int
    steps: Steps


def label(steps: Steps, state: Table, seat: int, move: Move) -> Phrase:
    """Return a short imperative sentence for a legal move."""
    return _LABELS.phrase("moves", move, LabelContext(state, seat, steps))


def _place_worker(context: LabelContext, move: m.PlaceWorker) -> Values:
    line = context.state.lines[context.state.row.index(move.card)]
    return {"price": context.steps.price((*line, context.seat))}


def _buy(context: LabelContext, move: m.Buy) -> Values:
    state = context.state
    return {"card": in_row(state, state.row[0]), "price": context.steps.price(state.lines[0])}


_MORE: dict[type[Move], Callable[[LabelContext, Any], Values]] = {
    m.PlaceWorker: _place_worker,
    m.Buy: _buy,
    m.Decline: lambda context, _: {"card": in_row(context.state, context.state.row[0])},
    m.SellToMerchant: lambda _, move: {"merchant": merchant_for(move.good)},
    m.Convert: lambda _, move: {"given": goods(move.give), "taken": good(move.take)},
    m.FinishLoading: lambda context, _: {"lost": goods(unpack(context.state.quay[context.seat]))},
}
"""The values of a label that are not fields of its move."""
_LABELS = MessageValues(SHOWN, _MORE)
