"""Offers to the other players, at most one in each turn."""

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.turn import Turn
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import Terms

MOST_MISSING = 2
"""An offer is made for a goal that misses at most this many cards."""


class TradingTurn(Turn):
    """A turn that ends with an offer for a card that the next goal misses."""

    def move(self) -> Move:
        """The move of a turn without offers; before the turn ends, an offer."""
        chosen = super().move()
        return (self.offer() or chosen) if isinstance(chosen, m.EndTurn) else chosen

    def offer(self) -> Move | None:
        """Cards that no goal needs, for one card that the most urgent goal misses."""
        features = self.features
        if features.me["offers_made"]:
            return None
        needs = [0] * 5
        for step in self.steps:
            needs = [need + cost for need, cost in zip(needs, step.cost, strict=True)]
        spare = [held - need for held, need in zip(features.hand, needs, strict=True)]
        give = max(range(5), key=spare.__getitem__)
        if spare[give] < 1:
            return None
        for step in self.steps:
            missing = [max(0, cost - held) for cost, held in zip(step.cost, features.hand, strict=True)]
            if 0 < sum(missing) <= MOST_MISSING:
                wanted = next(r for r in range(5) if missing[r])
                offered = Terms(**{RESOURCES[give]: min(2, spare[give])})
                return m.OfferTrade(offered, Terms(**{RESOURCES[wanted]: 1}))
        return None
