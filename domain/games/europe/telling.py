"""The match as a story: each fact as a sentence for one viewer, and the table as a few lines."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe import facts_build as b
from kontor_games.domain.games.europe import facts_setup as s
from kontor_games.domain.games.europe import facts_trade as t
from kontor_games.domain.games.europe import facts_travel as v
from kontor_games.domain.games.europe import facts_turn as u
from kontor_games.domain.games.europe.gazetteer import Gazetteer, gazetteer
from kontor_games.domain.games.europe.prose import a_number, cards, counted, listed, whose
from kontor_games.domain.games.europe.scene import scene_of
from kontor_games.domain.games.europe.state import NEUTRAL, EuropeState


def tell(rules: Any, state: EuropeState, happened: Fact, viewer: int, names: Sequence[str]) -> str:
    """The sentence for a fact; the state is the one after it. Empty where there is nothing to say."""
    teller = Teller(gazetteer(rules.board), state, viewer, names)
    sentence = _TELLERS[type(happened)](teller, happened)
    return sentence[:1].upper() + sentence[1:]


def scene(rules: Any, state: EuropeState, viewer: int, names: Sequence[str]) -> str:
    """The table in a few lines."""
    return scene_of(gazetteer(rules.board), state, viewer, names)


class Teller:
    """Knows the table after a fact, and to whom it speaks."""

    def __init__(self, places: Gazetteer, state: EuropeState, viewer: int, names: Sequence[str]) -> None:
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
        seat = self.state.post[self.state.atlas.board.city_index[city]]
        return "the neutral post" if seat == NEUTRAL else f"{whose(self.names[seat])} post"

    def numbered(self, hexagon: str) -> str:
        """A hex with its number, if it has one."""
        number = self.state.number[self.state.atlas.board.hex_index[hexagon]]
        return f"{self.places.hex(hexagon)} ({number})" if number else self.places.hex(hexagon)


# --- set-up ----------------------------------------------------------------------------------------------------------------


def _start_rolled(at: Teller, fact: s.StartRolled) -> str:
    rolls = [f"{at.names[roll.seat]} {sum(roll.dice)}" for roll in fact.rolls]
    return f"They roll for the first turn: {listed(rolls)}."


def _colour_placed(at: Teller, fact: s.ColourPlaced) -> str:
    colour, posts = at.state.setting.colours[fact.seat], listed([at.places.city(city) for city in fact.posts])
    return (
        f"{at.names[fact.seat]} plays {colour}: posts in {posts}, a route with a caravan {at.places.path(fact.route)}, "
        f"and {cards(fact.cards)} in hand."
    )


def _neutral_posts(at: Teller, fact: s.NeutralPostsPlaced) -> str:
    return f"Neutral posts stand in {listed([at.places.city(city) for city in fact.cities])}."


def _start_route(at: Teller, fact: s.StartRoutePlaced) -> str:
    return f"{at.names[fact.seat]} lays a first route {at.places.path(fact.path)}, with a caravan on it."


# --- dice and robber -------------------------------------------------------------------------------------------------------


def _rolled(at: Teller, fact: u.DiceRolled) -> str:
    one, other = fact.dice
    return f"{at.names[fact.seat]} rolls {one + other} ({one} and {other})."


def _produced(at: Teller, fact: u.ResourcesProduced) -> str:
    parts = [f"{at.names[gain.seat]} gets {cards(gain.cards)}" for gain in fact.gains]
    if fact.gold:
        verb = "gets" if len(fact.gold) == 1 else "get"
        parts.append(f"{at.all_of(fact.gold)} {verb} 1 gold" + (" each" if len(fact.gold) > 1 else ""))
    if fact.short:
        parts.append(f"there is too little {listed(fact.short)} for all, so nobody gets any")
    return "; ".join(parts) + "."


def _woken(at: Teller, fact: u.RobberWoken) -> str:
    owing = [f"{at.names[seat]} {counted(due, 'card')}" for seat, due in enumerate(fact.due) if due]
    return (
        f"The robber wakes. To be given back: {listed(owing)}."
        if owing
        else "The robber wakes. Nobody holds too many cards."
    )


def _robber(at: Teller, fact: u.RobberMoved) -> str:
    return f"{at.names[fact.seat]} sends the robber to {at.numbered(fact.hex)}."


def _stolen(at: Teller, fact: u.CardStolen) -> str:
    what = f"1 {fact.resource}" if at.knows(fact.thief, fact.victim) else "a card"
    return f"{at.names[fact.thief]} steals {what} from {at.names[fact.victim]}."


def _ended(at: Teller, fact: u.GameEnded) -> str:
    winners = [seat for seat, place in enumerate(fact.places) if place == 1]
    if fact.reason == "delivered":
        return f"{at.names[winners[0]]} has delivered all {counted(at.state.setting.goods, 'good')} and wins."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"That was the last of {at.state.setting.turn_limit} turns: {at.all_of(winners)} {verb}."


# --- buying and building ---------------------------------------------------------------------------------------------------


def _card_bought(at: Teller, fact: b.CardBought) -> str:
    what = f": a {fact.card.replace('_', ' ')}" if at.knows(fact.seat) else ""
    return f"{at.names[fact.seat]} buys a development card{what}."


def _supply_traded(at: Teller, fact: b.SupplyTraded) -> str:
    return f"{at.names[fact.seat]} gives {fact.count} {fact.give} to the supply for 1 {fact.take}."


def _route(at: Teller, fact: b.RouteBuilt) -> str:
    free = {
        "paid": "",
        "double_arrow": " for nothing, thanks to the double arrow",
        "safe_conduct": " under safe conduct",
    }[fact.source]
    more = "; its double arrow brings another one" if fact.bonus else ""
    return f"{at.names[fact.seat]} builds a route {at.places.path(fact.path)}{free}{more}."


def _connected(at: Teller, fact: b.ConnectionPaid) -> str:
    cities = listed([at.places.city(city) for city in fact.cities])
    verb = "is" if len(fact.cities) == 1 else "are"
    paid = [f"{gold} gold for {at.names[seat]}" for seat, gold in enumerate(fact.gold) if gold]
    return f"{cities} {verb} isolated no more: {listed(paid)}."


def _tied(at: Teller, fact: b.ChainsTied) -> str:
    return f"{counted(len(fact.chains), 'chain')} are equally short; {at.names[fact.seat]} picks the one that pays."


# --- travelling ------------------------------------------------------------------------------------------------------------


def _merchant_moved(at: Teller, fact: v.MerchantMoved) -> str:
    price = f" for {fact.grain} grain" if fact.grain else ""
    return f"{whose(at.names[fact.seat])} merchant goes to {at.places.crossroads(fact.way[-1])}{price}."


def _founded(at: Teller, fact: v.PostFounded) -> str:
    coast = f"; the coast pays {fact.gold} gold" if fact.gold else ""
    return f"{at.names[fact.seat]} founds a post in {at.places.city(fact.city)}, and another good is free{coast}."


def _token_placed(at: Teller, fact: v.TokenPlaced) -> str:
    return f"{a_number(fact.number)} comes from the sea to {at.places.hex(fact.hex)}."


def _token_shifted(at: Teller, fact: v.TokenShifted) -> str:
    return f"{at.names[fact.seat]} moves the {fact.number} from {at.places.hex(fact.source)} to {at.places.hex(fact.hex)}."


def _caravan_moved(at: Teller, fact: v.CaravanMoved) -> str:
    price = [f"{fact.salt} salt"] if fact.salt else []
    price += [f"1 gold toll to {at.names[owner]}" for owner in fact.tolls]
    paid = f" for {listed(price)}" if price else ""
    far = counted(len(fact.path), "route")
    return f"{whose(at.names[fact.seat])} caravan goes {far} on{paid}; it stands {at.places.path(fact.path[-1])}."


def _delivered(at: Teller, fact: v.GoodDelivered) -> str:
    done = f"{at.state.delivered[fact.seat]} of {at.state.setting.goods}"
    return f"{at.names[fact.seat]} delivers a good to {at.owner(fact.city)} in {at.places.city(fact.city)}: {done}."


def _treaty(at: Teller, fact: v.TreatyPlayed) -> str:
    how = f"takes {fact.gold} gold" if fact.gold else "sends a merchant on its way"
    return f"{at.names[fact.seat]} plays a trade treaty and {how}."


# --- trade -----------------------------------------------------------------------------------------------------------------


def _offered(at: Teller, fact: t.OfferMade) -> str:
    to = "" if len(fact.to) == at.state.seats - 1 else f" to {at.all_of(fact.to)}"
    verb = "offers" if fact.answers is None else "offers instead"
    return f"{at.names[fact.seat]} {verb}{to}: {cards(fact.give)} for {cards(fact.want)}."


def _traded(at: Teller, fact: t.TradeMade) -> str:
    return f"{at.names[fact.taker]} accepts: {cards(fact.give)} from {at.names[fact.maker]} for {cards(fact.want)}."


def _lapsed(at: Teller, fact: t.OffersLapsed) -> str:
    return f"{'An offer' if len(fact.offers) == 1 else counted(len(fact.offers), 'offer')} can't be kept any more."


_TELLERS: dict[type[Fact], Callable[[Teller, Any], str]] = {
    s.StartRolled: _start_rolled,
    s.FirstPlayerFound: lambda at, fact: f"{at.names[fact.seat]} begins.",
    s.ColourPlaced: _colour_placed,
    s.NeutralPostsPlaced: _neutral_posts,
    s.PlacementOpened: lambda at, fact: "",
    s.StartPostPlaced: lambda at, fact: f"{at.names[fact.seat]} opens a post in {at.places.city(fact.city)}.",
    s.StartCardsTaken: lambda at, fact: f"{at.names[fact.seat]} takes {cards(fact.cards)}.",
    s.NeutralPostPlaced: lambda at, fact: (
        f"{at.names[fact.seat]} puts a neutral post in {at.places.city(fact.city)}."
    ),
    s.StartRoutePlaced: _start_route,
    u.TurnBegan: lambda at, fact: f"Turn {fact.turn}: {at.names[fact.seat]}.",
    u.DiceRolled: _rolled,
    u.ResourcesProduced: _produced,
    u.RobberWoken: _woken,
    u.CardsDiscarded: lambda at, fact: f"{at.names[fact.seat]} gives back {cards(fact.cards)}.",
    u.RobberMoved: _robber,
    u.CardStolen: _stolen,
    u.TheftForgone: lambda at, fact: f"{at.names[fact.seat]} steals nothing.",
    u.TurnEnded: lambda at, fact: "",
    u.GameEnded: _ended,
    b.ResourceBought: lambda at, fact: f"{at.names[fact.seat]} buys 1 {fact.resource} for {fact.gold} gold.",
    b.SupplyTraded: _supply_traded,
    b.PileRenewed: lambda at, fact: f"The {counted(fact.cards, 'played card')} are shuffled into a new pile.",
    b.CardBought: _card_bought,
    b.MerchantHired: lambda at, fact: (
        f"{at.names[fact.seat]} hires a merchant in {at.places.city(fact.city)}."
    ),
    b.CaravanFormed: lambda at, fact: f"{at.names[fact.seat]} forms a caravan {at.places.path(fact.path)}.",
    b.RouteBuilt: _route,
    b.ChainsTied: _tied,
    b.ConnectionPaid: _connected,
    b.RouteForgone: lambda at, fact: f"{at.names[fact.seat]} does without the free route.",
    v.MerchantMoved: _merchant_moved,
    v.PostFounded: _founded,
    v.TokenPlaced: _token_placed,
    v.TokenShifted: _token_shifted,
    v.HexLeftEmpty: lambda at, fact: f"{at.names[fact.seat]} moves no number token.",
    v.CaravanMoved: _caravan_moved,
    v.StepsLapsed: lambda at, fact: "",
    v.GoodDelivered: _delivered,
    v.SafeConductPlayed: lambda at, fact: (
        f"{at.names[fact.seat]} plays a safe conduct for {counted(fact.routes, 'free route')}."
    ),
    v.TreatyPlayed: _treaty,
    v.LancerPlayed: lambda at, fact: f"{at.names[fact.seat]} plays a lancer and takes {fact.gold} gold.",
    v.BribePlayed: lambda at, fact: (
        f"{at.names[fact.seat]} plays a bribe: a caravan may go {counted(fact.steps, 'route')} free of charge."
    ),
    t.OfferMade: _offered,
    t.OfferDeclined: lambda at, fact: f"{at.names[fact.seat]} declines.",
    t.OfferWithdrawn: lambda at, fact: f"{at.names[fact.seat]} takes the offer back.",
    t.OffersLapsed: _lapsed,
    t.TradeMade: _traded,
}
