"""The searching bot: it solves or samples the rest of the round, and values how the round may end.

Of the pile it uses which cards are in it, which everybody knows, and never their order (S-9).
"""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.games.speicherstadt.bots.searching.demand import DemandSearch
from kontor_games.domain.games.speicherstadt.bots.searching.loading import next_step
from kontor_games.domain.games.speicherstadt.bots.searching.round_game import RoundGame, Sale
from kontor_games.domain.games.speicherstadt.moves import BUY, DECLINE, PlaceWorker
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.toolkit.searching import Imagine, Weights, levels

_NODES = (25, 100, 800, 3200, 12800)
"""Demands that each level values for one decision."""


class TableSearch:
    """The search with one set of weights."""

    def __init__(self, rules: Rules[Any], nodes: int, weights: Weights) -> None:
        self._rules, self._nodes, self._weights = rules, nodes, weights

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        """Place by search, buy by the solved purchase, load by a plan."""
        if len(legal) == 1:
            return legal[0]
        state: Table = imagine()
        if state.phase == "loading":
            return next_step(state, seat, legal, self._weights)
        game = RoundGame(self._rules.steps.price, state, self._weights)
        if state.phase == "demand":
            return PlaceWorker(state.row[DemandSearch(game, state, self._nodes, draws).best()])
        return self._answer(seat, state, game)

    def _answer(self, seat: int, state: Table, game: RoundGame) -> Move:
        """Whether to buy the card on sale."""
        lines = tuple(state.lines)
        sale = Sale(0, lines[0], (0,) * state.seats, game.coins)
        taken = game.solved(lines, game.bought(lines, sale))
        left = game.solved(lines, game.declined(sale))
        return BUY if taken[seat] > left[seat] else DECLINE


LEVELS_1, LEVELS = (levels(__name__, version, _NODES, TableSearch) for version in (1, 2))
"""The levels by name, the quickest first: with the weights chosen by hand, and with those that were tuned."""
