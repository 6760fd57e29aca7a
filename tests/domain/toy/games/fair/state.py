"""Where a match of the Fair stands."""

from kontor_games.domain.game import State


class Fair(State):
    """Cards are named by their place in the data set; the top of the pile is its end."""

    __slots__ = ("coins", "hands", "holder", "laid", "offer", "offers", "pile", "points", "result", "round", "rounds", "values")

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
        self.offer: tuple[int, int] | None = None
        self.offers = 0
        self.result: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def copy(self) -> "Fair":
        """Shares only what never changes."""
        twin = Fair.__new__(Fair)
        twin.values, twin.rounds, twin.round = self.values, self.rounds, self.round
        twin.pile, twin.laid, twin.coins, twin.points = self.pile[:], self.laid[:], self.coins[:], self.points[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.holder, twin.offer, twin.offers, twin.result = self.holder, self.offer, self.offers, self.result
        return twin
