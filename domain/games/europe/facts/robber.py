"""Discarded cards, the robber, and thefts (E-24, E-25)."""

from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.europe.data.board import RESOURCES, Resource
from kontor_games.domain.games.europe.data.components import Cards, counts_of
from kontor_games.domain.games.europe.state import EuropeState


@record
class RobberWoken(Fact):
    """A 7 was rolled: each seat must discard its number of cards, then the robber moves (E-24)."""

    due: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        state.due = list(self.due)
        state.robber_due = True
        state.phase = state.find_phase(state)


@record
class CardsDiscarded(Fact):
    """A player gave cards back (E-24)."""

    seat: int
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        counts = counts_of(self.cards)
        state.pay(self.seat, counts)
        state.due[self.seat] -= sum(counts)
        state.phase = state.find_phase(state)


@record
class RobberMoved(Fact):
    """The robber came to another hex; a card may be stolen from one of the victims (E-24)."""

    seat: int
    hex: str
    victims: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        state.robber = state.tables.board.hex_index[self.hex]
        state.robber_due = False
        state.victims = self.victims
        state.phase = state.find_phase(state)


@record
class CardStolen(Fact):
    """A player stole a random card; only thief and victim know which (E-24, E-25)."""

    reveals = True

    thief: int
    victim: int
    resource: Resource = secret("thief", "victim")

    def fold(self, state: EuropeState) -> None:
        state.steal(self.thief, self.victim, RESOURCES.index(self.resource))
        state.theft_draws += 1
        state.victims = ()
        state.phase = state.find_phase(state)


@record
class TheftForgone(Fact):
    """A player stole nothing (E-24)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        state.victims = ()
        state.phase = state.find_phase(state)
