"""The match as a story: each fact as a sentence for one viewer, and the table as a few lines."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.codec import ARBITER
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
from kontor_games.domain.games.europe.text.phrases import a_number, cards, number_of, whose
from kontor_games.domain.games.europe.text.place_names import PlaceNames, place_names
from kontor_games.domain.toolkit.sentences import listed


def tell(state: EuropeState, fact: Fact, viewer: int, names: Sequence[str]) -> str:
    """Return the sentence for a fact; the state is the one after it. It is empty if there is nothing to say."""
    sentence = TELLERS[type(fact)](Teller(place_names(state.tables.board), state, viewer, names), fact)
    return sentence[:1].upper() + sentence[1:]


class Teller:
    """Knows the table after a fact, and to whom it speaks."""

    def __init__(self, places: PlaceNames, state: EuropeState, viewer: int, names: Sequence[str]) -> None:
        """One for each sentence."""
        self.places = places
        self.state = state
        self.viewer = viewer
        self.names = names

    def knows(self, *seats: int) -> bool:
        """Whether the viewer is one of these seats, or the arbiter."""
        return self.viewer in (*seats, ARBITER)

    def all_of(self, seats: Sequence[int]) -> str:
        """Several players by name."""
        return listed([self.names[seat] for seat in seats])

    def owner(self, city: str) -> str:
        """Whose post stands in a city."""
        seat = self.state.post[self.state.tables.board.city_index[city]]
        return "the neutral post" if seat == NEUTRAL else f"{whose(self.names[seat])} post"

    def numbered(self, hexagon: str) -> str:
        """A hex with its number, if it has one."""
        number = self.state.number[self.state.tables.board.hex_index[hexagon]]
        return f"{self.places.hex(hexagon)} ({number})" if number else self.places.hex(hexagon)


# --- set-up ----------------------------------------------------------------------------------------------------------------


def _start_rolled(teller: Teller, fact: set_up.StartRolled) -> str:
    rolls = [f"{teller.names[roll.seat]} {sum(roll.dice)}" for roll in fact.rolls]
    return f"They roll for the first turn: {listed(rolls)}."


def _colour_placed(teller: Teller, fact: set_up.ColourPlaced) -> str:
    colour, posts = (
        teller.state.setting.colours[fact.seat],
        listed([teller.places.city(city) for city in fact.posts]),
    )
    return (
        f"{teller.names[fact.seat]} plays {colour}: posts in {posts}, a route with a caravan {teller.places.path(fact.route)}, "
        f"and {cards(fact.cards)} in hand."
    )


def _neutral_posts(teller: Teller, fact: set_up.NeutralPostsPlaced) -> str:
    return f"Neutral posts stand in {listed([teller.places.city(city) for city in fact.cities])}."


def _start_route(teller: Teller, fact: set_up.StartRoutePlaced) -> str:
    return (
        f"{teller.names[fact.seat]} lays a first route {teller.places.path(fact.path)}, with a caravan on it."
    )


# --- dice and robber -------------------------------------------------------------------------------------------------------


def _rolled(teller: Teller, fact: production.DiceRolled) -> str:
    one, other = fact.dice
    return f"{teller.names[fact.seat]} rolls {one + other} ({one} and {other})."


def _produced(teller: Teller, fact: production.ResourcesProduced) -> str:
    parts = [f"{teller.names[gain.seat]} gets {cards(gain.cards)}" for gain in fact.gains]
    if fact.gold:
        verb = "gets" if len(fact.gold) == 1 else "get"
        parts.append(f"{teller.all_of(fact.gold)} {verb} 1 gold" + (" each" if len(fact.gold) > 1 else ""))
    if fact.short:
        parts.append(f"there is too little {listed(fact.short)} for all, so nobody gets any")
    return "; ".join(parts) + "."


def _woken(teller: Teller, fact: robber.RobberWoken) -> str:
    owing = [f"{teller.names[seat]} {number_of(due, 'card')}" for seat, due in enumerate(fact.due) if due]
    return (
        f"The robber wakes. To be given back: {listed(owing)}."
        if owing
        else "The robber wakes. Nobody holds too many cards."
    )


def _robber(teller: Teller, fact: robber.RobberMoved) -> str:
    return f"{teller.names[fact.seat]} sends the robber to {teller.numbered(fact.hex)}."


def _stolen(teller: Teller, fact: robber.CardStolen) -> str:
    what = f"1 {fact.resource}" if teller.knows(fact.thief, fact.victim) else "a card"
    return f"{teller.names[fact.thief]} steals {what} from {teller.names[fact.victim]}."


def _ended(teller: Teller, fact: ending.GameEnded) -> str:
    winners = [seat for seat, place in enumerate(fact.places) if place == 1]
    if fact.reason == "delivered":
        return f"{teller.names[winners[0]]} has delivered all {number_of(teller.state.setting.goods, 'good')} and wins."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"That was the last of {teller.state.setting.turn_limit} turns: {teller.all_of(winners)} {verb}."


# --- buying and building ---------------------------------------------------------------------------------------------------


def _card_bought(teller: Teller, fact: buying.CardBought) -> str:
    what = f": a {fact.card.replace('_', ' ')}" if teller.knows(fact.seat) else ""
    return f"{teller.names[fact.seat]} buys a development card{what}."


def _supply_traded(teller: Teller, fact: buying.SupplyTraded) -> str:
    return f"{teller.names[fact.seat]} gives {fact.count} {fact.give} to the supply for 1 {fact.take}."


def _route(teller: Teller, fact: routes.RouteBuilt) -> str:
    free = {
        "paid": "",
        "double_arrow": " for nothing, thanks to the double arrow",
        "safe_conduct": " under safe conduct",
    }[fact.source]
    more = "; its double arrow brings another one" if fact.bonus else ""
    return f"{teller.names[fact.seat]} builds a route {teller.places.path(fact.path)}{free}{more}."


def _connected(teller: Teller, fact: routes.ConnectionPaid) -> str:
    cities = listed([teller.places.city(city) for city in fact.cities])
    verb = "is" if len(fact.cities) == 1 else "are"
    paid = [f"{gold} gold for {teller.names[seat]}" for seat, gold in enumerate(fact.gold) if gold]
    return f"{cities} {verb} isolated no more: {listed(paid)}."


def _tied(teller: Teller, fact: routes.ChainsTied) -> str:
    return f"{number_of(len(fact.chains), 'chain')} are equally short; {teller.names[fact.seat]} picks the one that pays."


# --- travelling ------------------------------------------------------------------------------------------------------------


def _merchant_moved(teller: Teller, fact: merchants.MerchantMoved) -> str:
    price = f" for {fact.grain} grain" if fact.grain else ""
    return (
        f"{whose(teller.names[fact.seat])} merchant goes to {teller.places.crossroads(fact.way[-1])}{price}."
    )


def _founded(teller: Teller, fact: merchants.PostFounded) -> str:
    coast = f"; the coast pays {fact.gold} gold" if fact.gold else ""
    return f"{teller.names[fact.seat]} founds a post in {teller.places.city(fact.city)}, and another good is free{coast}."


def _token_placed(teller: Teller, fact: tokens.TokenPlaced) -> str:
    return f"{a_number(fact.number)} comes from the sea to {teller.places.hex(fact.hex)}."


def _token_shifted(teller: Teller, fact: tokens.TokenShifted) -> str:
    return f"{teller.names[fact.seat]} moves the {fact.number} from {teller.places.hex(fact.source)} to {teller.places.hex(fact.hex)}."


def _caravan_moved(teller: Teller, fact: caravans.CaravanMoved) -> str:
    price = [f"{fact.salt} salt"] if fact.salt else []
    price += [f"1 gold toll to {teller.names[owner]}" for owner in fact.tolls]
    paid = f" for {listed(price)}" if price else ""
    far = number_of(len(fact.path), "route")
    return f"{whose(teller.names[fact.seat])} caravan goes {far} on{paid}; it stands {teller.places.path(fact.path[-1])}."


def _delivered(teller: Teller, fact: delivery.GoodDelivered) -> str:
    done = f"{teller.state.delivered[fact.seat]} of {teller.state.setting.goods}"
    return f"{teller.names[fact.seat]} delivers a good to {teller.owner(fact.city)} in {teller.places.city(fact.city)}: {done}."


def _treaty(teller: Teller, fact: development_cards.TreatyPlayed) -> str:
    how = f"takes {fact.gold} gold" if fact.gold else "sends a merchant on its way"
    return f"{teller.names[fact.seat]} plays a trade treaty and {how}."


# --- trade -----------------------------------------------------------------------------------------------------------------


def _offered(teller: Teller, fact: trade.OfferMade) -> str:
    to = "" if len(fact.to) == teller.state.seats - 1 else f" to {teller.all_of(fact.to)}"
    verb = "offers" if fact.answers is None else "offers instead"
    return f"{teller.names[fact.seat]} {verb}{to}: {cards(fact.give)} for {cards(fact.want)}."


def _traded(teller: Teller, fact: trade.TradeMade) -> str:
    return f"{teller.names[fact.taker]} accepts: {cards(fact.give)} from {teller.names[fact.maker]} for {cards(fact.want)}."


def _lapsed(teller: Teller, fact: trade.OffersLapsed) -> str:
    return f"{'An offer' if len(fact.offers) == 1 else number_of(len(fact.offers), 'offer')} can't be kept any more."


TELLERS: dict[type[Fact], Callable[[Teller, Any], str]] = {
    set_up.StartRolled: _start_rolled,
    set_up.FirstPlayerFound: lambda teller, fact: f"{teller.names[fact.seat]} begins.",
    set_up.ColourPlaced: _colour_placed,
    set_up.NeutralPostsPlaced: _neutral_posts,
    set_up.PlacementOpened: lambda teller, fact: "",
    set_up.StartPostPlaced: lambda teller, fact: (
        f"{teller.names[fact.seat]} opens a post in {teller.places.city(fact.city)}."
    ),
    set_up.StartCardsTaken: lambda teller, fact: f"{teller.names[fact.seat]} takes {cards(fact.cards)}.",
    set_up.NeutralPostPlaced: lambda teller, fact: (
        f"{teller.names[fact.seat]} puts a neutral post in {teller.places.city(fact.city)}."
    ),
    set_up.StartRoutePlaced: _start_route,
    turn.TurnBegan: lambda teller, fact: f"Turn {fact.turn}: {teller.names[fact.seat]}.",
    production.DiceRolled: _rolled,
    production.ResourcesProduced: _produced,
    robber.RobberWoken: _woken,
    robber.CardsDiscarded: lambda teller, fact: f"{teller.names[fact.seat]} gives back {cards(fact.cards)}.",
    robber.RobberMoved: _robber,
    robber.CardStolen: _stolen,
    robber.TheftForgone: lambda teller, fact: f"{teller.names[fact.seat]} steals nothing.",
    turn.TurnEnded: lambda teller, fact: "",
    ending.GameEnded: _ended,
    buying.ResourceBought: lambda teller, fact: (
        f"{teller.names[fact.seat]} buys 1 {fact.resource} for {fact.gold} gold."
    ),
    buying.SupplyTraded: _supply_traded,
    buying.PileRenewed: lambda teller, fact: (
        f"The {number_of(fact.cards, 'played card')} are shuffled into a new pile."
    ),
    buying.CardBought: _card_bought,
    merchants.MerchantHired: lambda teller, fact: (
        f"{teller.names[fact.seat]} hires a merchant in {teller.places.city(fact.city)}."
    ),
    caravans.CaravanFormed: lambda teller, fact: (
        f"{teller.names[fact.seat]} forms a caravan {teller.places.path(fact.path)}."
    ),
    routes.RouteBuilt: _route,
    routes.ChainsTied: _tied,
    routes.ConnectionPaid: _connected,
    routes.RouteForgone: lambda teller, fact: f"{teller.names[fact.seat]} does without the free route.",
    merchants.MerchantMoved: _merchant_moved,
    merchants.PostFounded: _founded,
    tokens.TokenPlaced: _token_placed,
    tokens.TokenShifted: _token_shifted,
    tokens.HexLeftEmpty: lambda teller, fact: f"{teller.names[fact.seat]} moves no number token.",
    caravans.CaravanMoved: _caravan_moved,
    caravans.StepsLapsed: lambda teller, fact: "",
    delivery.GoodDelivered: _delivered,
    development_cards.SafeConductPlayed: lambda teller, fact: (
        f"{teller.names[fact.seat]} plays a safe conduct for {number_of(fact.routes, 'free route')}."
    ),
    development_cards.TreatyPlayed: _treaty,
    development_cards.LancerPlayed: lambda teller, fact: (
        f"{teller.names[fact.seat]} plays a lancer and takes {fact.gold} gold."
    ),
    development_cards.BribePlayed: lambda teller, fact: (
        f"{teller.names[fact.seat]} plays a bribe: a caravan may go {number_of(fact.steps, 'route')} free of charge."
    ),
    trade.OfferMade: _offered,
    trade.OfferDeclined: lambda teller, fact: f"{teller.names[fact.seat]} declines.",
    trade.OfferWithdrawn: lambda teller, fact: f"{teller.names[fact.seat]} takes the offer back.",
    trade.OffersLapsed: _lapsed,
    trade.TradeMade: _traded,
}
