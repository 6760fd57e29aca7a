"""The best sequence of decisions of one seat within its turn, by a beam on the value."""

from typing import Any, NamedTuple

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION, ROLL

_WIDTH = 6
"""Sequences that are continued at each depth."""
_DEPTH = 10
_NEVER = (m.EndTurn, m.RollDice, m.WithdrawOffer, m.AcceptOffer, m.DeclineOffer, m.Halt)
"""Moves that end a sequence, or depend on others."""


class Line(NamedTuple):
    """A sequence: its value, its first move, and where it leads."""

    value: float
    first: Move | None
    state: EuropeState


class Beam:
    """Searches one imagined world."""

    def __init__(self, rules: Any, valuer: Valuer, seat: int, chance: Chance) -> None:
        self._rules, self._valuer, self._seat, self._chance = rules, valuer, seat, chance
        self.nodes = 0

    def best(self, state: EuropeState, nodes: int) -> dict[Move | None, float]:
        """The value of the best sequence after each first move; None stands for making none."""
        found: dict[Move | None, float] = {}
        if self._may_stop(state):
            found[None] = self._valuer.value(state, self._seat)
        frontier, seen = [Line(0.0, None, state)], set[Any]()
        for _ in range(_DEPTH):
            lines: list[Line] = []
            for line in frontier:
                if self.nodes < nodes or not found:
                    lines += self._continued(line, seen, found)
            lines.sort(key=lambda line: -line.value)
            frontier = lines[:_WIDTH]
            if not frontier:
                break
        return found

    def _may_stop(self, state: EuropeState) -> bool:
        """Whether the seat may leave it at this position."""
        return state.phase in (ACTION, ROLL) or self._seat not in self._rules.to_act(state)

    def _continued(self, line: Line, seen: set[Any], found: dict[Move | None, float]) -> list[Line]:
        lines = []
        for move in self._rules.legal_moves(line.state, self._seat):
            if isinstance(move, _NEVER):
                continue
            state = line.state.copy()
            self._rules.decide(state, self._seat, move, self._chance)
            self.nodes += 1
            key = _key(state)
            if key in seen:
                continue
            seen.add(key)
            first = line.first or move
            value = self._valuer.value(state, self._seat)
            if self._may_stop(state):
                found[first] = max(value, found.get(first, value))
            if self._seat in self._rules.to_act(state) and state.phase != ROLL:
                lines.append(Line(value, first, state))
        return lines


def _key(state: EuropeState) -> Any:
    """What tells positions of one turn apart."""
    return (
        state.phase, state.steps, state.moving, state.robber, state.free_routes, state.gold_buys,
        state.card_played, tuple(state.hands), tuple(state.gold), tuple(state.caravans),
        tuple(state.merchants), tuple(state.delivered), tuple(state.due), tuple(state.route),
        tuple(state.post), tuple(state.number),
    )  # fmt: skip
