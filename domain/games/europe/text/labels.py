"""The label of each move: the values of its message, which is in `messages/` under `moves`."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.state import NOBODY, EuropeState, Offer
from kontor_games.domain.games.europe.state.phases import PHASES
from kontor_games.domain.games.europe.text.phrases import Values, amount, cards
from kontor_games.domain.games.europe.text.place_names import place_names
from kontor_games.domain.games.europe.text.sentences import Teller
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def label(state: EuropeState, seat: int, move: Move, rule: Any, names: Sequence[str]) -> Phrase:
    """Return a short imperative sentence for a legal move; `rule` knows the price of what is bought."""
    writer = Writer(state, seat, rule, names)
    return Phrase(f"moves.{move.type}", LABELS[type(move)](writer, move))


class Writer(Teller):
    """Knows the table before a move, whose move it is, and what it costs."""

    def __init__(self, state: EuropeState, seat: int, rule: Any, names: Sequence[str]) -> None:
        """Create one for each label."""
        super().__init__(place_names(state.tables.board), state, names)
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

    def offer(self, number: int) -> Offer:
        """An open offer."""
        return next(offer for offer in self.state.offers if offer.number == number)

    def founds(self, crossroads: str) -> str:
        """Whether a merchant that comes there founds a post."""
        city = self.places.board.city_at[self.places.board.crossroads_index[crossroads]]
        return "yes" if city >= 0 and self.state.post[city] == NOBODY else "no"


def _robber(writer: Writer, move: m.MoveRobber) -> Values:
    return {"hex": writer.places.hex(move.hex), "number": writer.number(move.hex)}


def _hire(writer: Writer, move: m.HireMerchant) -> Values:
    values: Values = {"city": writer.places.city(move.city), "price": cards(writer.rule.price)}
    return {**values, "moved": writer.moved(move.moved, writer.merchant)}


def _form(writer: Writer, move: m.FormCaravan) -> Values:
    values: Values = {"path": writer.places.path(move.path), "price": cards(writer.rule.price)}
    return {**values, "moved": writer.moved(move.moved, writer.caravan)}


def _build(writer: Writer, move: m.BuildRoute) -> Values:
    values: Values = {"path": writer.places.path(move.path), "phase": PHASES[writer.state.phase]}
    return {**values, "price": cards(writer.rule.price)}


def _chain(writer: Writer, move: m.ChooseChain) -> Values:
    board, state = writer.places.board, writer.state
    owners = Counter(state.route[board.path_index[path]] for path in move.chain)
    gold = tuple(phrase("gold_for", who=writer.names[seat], n=owners[seat]) for seat in sorted(owners))
    return {"gold": gold, "cities": writer.cities(state.joined)}


def _walk(writer: Writer, move: m.MoveMerchant) -> Values:
    values: Values = {"place": writer.merchant(move.merchant), "to": writer.places.crossroads(move.to)}
    return {**values, "grain": move.grain or 0, "founds": writer.founds(move.to)}


def _drive(writer: Writer, move: m.MoveCaravan) -> Values:
    price: list[Value] = [amount("salt", move.salt)] if move.salt else []
    price += [amount("gold", move.toll)] if move.toll else []
    values: Values = {"place": writer.caravan(move.caravan), "path": writer.places.path(move.path[-1])}
    return {**values, "routes": len(move.path), "price": tuple(price)}


def _shift(writer: Writer, move: m.ShiftToken) -> Values:
    source, target = writer.places.hex(move.source), writer.places.hex(move.hex)
    return {"number": writer.number(move.source), "source": source, "target": target}


def _offer(writer: Writer, move: m.OfferTrade) -> Values:
    return {"give": cards(move.give), "want": cards(move.want), "to": writer.all_of(move.to)}


def _counter(writer: Writer, move: m.CounterOffer) -> Values:
    maker = writer.names[writer.offer(move.offer).maker]
    return {"give": cards(move.give), "want": cards(move.want), "maker": maker}


def _answer(writer: Writer, move: m.AcceptOffer | m.DeclineOffer | m.WithdrawOffer) -> Values:
    offer = writer.offer(move.offer)
    return {"maker": writer.names[offer.maker], "give": cards(offer.give), "want": cards(offer.want)}


def _nothing(writer: Writer, move: Move) -> Values:
    return {}


LABELS: dict[type[Move], Callable[[Writer, Any], Values]] = {
    m.PlaceStartPost: lambda writer, move: {"city": writer.places.city(move.city)},
    m.PlaceNeutralPost: lambda writer, move: {"city": writer.places.city(move.city)},
    m.PlaceStartRoute: lambda writer, move: {"path": writer.places.path(move.path)},
    m.RollDice: _nothing,
    m.DiscardCard: lambda writer, move: {"what": amount(move.resource)},
    m.DiscardCards: lambda writer, move: {"what": cards(move.cards)},
    m.MoveRobber: _robber,
    m.StealCard: lambda writer, move: {"victim": writer.names[move.victim]},
    m.ForgoTheft: _nothing,
    m.BuyResource: lambda writer, move: {
        "what": amount(move.resource),
        "price": amount("gold", writer.rule.price),
    },
    m.TradeWithSupply: lambda writer, move: {
        "given": amount(move.give, writer.rule.alike),
        "taken": amount(move.take),
    },
    m.BuyCard: lambda writer, move: {"price": cards(writer.rule.price)},
    m.HireMerchant: _hire,
    m.FormCaravan: _form,
    m.BuildRoute: _build,
    m.ForgoRoute: _nothing,
    m.ChooseChain: _chain,
    m.MoveMerchant: _walk,
    m.PlaceToken: lambda writer, move: {"hex": writer.places.hex(move.hex)},
    m.ShiftToken: _shift,
    m.LeaveHexEmpty: _nothing,
    m.MoveCaravan: _drive,
    m.Halt: _nothing,
    m.Deliver: lambda writer, move: {
        "post": writer.owner(move.city),
        "city": writer.places.city(move.city),
    },
    m.PlaySafeConduct: _nothing,
    m.PlayTreatyForGold: _nothing,
    m.PlayTreatyForMerchant: lambda writer, move: {
        "place": writer.merchant(move.merchant),
        "to": writer.places.crossroads(move.to),
        "founds": writer.founds(move.to),
    },
    m.PlayLancer: _nothing,
    m.PlayBribe: lambda writer, move: {"place": writer.caravan(move.caravan)},
    m.OfferTrade: _offer,
    m.CounterOffer: _counter,
    m.AcceptOffer: _answer,
    m.DeclineOffer: _answer,
    m.WithdrawOffer: _answer,
    m.EndTurn: _nothing,
}
