"""The sentence about each fact: the values of its message, which is in `messages/` under `facts` and the type of the fact."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe.facts import (
    buying,
    caravans,
    delivery,
    development_cards,
    ending,
    merchants,
    production,
    robber,
    routes,
    set_up,
    tokens,
    trade,
    turn,
)
from kontor_games.domain.games.europe.state import NEUTRAL, EuropeState
from kontor_games.domain.games.europe.text.phrases import Values, amount, cards, word
from kontor_games.domain.games.europe.text.place_names import PlaceNames, place_names
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


def sentence(state: EuropeState, fact: Fact, names: Sequence[str]) -> Phrase | None:
    """Return the sentence about a fact, if it has one; the state is the one after it."""
    if type(fact) in SILENT:
        return None
    teller = Teller(place_names(state.tables.board), state, names)
    return Phrase(f"facts.{fact.type}", TELLERS[type(fact)](teller, fact))


class Teller:
    """Knows the table after a fact, and the names of everybody and of all places."""

    def __init__(self, places: PlaceNames, state: EuropeState, names: Sequence[str]) -> None:
        """Create one for each sentence."""
        self.places = places
        self.state = state
        self.names = names

    def all_of(self, seats: Sequence[int]) -> Value:
        """Several players by name."""
        return tuple(self.names[seat] for seat in seats)

    def cities(self, cities: Sequence[str]) -> Value:
        """Several cities by name."""
        return tuple(self.places.city(city) for city in cities)

    def owner(self, city: str) -> Value:
        """The owner of the post in a city."""
        seat = self.state.post[self.state.tables.board.city_index[city]]
        return phrase("posts.neutral") if seat == NEUTRAL else phrase("posts.owned", who=self.names[seat])

    def number(self, hexagon: str) -> int:
        """The number on a hex, 0 if it has none."""
        return self.state.number[self.state.tables.board.hex_index[hexagon]]


# --- set-up, dice and robber -----------------------------------------------------------------------------------------------


def _start_rolled(teller: Teller, fact: set_up.StartRolled) -> Values:
    rolls = [(teller.names[roll.seat], sum(roll.dice)) for roll in fact.rolls]
    return {"rolls": tuple(phrase("roll_of", who=who, roll=roll) for who, roll in rolls)}


def _colour_placed(teller: Teller, fact: set_up.ColourPlaced) -> Values:
    colour = word(teller.state.setting.colours[fact.seat])
    values: Values = {"who": teller.names[fact.seat], "colour": colour, "cities": teller.cities(fact.posts)}
    return {**values, "path": teller.places.path(fact.route), "cards": cards(fact.cards)}


def _rolled(teller: Teller, fact: production.DiceRolled) -> Values:
    one, other = fact.dice
    return {"who": teller.names[fact.seat], "sum": one + other, "one": one, "other": other}


def _produced(teller: Teller, fact: production.ResourcesProduced) -> Values:
    """The parts in this order: who gets which cards, who gets gold, and which resources are short."""
    parts = [
        phrase("gains.cards", who=teller.names[gain.seat], cards=cards(gain.cards)) for gain in fact.gains
    ]
    parts += [phrase("gains.gold", who=teller.all_of(fact.gold))] if fact.gold else []
    parts += [phrase("gains.short", what=tuple(map(word, fact.short)))] if fact.short else []
    told = parts[0] if parts else phrase("gains.nothing")
    for part in parts[1:]:
        told = phrase("gains.and", first=told, then=part)
    return {"gains": told}


def _woken(teller: Teller, fact: robber.RobberWoken) -> Values:
    owing = [(teller.names[seat], due) for seat, due in enumerate(fact.due) if due]
    return {"owing": tuple(phrase("debt", who=who, n=due) for who, due in owing)}


def _robber(teller: Teller, fact: robber.RobberMoved) -> Values:
    place, number = teller.places.hex(fact.hex), teller.number(fact.hex)
    return {"who": teller.names[fact.seat], "hex": place, "number": number}


def _stolen(teller: Teller, fact: robber.CardStolen) -> Values:
    what = amount(fact.resource) if fact.resource else phrase("a_card")
    return {"thief": teller.names[fact.thief], "what": what, "victim": teller.names[fact.victim]}


def _ended(teller: Teller, fact: ending.GameEnded) -> Values:
    winners = teller.all_of([seat for seat, place in enumerate(fact.places) if place == 1])
    setting = teller.state.setting
    return {"reason": fact.reason, "winners": winners, "goods": setting.goods, "turns": setting.turn_limit}


# --- buying and building ---------------------------------------------------------------------------------------------------


def _card_bought(teller: Teller, fact: buying.CardBought) -> Values:
    return {"who": teller.names[fact.seat], "card": (phrase(f"cards.{fact.card}"),) if fact.card else ()}


def _supply_traded(teller: Teller, fact: buying.SupplyTraded) -> Values:
    given, taken = amount(fact.give, fact.count), amount(fact.take)
    return {"who": teller.names[fact.seat], "given": given, "taken": taken}


def _route(teller: Teller, fact: routes.RouteBuilt) -> Values:
    values: Values = {"who": teller.names[fact.seat], "path": teller.places.path(fact.path)}
    return {**values, "source": fact.source, "bonus": "yes" if fact.bonus else "no"}


def _connected(teller: Teller, fact: routes.ConnectionPaid) -> Values:
    paid = [(teller.names[seat], gold) for seat, gold in enumerate(fact.gold) if gold]
    gold = tuple(phrase("gold_for", who=who, n=gold) for who, gold in paid)
    return {"cities": teller.cities(fact.cities), "gold": gold}


# --- travelling, cards and trade -------------------------------------------------------------------------------------------


def _merchant_moved(teller: Teller, fact: merchants.MerchantMoved) -> Values:
    place = teller.places.crossroads(fact.way[-1])
    return {"who": teller.names[fact.seat], "place": place, "grain": fact.grain}


def _token_shifted(teller: Teller, fact: tokens.TokenShifted) -> Values:
    source, target = teller.places.hex(fact.source), teller.places.hex(fact.hex)
    return {"who": teller.names[fact.seat], "number": fact.number, "source": source, "target": target}


def _caravan_moved(teller: Teller, fact: caravans.CaravanMoved) -> Values:
    price: list[Value] = [amount("salt", fact.salt)] if fact.salt else []
    price += [phrase("toll_to", who=teller.names[owner]) for owner in fact.tolls]
    values: Values = {"who": teller.names[fact.seat], "routes": len(fact.path), "price": tuple(price)}
    return {**values, "path": teller.places.path(fact.path[-1])}


def _delivered(teller: Teller, fact: delivery.GoodDelivered) -> Values:
    values: Values = {"who": teller.names[fact.seat], "city": teller.places.city(fact.city)}
    done, goods = teller.state.delivered[fact.seat], teller.state.setting.goods
    return {**values, "post": teller.owner(fact.city), "done": done, "goods": goods}


def _offered(teller: Teller, fact: trade.OfferMade) -> Values:
    to = () if len(fact.to) == teller.state.seats - 1 else teller.all_of(fact.to)
    values: Values = {"who": teller.names[fact.seat], "to": to, "give": cards(fact.give)}
    return {**values, "want": cards(fact.want), "instead": "no" if fact.answers is None else "yes"}


def _traded(teller: Teller, fact: trade.TradeMade) -> Values:
    values: Values = {"maker": teller.names[fact.maker], "taker": teller.names[fact.taker]}
    return {**values, "give": cards(fact.give), "want": cards(fact.want)}


def _who(teller: Teller, fact: Any) -> Values:
    return {"who": teller.names[fact.seat]}


SILENT = (set_up.PlacementOpened, turn.TurnEnded, caravans.StepsLapsed)
"""Facts without a sentence."""
TELLERS: dict[type[Fact], Callable[[Teller, Any], Values]] = {
    set_up.StartRolled: _start_rolled,
    set_up.FirstPlayerFound: _who,
    set_up.ColourPlaced: _colour_placed,
    set_up.NeutralPostsPlaced: lambda teller, fact: {"cities": teller.cities(fact.cities)},
    set_up.StartPostPlaced: lambda teller, fact: {
        **_who(teller, fact),
        "city": teller.places.city(fact.city),
    },
    set_up.StartCardsTaken: lambda teller, fact: {**_who(teller, fact), "cards": cards(fact.cards)},
    set_up.NeutralPostPlaced: lambda teller, fact: {
        **_who(teller, fact),
        "city": teller.places.city(fact.city),
    },
    set_up.StartRoutePlaced: lambda teller, fact: {
        **_who(teller, fact),
        "path": teller.places.path(fact.path),
    },
    turn.TurnBegan: lambda teller, fact: {**_who(teller, fact), "turn": fact.turn},
    production.DiceRolled: _rolled,
    production.ResourcesProduced: _produced,
    robber.RobberWoken: _woken,
    robber.CardsDiscarded: lambda teller, fact: {**_who(teller, fact), "cards": cards(fact.cards)},
    robber.RobberMoved: _robber,
    robber.CardStolen: _stolen,
    robber.TheftForgone: _who,
    ending.GameEnded: _ended,
    buying.ResourceBought: lambda teller, fact: {
        **_who(teller, fact),
        "what": amount(fact.resource),
        "price": amount("gold", fact.gold),
    },
    buying.SupplyTraded: _supply_traded,
    buying.PileRenewed: lambda teller, fact: {"n": fact.cards},
    buying.CardBought: _card_bought,
    merchants.MerchantHired: lambda teller, fact: {
        **_who(teller, fact),
        "city": teller.places.city(fact.city),
    },
    caravans.CaravanFormed: lambda teller, fact: {
        **_who(teller, fact),
        "path": teller.places.path(fact.path),
    },
    routes.RouteBuilt: _route,
    routes.ChainsTied: lambda teller, fact: {**_who(teller, fact), "n": len(fact.chains)},
    routes.ConnectionPaid: _connected,
    routes.RouteForgone: _who,
    merchants.MerchantMoved: _merchant_moved,
    merchants.PostFounded: lambda teller, fact: {
        **_who(teller, fact),
        "city": teller.places.city(fact.city),
        "gold": fact.gold,
    },
    tokens.TokenPlaced: lambda teller, fact: {"number": fact.number, "hex": teller.places.hex(fact.hex)},
    tokens.TokenShifted: _token_shifted,
    tokens.HexLeftEmpty: _who,
    caravans.CaravanMoved: _caravan_moved,
    delivery.GoodDelivered: _delivered,
    development_cards.SafeConductPlayed: lambda teller, fact: {**_who(teller, fact), "routes": fact.routes},
    development_cards.TreatyPlayed: lambda teller, fact: {**_who(teller, fact), "gold": fact.gold},
    development_cards.LancerPlayed: lambda teller, fact: {**_who(teller, fact), "gold": fact.gold},
    development_cards.BribePlayed: lambda teller, fact: {**_who(teller, fact), "routes": fact.steps},
    trade.OfferMade: _offered,
    trade.OfferDeclined: _who,
    trade.OfferWithdrawn: _who,
    trade.OffersLapsed: lambda teller, fact: {"n": len(fact.offers)},
    trade.TradeMade: _traded,
}
