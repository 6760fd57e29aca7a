"""Facts that nobody decides: set-up, supply, fires, income and the end."""

from functools import cache

from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.speicherstadt.cubes import pack
from kontor_games.domain.games.speicherstadt.state import Score, Table


@record
class FirstPlayerChosen(Fact):
    """Who begins, and whether by lot or by the wish of the match's creator (S-7)."""

    seat: int
    by_lot: bool

    def fold(self, state: Table) -> None:
        """The seat holds the metal coin."""
        state.first = self.seat


@record
class PileStacked(Fact):
    """The trade cards lie face down, season upon season; some went back into the box (S-5, S-6)."""

    removed: tuple[str, ...]
    pile: tuple[str, ...] = secret()

    def fold(self, state: Table) -> None:
        """The pile is there, from the top."""
        state.removed = self.removed
        state.pile = self.pile


@record
class BagFilled(Fact):
    """All cubes are in the bag; in which order they will come out, nobody knows (S-2, S-9)."""

    cubes: tuple[str, ...] = secret()

    def fold(self, state: Table) -> None:
        """The bag is there, in the order of drawing."""
        state.bag = self.cubes


@record
class RoundBegun(Fact):
    """A new round: supply, then demand."""

    round: int

    def fold(self, state: Table) -> None:
        """Nobody has placed or bought yet."""
        state.round = self.round
        state.phase = "supply"
        state.placed = 0
        state.buyers = 0


@record
class CardsRevealed(Fact):
    """Cards that were laid out, left to right, each with the cubes drawn for it; a fire in between parts a supply (S-10, S-11)."""

    reveals = True

    cards: tuple[str, ...]
    cubes: tuple[tuple[str, ...], ...]

    def fold(self, state: Table) -> None:
        """The cards lie in the row with no worker in line; a full row opens the demand."""
        state.revealed += len(self.cards)
        state.row += self.cards
        state.lines += [()] * len(self.cards)
        state.cargo += tuple(map(pack, self.cubes))
        state.drawn += sum(map(len, self.cubes))
        if len(state.row) > state.seats:
            state.phase = "demand"


@record
class FireFought(Fact):
    """A fire: what each seat's firemen came to, and the points each gained or lost (S-12)."""

    reveals = True

    fire: str
    firemen: tuple[int, ...]
    points: tuple[int, ...]

    def fold(self, state: Table) -> None:
        """Points change; the fire is discarded."""
        state.revealed += 1
        state.discarded.append(self.fire)
        for seat, points in enumerate(self.points):
            state.points[seat] += points


@record
class IncomePaid(Fact):
    """Coins for each seat: 1, 1 more for those who bought nothing, 1 more for the owner of the bank (S-22)."""

    coins: tuple[int, ...]
    bought_nothing: tuple[int, ...]
    bank: int | None

    def fold(self, state: Table) -> None:
        """The coins are received."""
        state.phase = "income"
        for seat, coins in enumerate(self.coins):
            state.coins[seat] += coins


@record
class MetalCoinPassed(Fact):
    """The metal coin went one seat to the left (S-22)."""

    seat: int

    def fold(self, state: Table) -> None:
        """The seat is first player."""
        state.first = self.seat


@record
class GameEnded(Fact):
    """The final score, the coins that part equal scores, and the places; equal places share (S-32, S-33)."""

    scores: tuple[Score, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]

    def fold(self, state: Table) -> None:
        """Nobody moves any more."""
        state.phase = "over"
        state.scores = self.scores
        state.places = self.places


round_begun = cache(RoundBegun)
metal_coin_passed = cache(MetalCoinPassed)
