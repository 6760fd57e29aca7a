"""Where a match of The Speicherstadt stands."""

from typing import Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import State, record
from kontor_games.domain.games.speicherstadt.cards import Deck
from kontor_games.domain.games.speicherstadt.cubes import pack

Good = Literal["coffee", "tea", "saffron", "rubber", "carpet"]
Place = Literal["quay", "market_hall", "warehouse"]
Phase = Literal["set_up", "supply", "demand", "purchase", "loading", "income", "over"]

WORKERS = 3
"""Workers of each player (S-3)."""
FIRST_COINS = 5
"""Coins of each player at the start (S-3)."""
NOBODY = -1
"""Stands where no seat is meant."""


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


class Table(State):
    """Everything that lies on the table. Heaps of cubes are packed integers (`cubes.py`); lists are by seat or by place in the row."""

    __slots__ = (
        "asked",
        "bag",
        "bank_owner",
        "buyers",
        "cards",
        "cargo",
        "coins",
        "contracts",
        "discarded",
        "drawn",
        "first",
        "lines",
        "loaders",
        "market_hall",
        "named_first",
        "open_places",
        "phase",
        "pile",
        "placed",
        "places",
        "points",
        "quay",
        "removed",
        "revealed",
        "round",
        "row",
        "scores",
        "seats",
        "simultaneous",
        "steps",
        "stock",
        "trades",
        "warehouse",
        "warehouse_owner",
    )
    PARTS = (Score,)

    def __init__(self, seats: int, deck: Deck, *, simultaneous: bool, named_first: int | None) -> None:
        """The table before the first fact: players with their coins, no pile yet (S-3)."""
        self.seats = seats
        self.simultaneous = simultaneous
        self.named_first = named_first
        self.phase: Phase = "set_up"
        self.round = 0
        self.first = NOBODY
        self.pile: tuple[str, ...] = ()
        self.revealed = 0
        """How many cards of the pile have been turned up."""
        self.removed: tuple[str, ...] = ()
        self.discarded: list[str] = []
        self.bag: tuple[str, ...] = ()
        self.drawn = 0
        """How many cubes have been drawn from the bag."""
        self.stock = 0
        self._lay_row()
        self._seat_players(seats)
        self.open_places = {card: pack(goods) for card, goods in deck.goods.items()}
        """The goods that each contract still waits for."""
        self.scores: tuple[Score, ...] = ()
        """Empty until the end (S-32)."""
        self.places: tuple[int, ...] = ()

    def _lay_row(self) -> None:
        self.row: tuple[str, ...] = ()
        self.cargo: tuple[int, ...] = ()
        """The cubes on each card of the row."""
        self.lines: list[tuple[int, ...]] = []
        """The seats whose workers stand at each card of the row, the first in line first."""
        self.placed = 0
        """Workers placed in this round."""
        self.asked = NOBODY
        """The seat that may buy the first card of the row."""
        self.buyers = 0
        """A bit for each seat that bought a card in this round."""
        self.loaders: tuple[int, ...] = ()
        """The seats that have not finished loading, in turn order."""

    def _seat_players(self, seats: int) -> None:
        self.coins = [FIRST_COINS] * seats
        self.points = [0] * seats
        """Points from fires."""
        self.cards: list[tuple[str, ...]] = [()] * seats
        self.contracts: list[tuple[str, ...]] = [()] * seats
        self.trades = [0] * seats
        """The goods that a seat's merchants buy, as marks."""
        self.bank_owner = NOBODY
        self.warehouse_owner = NOBODY
        self.quay = [0] * seats
        self.market_hall = [0] * seats
        self.warehouse = [0] * seats
        self.steps = [0] * seats
        """Loading steps made in this round."""

    def copy(self) -> "Table":
        """An independent table; lists are copied, what is immutable is shared."""
        twin = Table.__new__(Table)
        twin.seats = self.seats
        twin.simultaneous = self.simultaneous
        twin.named_first = self.named_first
        twin.phase = self.phase
        twin.round = self.round
        twin.first = self.first
        twin.pile = self.pile
        twin.revealed = self.revealed
        twin.removed = self.removed
        twin.discarded = self.discarded[:]
        twin.bag = self.bag
        twin.drawn = self.drawn
        twin.stock = self.stock
        twin.row = self.row
        twin.cargo = self.cargo
        twin.lines = self.lines[:]
        twin.placed = self.placed
        twin.asked = self.asked
        twin.buyers = self.buyers
        twin.loaders = self.loaders
        twin.coins = self.coins[:]
        twin.points = self.points[:]
        twin.cards = self.cards[:]
        twin.contracts = self.contracts[:]
        twin.trades = self.trades[:]
        twin.bank_owner = self.bank_owner
        twin.warehouse_owner = self.warehouse_owner
        twin.quay = self.quay[:]
        twin.market_hall = self.market_hall[:]
        twin.warehouse = self.warehouse[:]
        twin.steps = self.steps[:]
        twin.open_places = self.open_places.copy()
        twin.scores = self.scores
        twin.places = self.places
        return twin

    def heaps(self, place: Place) -> list[int]:
        """The cubes in one kind of place, by seat."""
        if place == "quay":
            return self.quay
        return self.market_hall if place == "market_hall" else self.warehouse

    def held(self, seat: int) -> int:
        """All cubes that a seat can still use: everywhere but on contracts."""
        return self.quay[seat] + self.market_hall[seat] + self.warehouse[seat]

    def unrevealed(self) -> tuple[str, ...]:
        """The cards that are still in the pile, from the top."""
        return self.pile[self.revealed :]

    def workers_at_home(self, seat: int) -> int:
        """Workers that stand in no line."""
        return WORKERS - sum(line.count(seat) for line in self.lines)
