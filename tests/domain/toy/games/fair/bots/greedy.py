"""A bot that looks no further than its next move."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View
from tests.domain.toy.games.fair.moves import LayCard, TakeOffer


class GreedyBot:
    """Lays its highest card, and takes an offer that costs a coin or nothing."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        """Read what is printed on the cards."""
        self.values = rules.data.document["values"]

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the highest card, or else the first legal move."""
        seen = view()
        if seat not in seen["waits_for"]:
            return TakeOffer() if seen["offer"]["price"] <= 1 else None
        return max(legal, key=lambda move: self.values[move.card] if isinstance(move, LayCard) else 0)
