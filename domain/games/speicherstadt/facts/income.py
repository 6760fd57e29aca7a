"""Facts of the income."""

from functools import cache

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.state import Table


@record
class IncomePaid(Fact):
    """The coins of each seat, the seats that bought nothing, and the owner of the bank (S-22)."""

    coins: tuple[int, ...]
    bought_nothing: tuple[int, ...]
    bank: int | None

    def fold(self, state: Table) -> None:
        state.phase = "income"
        for seat, coins in enumerate(self.coins):
            state.coins[seat] += coins


@record
class MetalCoinPassed(Fact):
    """The metal coin went one seat to the left (S-22)."""

    seat: int

    def fold(self, state: Table) -> None:
        state.first = self.seat


income_paid = cache(IncomePaid)
metal_coin_passed = cache(MetalCoinPassed)
