"""The sentence about each fact: the values of its message in `messages/`, under `facts` and its type.

Most values are fields of the fact; `MORE` adds the others.
"""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe import facts
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.state import NEUTRAL, EuropeState
from kontor_games.domain.games.europe.text.phrases import amount, cards, word
from kontor_games.domain.games.europe.text.place_names import place_names
from kontor_games.domain.toolkit.message_values import MessageValues, Values
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def sentence(state: EuropeState, fact: Fact, names: Sequence[str]) -> Phrase | None:
    """Return the sentence about a fact, if it has one; the state is the one after it."""
    if type(fact) in SILENT:
        return None
    return SENTENCES.phrase("facts", fact, SentenceContext(state, names))


class SentenceContext:
    """Provides the values of sentences: the state after a fact, and the names of players and places."""

    def __init__(self, state: EuropeState, names: Sequence[str]) -> None:
        self.places = place_names(state.tables)
        self.state = state
        self.names = names

    def all_of(self, seats: Sequence[int]) -> Value:
        return tuple(self.names[seat] for seat in seats)

    def cities(self, cities: Sequence[str]) -> Value:
        return tuple(self.places.city(city) for city in cities)

    def owner(self, city: str) -> Value:
        """The owner of the post in a city."""
        seat = self.state.post[self.state.tables.board.city_index[city]]
        return phrase("posts.neutral") if seat == NEUTRAL else phrase("posts.owned", who=self.names[seat])

    def number(self, hexagon: str) -> int:
        """The number on a hex, 0 if it has none."""
        return self.state.number[self.state.tables.board.hex_index[hexagon]]


_PLAYERS = ("seat", "thief", "victim", "maker", "taker")
SHOWN: dict[str, Callable[[SentenceContext, Any], Value]] = {
    **dict.fromkeys(_PLAYERS, lambda context, seat: context.names[seat]),
    **dict.fromkeys(
        ("cards", "give", "want"), lambda context, held: cards(held) if isinstance(held, Cards) else held
    ),
    "city": lambda context, city: context.places.city(city),
    "cities": SentenceContext.cities,
    "hex": lambda context, hexagon: context.places.hex(hexagon),
    "path": lambda context, path: context.places.path(path if isinstance(path, str) else path[-1]),
}
"""How fields of these names are shown; of several paths, the last one. In some facts `cards` is a number."""


# --- values that are not fields -----------------------------------------------------------------------------


def _start_rolled(context: SentenceContext, fact: facts.set_up.StartRolled) -> Values:
    rolls = [(context.names[roll.seat], sum(roll.dice)) for roll in fact.rolls]
    return {"rolls": tuple(phrase("roll_of", who=who, roll=roll) for who, roll in rolls)}


def _colour_placed(context: SentenceContext, fact: facts.set_up.ColourPlaced) -> Values:
    colour, path = word(context.state.setting.colours[fact.seat]), context.places.path(fact.route)
    return {"colour": colour, "cities": context.cities(fact.posts), "path": path}


def _produced(context: SentenceContext, fact: facts.production.ResourcesProduced) -> Values:
    """The parts in this order: who gets which cards, who gets gold, and which resources are short."""
    parts = [
        phrase("gains.cards", who=context.names[gain.seat], cards=cards(gain.cards)) for gain in fact.gains
    ]
    parts += [phrase("gains.gold", who=context.all_of(fact.gold))] if fact.gold else []
    parts += [phrase("gains.short", what=tuple(map(word, fact.short)))] if fact.short else []
    gains = parts[0] if parts else phrase("gains.nothing")
    for part in parts[1:]:
        gains = phrase("gains.and", first=gains, then=part)
    return {"gains": gains}


def _woken(context: SentenceContext, fact: facts.robber.RobberWoken) -> Values:
    owing = [(context.names[seat], due) for seat, due in enumerate(fact.due) if due]
    return {"owing": tuple(phrase("debt", who=who, n=due) for who, due in owing)}


