"""Parts of sentences about cards, cubes and points."""

from collections.abc import Sequence

from kontor_games.domain.games.speicherstadt.data.cards import KIND
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.toolkit.sentences import listed

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(number: int) -> str:
    """Return `first` to `eighth`: no line is longer (S-13)."""
    return _ORDINALS[number - 1]


def goods(cubes: Sequence[str]) -> str:
    """Return cubes by good, in the order in which they are named first: `tea and 2 saffron`."""
    counts = [(good, cubes.count(good)) for good in dict.fromkeys(cubes)]
    return listed(good if count == 1 else f"{count} {good}" for good, count in counts)


def bare(state: Table, card: str) -> str:
    """Return what a card is, without an article."""
    if card in state.deck.goods:
        return f"contract for {goods(state.deck.goods[card])}"
    if card in state.deck.value:
        return f"fireman of value {state.deck.value[card]}"
    return "St. Michaelis" if card == "st_michaelis" else KIND[card].replace("_", " ")


def the(state: Table, card: str) -> str:
    """Return a card that is already known, with its article."""
    return bare(state, card) if card == "st_michaelis" else f"the {bare(state, card)}"


def a(state: Table, card: str, cubes: Sequence[str] = ()) -> str:
    """Return a card that is new, with its article and with the cubes on it."""
    shown = the(state, card) if KIND[card] == card else f"a {bare(state, card)}"
    return f"{shown} with {goods(cubes)}" if cubes else shown


def in_row(state: Table, card: str) -> str:
    """Return a card of the row with its article; one of several ships is named by its cubes."""
    ships = [KIND[other] for other in state.row].count("ship")
    cubes = unpack(state.cargo[state.row.index(card)])
    return f"the ship with {goods(cubes)}" if cubes and ships > 1 else the(state, card)
