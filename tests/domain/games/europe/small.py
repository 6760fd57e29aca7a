"""A small board for tests, and a match on it in which a test can place pieces and cards.

Two rows of hexes in the sea. Three roads run from west to east: the north road over the corners of the upper
row, the south road under those of the lower row, the middle road between them. Cities n0 … n6 lie on the
northern tips, s0 … s6 on the southern ones, m2 and m4 on the middle road.

    upper row  0,0 forest 5 · 1,0 pasture 6 · 2,0 field 8 · 3,0 mountain 4 · 4,0 salt 9
               5,0 forest (ring: 4) · 6,0 mountain
    lower row  0,1 field (ring: 10) · 1,1 mountain (ring: 9) · 2,1 salt (ring: 5)
               3,1 pasture (ring: 5) · 4,1 forest · 5,1 field · 6,1 salt
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet, Fact, Move, Refusal
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, Cards
from kontor_games.domain.games.europe.facts.production import Gain, ResourcesProduced
from kontor_games.domain.games.europe.moves import RollDice
from kontor_games.domain.games.europe.rules import VERSION_1, VERSION_2, VERSION_3, EuropeRules
from kontor_games.domain.games.europe.state import EuropeState
from tests.domain.games.europe.installed import options_of
from tests.support.scripted_chance import Scripted

LENGTH = 7
_UPPER = [
    ("forest", 5),
    ("pasture", 6),
    ("field", 8),
    ("mountain", 4),
    ("salt_works", 9),
    ("forest", "ring"),
    ("mountain", None),
]
_LOWER = [
    ("field", "ring"),
    ("mountain", "ring"),
    ("salt_works", "ring"),
    ("pasture", "ring"),
    ("forest", None),
    ("field", None),
    ("salt_works", None),
]


def _land(row: Sequence[tuple[str, Any]], r: int) -> list[Plain]:
    marks = {"ring": {"ringed": True}, None: {}}
    return [
        {"at": f"{q},{r}", "terrain": terrain, **marks.get(mark, {"number": mark})}
        for q, (terrain, mark) in enumerate(row)
    ]


def _cities() -> list[Plain]:
    north = [{"id": f"n{q}", "name": f"North {q}", "at": f"{q},0N", "violet": q < 6} for q in range(LENGTH)]
    south = [{"id": f"s{q}", "name": f"South {q}", "at": f"{q},1S", "violet": q < 6} for q in range(LENGTH)]
    middle = [{"id": f"m{q}", "name": f"Middle {q}", "at": f"{q},1N"} for q in (2, 4)]
    return [*north, *south, *middle]


def north(step: int) -> str:
    """The paths of the north road from west to east: 2 q leads up to city n<q>, 2 q + 1 down from it."""
    return f"{step // 2},-1SE" if step % 2 == 0 else f"{step // 2 + 1},-1SW"


def south(step: int) -> str:
    """The paths of the south road from west to east: 2 q leads down to city s<q>, 2 q + 1 up from it."""
    return f"{step // 2},1SW" if step % 2 == 0 else f"{step // 2},1SE"


def middle(step: int) -> str:
    """The paths of the middle road from west to east.

    2 q + 1 leads to the corner q,1N, which is a city where q is 2 or 4.
    """
    return f"{step // 2},0SW" if step % 2 == 0 else f"{step // 2},0SE"


def stairs(q: int) -> str:
    """The path between the north road and the middle road west of the upper hex q."""
    return f"{q - 1},0E"


DOUBLE = (north(7), stairs(4))
"""Two double arrows that meet at a crossroads."""

DOCUMENT: Mapping[str, Plain] = {
    "format": 1,
    "name": "Two rows",
    "kind": "short",
    "land": _land(_UPPER, 0) + _land(_LOWER, 1),
    "sea": [
        *(f"{q},-1" for q in range(LENGTH + 1)),
        *(f"{q},2" for q in range(-1, LENGTH)),
        "-1,0",
        "7,0",
        "-1,1",
        "7,1",
    ],
    "cities": [
        {**city, "gold": {"n6": 2, "s6": 1}[city["id"]]} if city["id"] in ("n6", "s6") else city
        for city in _cities()
    ],
    "paths": {
        "land": [
            *(road(step) for road in (north, middle, south) for step in range(2 * LENGTH)),
            *(f"{q},{r}E" for q in range(-1, LENGTH) for r in (0, 1)),
        ],
        "sea": [],
        "double": list(DOUBLE),
    },
    "robber": "5,1",
    "fixed": {
        "red": {"posts": ["n0", "s2", "n4"], "route": north(0)},
        "blue": {"posts": ["s0", "n1", "s4"], "route": south(0)},
        "white": {"posts": ["n2", "s1", "n5"], "route": north(5)},
        "orange": {"posts": ["n3", "s3", "s5"], "route": south(7)},
    },
}

RULES = EuropeRules(VERSION_1, DataSet("small", DOCUMENT))
RULES_2 = EuropeRules(VERSION_2, DataSet("small", DOCUMENT))
RULES_3 = EuropeRules(VERSION_3, DataSet("small", DOCUMENT))
EXPERT = EuropeRules(VERSION_1, DataSet("small expert", {**DOCUMENT, "kind": "expert"}))
ROUTE_COST, MERCHANT_COST, CARAVAN_COST = (
    Cards(ore=1, lumber=1),
    Cards(wool=1, grain=1, lumber=1),
    Cards(ore=1, lumber=1, salt=1),
)
FIRST_IS_SEAT_0 = [5, 5, 0, 0, 0, 0, 0, 0]


class Small:
    """A match on the small board whose first player is seat 0; tests put what else they need on the board."""

    def __init__(self, seats: int = 4, rules: EuropeRules = RULES, **options: Any) -> None:
        self.rules = rules
        self.state: EuropeState = rules.table(seats, options_of(rules, **options))
        self.dealt = rules.deal(self.state, Scripted({"first_player": FIRST_IS_SEAT_0[: 2 * seats]}))
        self.board = rules.board

    def play(self, seat: int, move: Move, **chance: list[object]) -> list[Fact]:
        """Make a move, with scripted chance."""
        return self.rules.play(self.state, seat, move, Scripted(chance, Seeded(seed_from("small"))))

    def refuse(self, seat: int, move: Move) -> Refusal:
        """The refusal of a move, which leaves the state untouched."""
        untouched = self.state.digest()
        with pytest.raises(Refusal) as caught:
            self.rules.play(self.state, seat, move, Seeded(seed_from("small")))
        assert self.state.digest() == untouched
        assert move not in self.rules.legal_moves(self.state, seat)
        return caught.value

    def legal(self, kind: type[Move], seat: int = 0) -> list[Any]:
        """The legal moves of one kind."""
        return [move for move in self.rules.legal_moves(self.state, seat) if isinstance(move, kind)]

    def rolled(self, *dice: int) -> Self:
        """Seat 0 rolls; 12 by default, which no hex bears, so that everybody gets 1 gold."""
        self.play(0, RollDice(), dice=[die - 1 for die in dice or (6, 6)])
        return self

    def give(self, seat: int, **cards: int) -> Self:
        """Give a player cards from the supply."""
        ResourcesProduced((Gain(seat, Cards(**cards)),), (), ()).fold(self.state)
        return self

    def hand(self, seat: int) -> dict[str, int]:
        """Return the resource cards of a player."""
        held = dict(zip(RESOURCES, self.state.hand(seat), strict=True))
        return {resource: count for resource, count in held.items() if count}

    def empty(self, seat: int) -> Self:
        """Return all cards of a player to the supply."""
        self.state.pay(seat, self.state.hand(seat))
        return self

    def gold(self, seat: int, gold: int) -> Self:
        """Set the gold of a player."""
        self.state.gold[seat] = gold
        return self

    def card(self, seat: int, kind: str) -> Self:
        """A development card that was bought in an earlier turn."""
        self.state.pile[CARDS.index(kind)] -= 1
        self.state.cards[seat] += (CARDS.index(kind),)
        return self

    def route(self, seat: int, *paths: str) -> Self:
        """Routes on the board."""
        for path in paths:
            self.state.set_route(self.board.path_index[path], seat)
        return self

    def post(self, owner: int, *cities: str) -> Self:
        """Posts on the board."""
        for city in cities:
            self.state.set_post(self.board.city_index[city], owner)
        return self

    def merchant(self, seat: int, number: int, crossroads: str) -> Self:
        """A merchant on the board."""
        self.state.set_merchant(seat, number, self.board.crossroads_index[crossroads])
        return self

    def caravan(self, seat: int, number: int, path: str) -> Self:
        """A caravan on the board."""
        self.state.set_caravan(seat, number, self.board.path_index[path])
        return self

    def goods(self, seat: int, free: int) -> Self:
        """Set the number of free goods of a player."""
        self.state.free_goods[seat] = free
        return self


def builder(**options: Any) -> Small:
    """Seat 0 after the roll with the cards for five routes."""
    return Small(**options).give(0, ore=5, lumber=4).rolled().gold(0, 0)


def road(salt: int = 1, gold: int = 3, rules: EuropeRules = RULES, **owners: int) -> Small:
    """The north road from end to end, its caravan on the first piece.

    Each piece is of seat 0 unless said otherwise (`p3=1`).
    """
    game = Small(rules=rules).empty(0).give(0, salt=salt).rolled().gold(0, gold)
    for step in range(14):
        if step not in (0, 5):
            game.route(owners.get(f"p{step}", 0), north(step))
    return game


def way(*steps: int) -> tuple[str, ...]:
    """A way along the north road."""
    return tuple(north(step) for step in steps)


def walker(at: str = "0,0N", grain: int = 1, rules: EuropeRules = RULES) -> Small:
    """Seat 0 after the roll with a merchant, grain for it and no gold."""
    return Small(rules=rules).empty(0).give(0, grain=grain).merchant(0, 0, at).rolled().gold(0, 0)
