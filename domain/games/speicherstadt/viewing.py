"""What a viewer may know of a table, built up from nothing: all is public but the order of the pile and of the bag (S-9)."""

from functools import lru_cache

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import ARBITER, Plain
from kontor_games.domain.game import View
from kontor_games.domain.games.speicherstadt.cards import CARD, CARDS, CONTRACT_POINTS, SEASONS, Deck
from kontor_games.domain.games.speicherstadt.cubes import GOODS, count, unpack
from kontor_games.domain.games.speicherstadt.scoring import firemen, score
from kontor_games.domain.games.speicherstadt.state import NOBODY, Table

_PLACE = {card.id: place for place, card in enumerate(CARDS)}
_NO_FIRES = sum(card.kind != "fire" for card in CARDS)


def view(deck: Deck, state: Table, viewer: int) -> View:
    """The table as plain data."""
    bag, pile = state.bag[state.drawn :], list(state.unrevealed())
    shown: View = {
        "phase": state.phase,
        "round": state.round,
        "rounds": (_NO_FIRES - len(deck.removed(state.seats))) // (state.seats + 1),
        "first_player": None if state.first == NOBODY else state.first,
        "simultaneous_loading": state.simultaneous,
        "row": [_offer(deck, state, place) for place in range(len(state.row))],
        "buyer": None if state.asked == NOBODY else state.asked,
        "loading": list(state.loaders),
        "seats": [_seat(deck, state, seat) for seat in range(state.seats)],
        "stock": _counts(state.stock),
        "bag": {good: bag.count(good) for good in GOODS},
        "pile": _unseen(pile),
        "discarded": list(state.discarded),
        "removed": list(state.removed),
        "places": list(state.places),
    }
    if viewer == ARBITER:
        shown["pile_order"] = pile
        shown["bag_order"] = list(bag)
    return shown


def _offer(deck: Deck, state: Table, place: int) -> View:
    """A card of the row: what it is, what lies on it, who stands in line, and what it costs the first of them."""
    line = state.lines[place]
    return {
        **_card(deck, state.row[place]),
        "cubes": list(unpack(state.cargo[place])),
        "line": list(line),
        "price": len(line),
    }


def _card(deck: Deck, card: str) -> View:
    shown: View = {"card": card, "kind": CARD[card].kind, "season": CARD[card].season}
    if card in deck.goods:
        shown["goods"] = list(deck.goods[card])
        shown["points"] = CONTRACT_POINTS[len(deck.goods[card])]
    elif card in deck.value:
        shown["value"] = deck.value[card]
    return shown


def _seat(deck: Deck, state: Table, seat: int) -> View:
    return {
        "coins": state.coins[seat],
        "points": state.points[seat],
        "score": score(deck, state, seat).total,
        "workers": state.workers_at_home(seat),
        "cards": list(state.cards[seat]),
        "firemen": firemen(deck, state, seat),
        "bought": bool(state.buyers >> seat & 1),
        "contracts": [
            {**_card(deck, card), "open": list(unpack(state.open_places[card]))}
            for card in state.contracts[seat]
        ],
        "quay": list(unpack(state.quay[seat])),
        "market_hall": list(unpack(state.market_hall[seat])),
        "warehouse": list(unpack(state.warehouse[seat])) if state.warehouse_owner == seat else None,
        "steps": state.steps[seat],
    }


@lru_cache(1024)
def _pairs(heap: int) -> tuple[tuple[str, int], ...]:
    return tuple((good, count(heap, good)) for good in GOODS)


def _counts(heap: int) -> dict[str, int]:
    return dict(_pairs(heap))


def _unseen(pile: list[str]) -> dict[str, Plain]:
    """The cards that nobody has seen yet, by season: anyone can work out which they are, nobody in which order they lie."""
    unseen = sorted(pile, key=_PLACE.__getitem__)
    return {season: [card for card in unseen if CARD[card].season == season] for season in SEASONS}


def resample(state: Table, viewer: int, chance: Chance) -> Table:
    """A table with another order of pile and bag; from the arbiter nothing is hidden."""
    twin = state.copy()
    if viewer == ARBITER:
        return twin
    hidden = _unseen(list(state.unrevealed()))
    pile = [
        card
        for place, season in enumerate(SEASONS)
        for card in chance.draws("deck", place).shuffled(hidden[season])
    ]
    cubes = sorted(state.bag[state.drawn :], key=GOODS.index)
    twin.pile = state.pile[: state.revealed] + tuple(pile)
    twin.bag = state.bag[: state.drawn] + tuple(chance.draws("bag", 0).shuffled(cubes))
    return twin