def _ended(context: SentenceContext, fact: facts.ending.GameEnded) -> Values:
    winners = context.all_of([seat for seat, place in enumerate(fact.places) if place == 1])
    return {
        "winners": winners,
        "goods": context.state.setting.goods,
        "turns": context.state.setting.turn_limit,
    }


def _connected(context: SentenceContext, fact: facts.routes.ConnectionPaid) -> Values:
    paid = [(context.names[seat], gold) for seat, gold in enumerate(fact.gold) if gold]
    return {"gold": tuple(phrase("gold_for", who=who, n=gold) for who, gold in paid)}


def _caravan_moved(context: SentenceContext, fact: facts.caravans.CaravanMoved) -> Values:
    price: list[Value] = [amount("salt", fact.salt)] if fact.salt else []
    price += [phrase("toll_to", who=context.names[owner]) for owner in fact.tolls]
    return {"routes": len(fact.path), "price": tuple(price)}


def _delivered(context: SentenceContext, fact: facts.delivery.GoodDelivered) -> Values:
    done, goods = context.state.delivered[fact.seat], context.state.setting.goods
    return {"post": context.owner(fact.city), "done": done, "goods": goods}


def _offered(context: SentenceContext, fact: facts.trade.OfferMade) -> Values:
    to = () if len(fact.to) == context.state.seats - 1 else context.all_of(fact.to)
    return {"to": to, "instead": "no" if fact.answers is None else "yes"}


def moved_token(context: SentenceContext, fact_or_move: Any) -> Values:
    """Where a number token comes from and goes to."""
    return {"source": context.places.hex(fact_or_move.source), "target": context.places.hex(fact_or_move.hex)}


SILENT = (facts.set_up.PlacementOpened, facts.turn.TurnEnded, facts.caravans.StepsLapsed)
"""Facts without a sentence."""
MORE: dict[type[Fact], Callable[[SentenceContext, Any], Values]] = {
    facts.set_up.StartRolled: _start_rolled,
    facts.set_up.ColourPlaced: _colour_placed,
    facts.production.DiceRolled: lambda _, fact: dict(
        zip(("one", "other"), fact.dice, strict=True), sum=sum(fact.dice)
    ),
    facts.production.ResourcesProduced: _produced,
    facts.robber.RobberWoken: _woken,
    facts.robber.RobberMoved: lambda context, fact: {"number": context.number(fact.hex)},
    facts.robber.CardStolen: lambda _, fact: {
        "what": amount(fact.resource) if fact.resource else phrase("a_card")
    },
    facts.ending.GameEnded: _ended,
    facts.buying.ResourceBought: lambda _, fact: {
        "what": amount(fact.resource),
        "price": amount("gold", fact.gold),
    },
    facts.buying.SupplyTraded: lambda _, fact: {
        "given": amount(fact.give, fact.count),
        "taken": amount(fact.take),
    },
    facts.buying.PileRenewed: lambda _, fact: {"n": fact.cards},
    facts.buying.CardBought: lambda _, fact: {"card": (phrase(f"cards.{fact.card}"),) if fact.card else ()},
    facts.routes.RouteBuilt: lambda _, fact: {"bonus": "yes" if fact.bonus else "no"},
    facts.routes.ChainsTied: lambda _, fact: {"n": len(fact.chains)},
    facts.routes.ConnectionPaid: _connected,
    facts.merchants.MerchantMoved: lambda context, fact: {"place": context.places.crossroads(fact.way[-1])},
    facts.tokens.TokenShifted: moved_token,
    facts.caravans.CaravanMoved: _caravan_moved,
    facts.delivery.GoodDelivered: _delivered,
    facts.development_cards.BribePlayed: lambda _, fact: {"routes": fact.steps},
    facts.trade.OfferMade: _offered,
    facts.trade.OffersLapsed: lambda _, fact: {"n": len(fact.offers)},
}
"""The values of a message that are not fields of its fact."""
SENTENCES = MessageValues(SHOWN, MORE)
