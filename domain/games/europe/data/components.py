"""The components: resources, development cards, number tokens, and the pieces of each player (E-3 to E-7)."""

from operator import attrgetter
from typing import Annotated, Literal, get_args

from kontor_games.domain.codec import Between, Record, record
from kontor_games.domain.games.europe.data.board import RESOURCES, Resource

LUMBER, WOOL, GRAIN, ORE, SALT = range(5)
GOLD = "gold"
Term = Literal[Resource, "gold"]
TERMS: tuple[Term, ...] = get_args(Term)
"""The things that players trade with each other."""

Card = Literal["lancer", "safe_conduct", "trade_treaty", "bribe"]
CARDS: tuple[Card, ...] = get_args(Card)
LANCER, SAFE_CONDUCT, TRADE_TREATY, BRIBE = range(4)
DECK = (10, 5, 5, 5)
"""The number of development cards of each kind (E-7)."""

SUPPLY = 19
"""The number of cards of each resource (E-5)."""
START_GOLD = 3
ROUTES = 30
"""The number of routes of each player (E-3)."""

TOKENS = ((4, 9, 11), (4, 5, 11), (3, 9, 10), (3, 9, 10), (5, 10, 11))
"""The number tokens in the colour of each resource's terrain (E-6)."""
PIPS = (0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1)
"""How many of the 36 rolls of two dice give each number that a token can bear."""
RINGED = (4, 5, 10, 9, 5)
"""The token of each colour that starts on the board (E-6)."""

PIECES = {("short", 3): (8, 6), ("short", 4): (7, 5), ("expert", 3): (12, 10), ("expert", 4): (10, 8)}
"""The number of posts and of goods of each player, by kind of board and number of players (E-3)."""

_Count = Annotated[int, Between(0, SUPPLY)]


@record
class Cards(Record):
    """A number of resource cards of each kind, such as a price or a hand."""

    lumber: _Count = 0
    wool: _Count = 0
    grain: _Count = 0
    ore: _Count = 0
    salt: _Count = 0

    def amounts(self) -> dict[str, int]:
        """Return the count of each kind that is there, gold last."""
        return {name: count for name in TERMS if (count := getattr(self, name, 0))}

    def __repr__(self) -> str:
        counts = [f"{name}={count}" for name, count in self.amounts().items()]
        return f"{type(self).__name__}({', '.join(counts)})"


@record
class Terms(Cards):
    """One side of a trade between players: resource cards and gold."""

    gold: Annotated[int, Between(0, 999)] = 0


counts_of = attrgetter(*RESOURCES)
"""How many of each resource Cards or Terms hold, in the order of RESOURCES."""

NOTHING = Cards()
SINGLE = tuple(Cards(**{name: 1}) for name in RESOURCES)
"""One card of each resource."""
SINGLES = tuple(map(counts_of, SINGLE))
"""The same as counts."""


# A development card in a hand is one number: the pile it was drawn from (counted from 0) and its kind.


def card_of(pile: int, kind: int) -> int:
    """Return the card of a kind that was drawn from a pile."""
    return pile * 4 + kind


def kind_of(card: int) -> int:
    """Return the kind of a card, as an index into CARDS."""
    return card & 3


def pile_of(card: int) -> int:
    """Return the pile that a card was drawn from."""
    return card >> 2
