"""The view: everything is public except the order of pile and bag (S-9)."""

from functools import lru_cache

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import View
from kontor_games.domain.games.speicherstadt.data.cards import CARDS, GOODS, Deck, by_season
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import NOBODY, Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack

_NO_FIRES = sum(card.kind != "fire" for card in CARDS)


def view(steps: Steps, state: Table, viewer: int) -> View:
    """Return the table as plain data."""
    bag, pile, stock = state.bag[state.drawn :], state.unrevealed(), unpack(state.stock)
    shown: View = {
        "phase": state.phase,
        "round": state.round,
        "rounds": rounds_of(state),
        "first_player": None if state.first == NOBODY else state.first,
        "simultaneous_loading": state.simultaneous,
        "row": [_offer(steps, state, place) for place in range(len(state.row))],
        "buyer": None if state.asked == NOBODY else state.asked,
        "loading": list(state.loaders),
        "seats": [_seat(steps, state, seat) for seat in range(state.seats)],
        "stock": {good: stock.count(good) for good in GOODS},
        "bag": {good: bag.count(good) for good in GOODS},
        "pile": {season: list(cards) for season, cards in by_season(pile).items()},
        "discarded": list(state.discarded),
        "removed": list(state.removed),
        "places": list(state.places),
    }
    if viewer == ARBITER:
        shown["pile_order"] = list(pile)
        shown["bag_order"] = list(bag)
    return shown


def rounds_of(state: Table) -> int:
    """The number of rounds of the match (S-5)."""
    return (_NO_FIRES - len(state.removed)) // state.numbers.row


def _offer(steps: Steps, state: Table, place: int) -> View:
    """A card of the row: what it is, the cubes on it, the line, and the price for the first in line."""
    line = state.lines[place]
    cubes = list(unpack(state.cargo[place]))
    return {
        **_card(state.deck, state.row[place]),
        "cubes": cubes,
        "line": list(line),
        "price": steps.price(line),
    }


@lru_cache(512)
def _card(deck: Deck, card: str) -> View:
    """The constant part of a card's view; callers add the rest."""
    return {"card": card, **deck.shown(card)}


def _contract(state: Table, card: str) -> View:
    return {**_card(state.deck, card), "open": list(unpack(state.open_places[card]))}


def _seat(steps: Steps, state: Table, seat: int) -> View:
    return {
        "coins": state.coins[seat],
        "points": state.points[seat],
        "score": steps.score(state, seat).total,
        "workers": state.workers_at_home(seat),
        "cards": list(state.cards[seat]),
        "firemen": state.firemen(seat),
        "bought": state.has_bought(seat),
        "contracts": [_contract(state, card) for card in state.contracts[seat]],
        "quay": list(unpack(state.quay[seat])),
        "market_hall": list(unpack(state.market_hall[seat])),
        "warehouse": list(unpack(state.warehouse[seat])) if state.warehouse_owner == seat else None,
        "steps": state.steps[seat],
    }
