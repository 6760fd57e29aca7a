"""One match between bots, which get the same view, legal moves and rules as every player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import Bot, Fact, Move, Options, Refusal, Rules, Sight
from kontor_games.service.arena.own_bots import OwnBot
from kontor_games.service.errors import OperatorError


class BotFaultError(OperatorError):
    """A house bot chose an illegal move, or none when it had to move."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move and the facts that it caused; the set-up of the match has neither seat nor move."""

    seat: int | None
    move: Move | None
    facts: Sequence[Fact]


class BotMatch:
    """A match between bots. Iterating plays it to its end, move by move."""

    def __init__(
        self, rules: Rules[Any], bots: Sequence[Bot | OwnBot], chosen: Options, chance: Chance
    ) -> None:
        """Take one bot for each seat. Bots have streams of chance of their own, separate from the match's."""
        self.rules = rules
        self.state = rules.table(len(bots), chosen)
        self.starter = 0
        self.facts = 0
        self.decisions = 0
        self._bots = bots
        self._chance = chance
        self._asked = 0

    def __iter__(self) -> Iterator[Played]:
        """Set the match up, then ask the seats to act for moves until the match is over."""
        rules, state = self.rules, self.state
        yield self._note(None, None, rules.deal(state, self._chance))
        waited = rules.to_act(state)
        self.starter = seat = waited[0] if waited else 0
        while waited:
            chosen = self._choice(seat)
            if chosen is None:
                raise BotFaultError(f"seat {seat} has to move and chose nothing")
            yield self._play(seat, chosen)
            yield from self._answers()
            if waited := rules.to_act(state):
                seat = self._next(waited, seat)

    def _next(self, waited: Sequence[int], last: int) -> int:
        """Choose the next seat to act, clockwise from the last one, so that all get their turn."""
        return min(waited, key=lambda seat: (seat - last - 1) % len(self._bots))

    def _answers(self) -> Iterator[Played]:
        """Ask the seats that may act but need not; only once after each move, so that the match ends."""
        for seat in tuple(self.rules.may_act(self.state)):
            if seat in self.rules.may_act(self.state) and seat not in self.rules.to_act(self.state):
                answer = self._choice(seat)
                if answer is not None:
                    yield self._play(seat, answer)

    def _choice(self, seat: int) -> Move | None:
        rules, state = self.rules, self.state
        draws = self._chance.draws(f"bot-{seat}", self._asked)
        self._asked += 1
        bot = self._bots[seat]
        if isinstance(bot, OwnBot):
            return bot.choose(state, seat, draws)
        return bot.choose(seat, Sight(rules, state, seat), rules.legal_moves(state, seat), draws)

    def _play(self, seat: int, chosen: Move) -> Played:
        try:
            facts = self.rules.play(self.state, seat, chosen, self._chance)
        except Refusal as refusal:
            raise BotFaultError(
                f"seat {seat} chose {chosen!r}, which is refused: {refusal.detail} ({refusal.rule})"
            ) from refusal
        self.decisions += 1
        return self._note(seat, chosen, facts)

    def _note(self, seat: int | None, move: Move | None, facts: Sequence[Fact]) -> Played:
        self.facts += len(facts)
        return Played(seat, move, facts)
