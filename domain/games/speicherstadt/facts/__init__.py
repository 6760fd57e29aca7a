"""The facts of The Speicherstadt, one module per chapter of the rules."""

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.facts import (
    demand,
    ending,
    income,
    loading,
    purchase,
    set_up,
    supply,
)

FACTS: tuple[type[Fact], ...] = (
    set_up.FirstPlayerChosen,
    set_up.PileStacked,
    set_up.BagFilled,
    supply.RoundBegun,
    supply.CardsRevealed,
    supply.FireFought,
    demand.WorkerPlaced,
    purchase.CardOffered,
    purchase.CardBought,
    purchase.CardDeclined,
    purchase.BuyerPassedOver,
    purchase.CardDiscarded,
    loading.LoadingBegun,
    loading.CubeDelivered,
    loading.CubeSold,
    loading.CubeStored,
    loading.CubeKept,
    loading.CubeTakenOut,
    loading.CubesConverted,
    loading.TwoCubesSold,
    loading.LoadingFinished,
    loading.CubesLost,
    income.IncomePaid,
    income.MetalCoinPassed,
    ending.GameEnded,
)
"""Every kind of fact; stored names are never removed."""
