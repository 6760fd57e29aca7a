"""The label of each move: the values of its message, which is in `messages/` under `moves`.

Most values are fields of the move, as in `sentences.py`; `MORE` adds the others.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import PHASES
from kontor_games.domain.games.europe.text.phrases import amount, cards
from kontor_games.domain.games.europe.text.sentences import SHOWN, SentenceContext, moved_token
from kontor_games.domain.toolkit.message_values import MessageValues, Values
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def label(state: EuropeState, seat: int, move: Move, rule: Any, names: Sequence[str]) -> Phrase:
    """Return a short imperative sentence for a legal move; `rule` has the price of a purchase."""
    return LABELS.phrase("moves", move, LabelContext(state, seat, rule, names))


class LabelContext(SentenceContext):
    """Provides the values of labels: places and names before the move, its seat and its price."""

    def __init__(self, state: EuropeState, seat: int, rule: Any, names: Sequence[str]) -> None:
        super().__init__(state, names)
        self.seat = seat
        self.rule = rule

    def merchant(self, merchant: int) -> Value:
        """Where a merchant of one's own stands."""
        at = self.state.merchant(self.seat, merchant)
        return self.places.crossroads(self.places.board.crossroads[at])

    def caravan(self, caravan: int) -> Value:
        """Where a caravan of one's own stands."""
        return self.places.path(self.state.tables.path_ids[self.state.caravan(self.seat, caravan)])

    def moved(self, piece: int | None, place: Callable[[int], Value]) -> Value:
        """Where the piece comes from, if it is one that is on the board already."""
        return () if piece is None else (place(piece),)

    def founds(self, crossroads: str) -> str:
        """Whether a merchant that comes there founds a post."""
        city = self.places.board.city_at[self.places.board.crossroads_index[crossroads]]
        return "yes" if city >= 0 and self.state.post[city] == NOBODY else "no"


def _hire(context: LabelContext, move: m.HireMerchant) -> Values:
    return {"price": cards(context.rule.price), "moved": context.moved(move.moved, context.merchant)}


def _form(context: LabelContext, move: m.FormCaravan) -> Values:
    return {"price": cards(context.rule.price), "moved": context.moved(move.moved, context.caravan)}


def _chain(context: LabelContext, move: m.ChooseChain) -> Values:
    board, state = context.places.board, context.state
    owners = Counter(state.route[board.path_index[path]] for path in move.chain)
    gold = tuple(phrase("gold_for", who=context.names[seat], n=owners[seat]) for seat in sorted(owners))
    return {"gold": gold, "cities": context.cities(state.joined)}


def _walk(context: LabelContext, move: m.MoveMerchant | m.PlayTreatyForMerchant) -> Values:
    place, to = context.merchant(move.merchant), context.places.crossroads(move.to)
    return {"place": place, "to": to, "founds": context.founds(move.to)}


def _move_caravan(context: LabelContext, move: m.MoveCaravan) -> Values:
    price: list[Value] = [amount("salt", move.salt)] if move.salt else []
    price += [amount("gold", move.toll)] if move.toll else []
    return {"place": context.caravan(move.caravan), "routes": len(move.path), "price": tuple(price)}


def _answer(context: LabelContext, move: m.AcceptOffer | m.DeclineOffer | m.WithdrawOffer) -> Values:
    offer = context.state.offer(move.offer)
    return {"maker": context.names[offer.maker], "give": cards(offer.give), "want": cards(offer.want)}


MORE: dict[type[Move], Callable[[LabelContext, Any], Values]] = {
    m.DiscardCard: lambda _, move: {"what": amount(move.resource)},
    m.DiscardCards: lambda _, move: {"what": cards(move.cards)},
    m.MoveRobber: lambda context, move: {"number": context.number(move.hex)},
    m.BuyResource: lambda context, move: {
        "what": amount(move.resource),
        "price": amount("gold", context.rule.price),
    },
    m.TradeWithSupply: lambda context, move: {
        "given": amount(move.give, context.rule.alike),
        "taken": amount(move.take),
    },
    m.BuyCard: lambda context, _: {"price": cards(context.rule.price)},
    m.HireMerchant: _hire,
    m.FormCaravan: _form,
    m.BuildRoute: lambda context, _: {
        "phase": PHASES[context.state.phase],
        "price": cards(context.rule.price),
    },
    m.ChooseChain: _chain,
    m.MoveMerchant: lambda context, move: {**_walk(context, move), "grain": move.grain or 0},
    m.ShiftToken: lambda context, move: {**moved_token(context, move), "number": context.number(move.source)},
    m.MoveCaravan: _move_caravan,
    m.Deliver: lambda context, move: {"post": context.owner(move.city)},
    m.PlayTreatyForMerchant: _walk,
    m.PlayBribe: lambda context, move: {"place": context.caravan(move.caravan)},
    m.OfferTrade: lambda context, move: {"to": context.all_of(move.to)},
    m.CounterOffer: lambda context, move: {"maker": context.names[context.state.offer(move.offer).maker]},
    m.AcceptOffer: _answer,
    m.DeclineOffer: _answer,
    m.WithdrawOffer: _answer,
}
"""The values of a label that are not fields of its move."""
LABELS = MessageValues(SHOWN, MORE)
