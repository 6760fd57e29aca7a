"""A table of the Fair at which chance is scripted."""

from typing import Any

import pytest

from kontor_games.domain.game import Fact, Move, Refusal, Rules
from tests.domain.toy.games import toy_games
from tests.domain.toy.games.fair.moves import LayCard
from tests.domain.toy.games.fair.options import FairOptions
from tests.domain.toy.games.fair.state import Fair
from tests.support.scripted_chance import Scripted

RULES = toy_games()["fair"].rules("steep")
ORDER = list(range(24))
"""Seats draw from the end: seat 0 holds 23, 20, 17, seat 1 holds 22, 19, 16, seat 2 holds 21, 18, 15."""


class Table:
    """A match of three seats, dealt in a known order."""

    def __init__(self, rules: Rules[Any] = RULES, **options: Any) -> None:
        self.rules = rules
        self.chance = Scripted({"deck": [ORDER], "tie": [1, 0, 0]})
        self.state: Fair = rules.table(3, FairOptions(**options))
        self.dealt = rules.deal(self.state, self.chance)

    def play(self, seat: int, move: Move) -> list[Fact]:
        return self.rules.play(self.state, seat, move, self.chance)

    def lay(self, *cards: int) -> list[Fact]:
        """Every seat lays a card; the facts of the last one."""
        return [self.play(seat, LayCard(card)) for seat, card in enumerate(cards)][-1]

    def opened(self) -> "Table":
        """All laid a card of value 60; seat 1 was drawn to hold the fair."""
        self.lay(17, 19, 18)
        return self

    def assert_refused(self, seat: int, move: Move, refusal: type[Refusal], rule: str) -> None:
        """The move is refused for this reason and changes nothing."""
        before = self.state.digest()
        with pytest.raises(refusal) as caught:
            self.play(seat, move)
        assert caught.value.rule == rule
        assert self.state.digest() == before
