"""The state of a match."""

from kontor_games.domain.game import State


class Fair(State):
    """A card is its index in the data set. The top of the pile is its end."""

    __slots__ = (
        "coins",
        "hands",
        "holder",
        "laid",
        "offer",
        "offers",
        "pile",
        "points",
        "result",
        "round",
        "rounds",
        "values",
    )

    def __init__(self, seats: int, rounds: int, coins: int, values: tuple[int, ...]) -> None:
        """The table before the first fact."""
        self.values = values
        self.rounds = rounds
        self.round = 0
        self.pile: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.laid: list[int | None] = [None] * seats
        self.coins = [coins] * seats
        self.points = [0] * seats
        self.holder: int | None = None
        """The seat that holds the fair; None while cards are laid."""
        self.offer: tuple[int, int] | None = None
        """The offered card and its price."""
        self.offers = 0
        self.result: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        """Total and place of each seat, once the match is over."""

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.hands)

    @property
    def standing_offer(self) -> tuple[int, int, int]:
        """Seller, card and price of the offer that can be taken; raises LookupError if there is none."""
        if self.holder is None or self.offer is None:
            raise LookupError("nothing is offered")
        return self.holder, *self.offer

    def copy(self) -> "Fair":
        """An independent state that shares only what never changes."""
        other = Fair.__new__(Fair)
        other.values, other.rounds, other.round = self.values, self.rounds, self.round
        other.pile, other.laid = self.pile[:], self.laid[:]
        other.coins, other.points = self.coins[:], self.points[:]
        other.hands = [hand[:] for hand in self.hands]
        other.holder, other.offer, other.offers, other.result = (
            self.holder,
            self.offer,
            self.offers,
            self.result,
        )
        return other
