"""Parts of sentences about cards and cubes."""

from collections.abc import Sequence

from kontor_games.domain.games.speicherstadt.data.cards import KIND, MERCHANTS, Good
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.toolkit.messages import Phrase, phrase

_MERCHANT_OF = {good: merchant for merchant, good in MERCHANTS.items()}


def good(name: str, count: int = 1) -> Phrase:
    """Return cubes of one good: `tea`, `2 tea`."""
    return phrase(f"goods.{name}", n=count)


def goods(cubes: Sequence[str]) -> tuple[Phrase, ...]:
    """Return cubes by good, in the order in which they are named first: `tea and 2 saffron`."""
    return tuple(good(name, cubes.count(name)) for name in dict.fromkeys(cubes))


def card(state: Table, name: str) -> Phrase:
    """Return the name of a card."""
    if name in state.deck.goods:
        return phrase("cards.contract", goods=goods(state.deck.goods[name]))
    if name in state.deck.value:
        return phrase("cards.fireman", value=state.deck.value[name])
    return phrase(f"cards.{KIND[name]}")


def card_with_cubes(state: Table, name: str, cubes: Sequence[str]) -> Phrase:
    """Return a card with the cubes on it."""
    return phrase("cards.laden_ship", goods=goods(cubes)) if cubes else card(state, name)


def in_row(state: Table, name: str) -> Phrase:
    """Return the name of a card; one of several ships in the row is named by its cubes."""
    ships = [other for other in state.row if KIND[other] == "ship"]
    is_ambiguous = name in ships and len(ships) > 1
    return card_with_cubes(state, name, unpack(state.cargo[state.row.index(name)]) if is_ambiguous else ())


def merchant_for(good: Good) -> Phrase:
    """Return the merchant who buys a good."""
    return phrase(f"cards.{_MERCHANT_OF[good]}")


def ordinal(number: int) -> Phrase:
    """Return `first` to `eighth`: no line is longer (S-13)."""
    return phrase(f"ordinals.{number}")
