"""House bots of the Fair. They see their seat's view and the legal moves, nothing else."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View
from tests.domain.toy.games.fair.records import LayCard, TakeOffer


class RandomBot:
    """Any legal move; takes every second offer."""

    def __init__(self, rules: Rules[Any]) -> None:
        """Needs no rules."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Out of turn it may stay silent."""
        if seat not in view()["waits_for"] and draws.below(2):
            return None
        return legal[draws.below(len(legal))]


class GreedyBot:
    """Lays its best card and buys what costs less than a round is worth."""

    def __init__(self, rules: Rules[Any]) -> None:
        """Knows what is printed on the cards."""
        self.values = rules.data.document["values"]

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """The last of the best moves."""
        seen = view()
        if seat not in seen["waits_for"]:
            return TakeOffer() if seen["offer"]["price"] <= 1 else None
        return max(legal, key=lambda move: self.values[move.card] if isinstance(move, LayCard) else 0)
