"""End (T-7, T-8)."""

from kontor_games.domain.game import Result
from kontor_games.domain.toolkit.ranking import places
from tests.domain.toy.games.fair.facts.end import MatchScored
from tests.domain.toy.games.fair.rules.steps import FairLedger
from tests.domain.toy.games.fair.state import Fair


def end(ledger: FairLedger) -> None:
    """Rank the seats by points and coins together (T-7)."""
    state = ledger.state
    totals = [points + coins for points, coins in zip(state.points, state.coins, strict=True)]
    ledger.emit(MatchScored(tuple(state.points), tuple(state.coins), places(totals)))


def result(state: Fair) -> Result | None:
    """Return points, coins and place of each seat, or None while the match goes on."""
    if state.result is None:
        return None
    scores = [
        {"points": points, "coins": coins} for points, coins in zip(state.points, state.coins, strict=True)
    ]
    return Result(tuple(scores), state.result[1])
