"""The state of The Speicherstadt."""

from dataclasses import dataclass
from functools import cache
from itertools import repeat
from operator import countOf
from typing import Literal, get_args

from kontor_games.domain.codec import Record
from kontor_games.domain.game import State, record
from kontor_games.domain.games.speicherstadt.data.cards import Deck
from kontor_games.domain.games.speicherstadt.state.cubes import pack

Place = Literal["quay", "market_hall", "warehouse"]
PLACES: tuple[Place, ...] = get_args(Place)
"""The places from which cubes can be taken."""
Phase = Literal["set_up", "supply", "demand", "purchase", "loading", "income", "over"]

_new = object.__new__
NOBODY = -1
"""Stands for no seat."""
_CLOCKWISE = {n: [tuple((first + i) % n for i in range(n)) for first in range(n)] for n in range(2, 6)}


@cache
def _idle(seats: int, buyers: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats) if not buyers >> seat & 1)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the rule book that hold throughout a match; the rules give them to the table."""

    coins: int  # of each player at the start
    workers: int  # of each player
    row: int  # cards in a full row
    line: int  # workers that fit in one line
    warehouse: int  # cubes that fit in it
    steps: int  # allowed to a player in one loading


@record
class Score(Record):
    """The points of one seat by category, and their sum (S-32)."""

    fires: int
    contracts: int
    counting_offices: int
    merchants: int
    churches: int
    port: int
    chamber_of_commerce: int
    warehouse: int
    total: int

    def __repr__(self) -> str:
        names: tuple[str, ...] = self.__slots__
        return f"Score({', '.join(f'{name}={getattr(self, name)}' for name in names if getattr(self, name))})"


class Table(State):
    """Everything on the table. Heaps of cubes are integers (`cubes.py`); lists are by seat or by row."""

    __slots__ = (
        *("deck", "numbers", "seats", "simultaneous", "named_first"),
        *("phase", "round", "first", "placed", "asked", "buyers", "loaders", "steps"),
        *("pile", "revealed", "removed", "discarded", "bag", "drawn", "stock"),
        *("row", "cargo", "lines"),
        *("coins", "points", "cards", "contracts", "open_places", "trades", "bank_owner", "warehouse_owner"),
        *("quay", "market_hall", "warehouse"),
        *("scores", "places"),
    )
    seats: int
    STATIC = frozenset(("deck", "numbers"))
    PARTS = (Score,)

    def __init__(
        self, seats: int, deck: Deck, numbers: Numbers, *, simultaneous: bool, first: int | None
    ) -> None:
        """The table before the first fact: players with their coins, no pile yet."""
        self.deck, self.numbers, self.seats, self.simultaneous = deck, numbers, seats, simultaneous
        self.named_first = first  # the first player, if the creator of the match named one
        self.phase: Phase = "set_up"
        self.round = 0
        self.first = NOBODY
        self.pile: tuple[str, ...] = ()
        self.revealed = 0  # how many cards of the pile have been turned up
        self.removed: tuple[str, ...] = ()
        self.discarded: list[str] = []
        self.bag: tuple[str, ...] = ()
        self.drawn = 0  # how many cubes have been drawn from the bag
        self.stock = 0
        self.row: tuple[str, ...] = ()
        self.cargo: tuple[int, ...] = ()  # the cubes on each card of the row
        self.lines: list[tuple[int, ...]] = []
        """For each card of the row the seats whose workers are in line, the first in line first."""
        self.placed = 0  # workers placed in this round
        self.asked = NOBODY  # the seat that may buy the first card of the row
        self.buyers = 0  # a bit for each seat that bought a card in this round
        self.loaders: tuple[int, ...] = ()  # the seats that have not finished loading, in turn order
        self._seat_players(seats, numbers.coins)
        self.open_places = {card: pack(goods) for card, goods in deck.goods.items()}
        """The goods that each contract still needs."""
        self.scores: tuple[Score, ...] = ()  # empty until the end
        self.places: tuple[int, ...] = ()

    def _seat_players(self, seats: int, coins: int) -> None:
        self.coins = [coins] * seats
        self.points = [0] * seats  # points from fires
        self.cards: list[tuple[str, ...]] = [()] * seats
        self.contracts: list[tuple[str, ...]] = [()] * seats
        self.trades = [0] * seats  # the set of goods that each seat's merchants buy
        self.bank_owner = self.warehouse_owner = NOBODY
        self.quay, self.market_hall, self.warehouse = [0] * seats, [0] * seats, [0] * seats
        self.steps = [0] * seats  # loading steps made in this round

    def copy(self) -> "Table":
        """Return an independent copy; lists are copied, immutable parts are shared."""
        twin = _new(Table)
        twin.deck, twin.numbers = self.deck, self.numbers
        twin.seats, twin.simultaneous, twin.named_first = self.seats, self.simultaneous, self.named_first
        twin.phase, twin.round, twin.first = self.phase, self.round, self.first
        twin.placed, twin.asked, twin.buyers = self.placed, self.asked, self.buyers
        twin.loaders, twin.steps = self.loaders, self.steps[:]
        twin.pile, twin.revealed, twin.removed = self.pile, self.revealed, self.removed
        twin.discarded, twin.stock = self.discarded[:], self.stock
        twin.bag, twin.drawn = self.bag, self.drawn
        twin.row, twin.cargo, twin.lines = self.row, self.cargo, self.lines[:]
        twin.coins, twin.points = self.coins[:], self.points[:]
        twin.cards, twin.contracts = self.cards[:], self.contracts[:]
        twin.open_places, twin.trades = self.open_places.copy(), self.trades[:]
        twin.bank_owner, twin.warehouse_owner = self.bank_owner, self.warehouse_owner
        twin.quay, twin.market_hall, twin.warehouse = self.quay[:], self.market_hall[:], self.warehouse[:]
        twin.scores, twin.places = self.scores, self.places
        return twin

    def __repr__(self) -> str:
        row = " ".join(self.row) or "empty"
        return f"<Table: round {self.round}, {self.phase}, row {row}, coins {self.coins}>"

    def heaps(self, place: Place) -> list[int]:
        """The cubes in one kind of place, by seat."""
        if place == "quay":
            return self.quay
        return self.market_hall if place == "market_hall" else self.warehouse

    def held(self, seat: int) -> int:
        """All cubes of a seat that are not on contracts."""
        return self.quay[seat] + self.market_hall[seat] + self.warehouse[seat]

    def unrevealed(self) -> tuple[str, ...]:
        """The cards that are still in the pile, from the top."""
        return self.pile[self.revealed :]

    def clockwise(self) -> tuple[int, ...]:
        """All seats, from the first player on."""
        return _CLOCKWISE[self.seats][self.first]

    def firemen(self, seat: int) -> int:
        """The sum of the values of a seat's firemen."""
        value = self.deck.value
        return sum([value[card] for card in self.cards[seat] if card in value])

    def has_bought(self, seat: int) -> bool:
        """Whether the seat bought a card in this round."""
        return bool(self.buyers >> seat & 1)

    def idle(self) -> tuple[int, ...]:
        """The seats that bought no card in this round."""
        return _idle(self.seats, self.buyers)

    def workers_at_home(self, seat: int) -> int:
        """Workers of a seat that stand in no line."""
        return self.numbers.workers - sum(map(countOf, self.lines, repeat(seat)))
