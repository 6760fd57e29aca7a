"""Dice and production (E-20 to E-23)."""

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.board import Resource
from kontor_games.domain.games.europe.data.components import Cards, counts_of
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION


@record
class DiceRolled(Fact):
    """A player rolled the dice for production (E-20)."""

    reveals = True

    seat: int
    dice: tuple[int, int]

    def fold(self, state: EuropeState) -> None:
        state.dice = self.dice
        state.rolls += 1
        state.rolled = True
        state.phase = ACTION


@record
class Gain(Record):
    """The resources of one player from a roll."""

    seat: int
    cards: Cards


@record
class ResourcesProduced(Fact):
    """Hexes with the number rolled gave cards; players without a post there got 1 gold (E-21 to E-23)."""

    gains: tuple[Gain, ...]
    gold: tuple[int, ...]
    """The seats that get 1 gold each."""
    short: tuple[Resource, ...]
    """The resources that nobody gets, because the supply is too small."""

    def fold(self, state: EuropeState) -> None:
        for gain in self.gains:
            state.receive(gain.seat, counts_of(gain.cards))
        for seat in self.gold:
            state.gold[seat] += 1
