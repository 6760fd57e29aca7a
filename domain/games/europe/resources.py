"""Resources, gold and what things cost."""

from operator import attrgetter
from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Record, record
from kontor_games.domain.games.europe.board import RESOURCES

Resource = Literal["lumber", "wool", "grain", "ore", "salt"]
Card = Literal["lancer", "safe_conduct", "trade_treaty", "bribe"]
Counts = tuple[int, int, int, int, int]
"""How many of each resource, in the order of RESOURCES."""

LUMBER, WOOL, GRAIN, ORE, SALT = range(5)
GOLD = "gold"

CARDS = ("lancer", "safe_conduct", "trade_treaty", "bribe")
LANCER, SAFE_CONDUCT, TRADE_TREATY, BRIBE = range(4)
DECK = (10, 5, 5, 5)
"""How many development cards of each kind there are (E-7)."""

SUPPLY = 19
"""Cards of each resource (E-5)."""
START_GOLD = 3
ROUTES = 30

TOKENS = ((4, 9, 11), (4, 5, 11), (3, 9, 10), (3, 9, 10), (5, 10, 11))
"""The number tokens in the colour of each resource's terrain (E-6)."""
RINGED = (4, 5, 10, 9, 5)
"""The one of each colour that starts on the board (E-6)."""

_Count = Annotated[int, Between(0, SUPPLY)]


@record
class Cards(Record):
    """Resource cards, by kind."""

    lumber: _Count = 0
    wool: _Count = 0
    grain: _Count = 0
    ore: _Count = 0
    salt: _Count = 0


@record
class Terms(Record):
    """One side of a trade between players: resource cards and gold."""

    lumber: _Count = 0
    wool: _Count = 0
    grain: _Count = 0
    ore: _Count = 0
    salt: _Count = 0
    gold: Annotated[int, Between(0, 999)] = 0


TERMS = (*RESOURCES, GOLD)
"""What players trade with each other."""

counts_of = attrgetter(*RESOURCES)
"""The Counts of Cards or Terms."""

NOTHING = Cards()
ROUTE_COST = Cards(ore=1, lumber=1)
CARD_COST = Cards(wool=1, salt=1)
MERCHANT_COST = Cards(wool=1, grain=1, lumber=1)
CARAVAN_COST = Cards(ore=1, lumber=1, salt=1)

SINGLE = tuple(Cards(**{name: 1}) for name in RESOURCES)
"""One card of each resource."""

PIECES = {("short", 3): (8, 6), ("short", 4): (7, 5), ("expert", 3): (12, 10), ("expert", 4): (10, 8)}
"""Board and players to posts and goods of each player (E-3)."""

FIXED_RESOURCES = {
    "red": Cards(lumber=1, grain=1, salt=1),
    "blue": Cards(salt=1, wool=1, ore=1),
    "white": Cards(lumber=1, grain=1, wool=1),
    "orange": Cards(ore=1, salt=1, grain=1),
}
"""What each colour begins with in the fixed set-up (E-10)."""
