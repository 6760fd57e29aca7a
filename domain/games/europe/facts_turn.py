"""What happens in the course of turns: dice, production, the robber, the end (E-20 to E-25, E-49, E-70)."""

from typing import Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.resources import Cards, Resource, counts_of
from kontor_games.domain.games.europe.state import ACTION, NOBODY, OVER, ROLL, EuropeState


@record
class TurnBegan(Fact):
    """A player's turn begins; turns are counted over all players."""

    seat: int
    turn: int

    def fold(self, state: EuropeState) -> None:
        """What is allowed once a turn is allowed again."""
        state.active, state.turn, state.phase = self.seat, self.turn, ROLL
        state.rolled = state.card_played = state.bribed = False
        state.gold_buys = state.steps = 0
        state.tolls = [0, 0]
        state.moving = NOBODY
        state.offers_made = [0] * state.seats


@record
class DiceRolled(Fact):
    """The roll for production (E-20)."""

    reveals = True

    seat: int
    dice: tuple[int, int]

    def fold(self, state: EuropeState) -> None:
        """Actions may follow."""
        state.dice = self.dice
        state.rolls += 1
        state.rolled = True
        state.phase = ACTION


@record
class Gain(Record):
    """What one player gets from a roll."""

    seat: int
    cards: Cards


@record
class ResourcesProduced(Fact):
    """What a roll gives: cards to those beside its hexes, 1 gold to those with no post there, nothing where the supply is short (E-21 to E-23)."""

    gains: tuple[Gain, ...]
    gold: tuple[int, ...]
    """The seats that get 1 gold each."""
    short: tuple[Resource, ...]
    """What nobody gets, since the supply can't serve all."""

    def fold(self, state: EuropeState) -> None:
        """Cards from the supply, gold from the bank."""
        for gain in self.gains:
            state.receive(gain.seat, counts_of(gain.cards))
        for seat in self.gold:
            state.gold[seat] += 1


@record
class RobberWoken(Fact):
    """A 7: so many cards are due from each seat, then the robber moves (E-24)."""

    due: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        """The match waits for all who owe cards."""
        state.due = list(self.due)
        state.robber_due = True
        state.settle()


@record
class CardsDiscarded(Fact):
    """A player gave cards back (E-24)."""

    seat: int
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        """To the supply, for all to see."""
        counts = counts_of(self.cards)
        state.pay(self.seat, counts)
        state.due[self.seat] -= sum(counts)
        state.settle()


@record
class RobberMoved(Fact):
    """The robber came to another hex; from one of the victims a card may be stolen (E-24)."""

    seat: int
    hex: str
    victims: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        """That hex gives nothing from now on."""
        state.set_robber(state.atlas.board.hex_index[self.hex])
        state.robber_due = False
        state.victims = self.victims
        state.settle()


@record
class CardStolen(Fact):
    """A random card changed hands; only the two know which (E-24, E-25)."""

    reveals = True

    thief: int
    victim: int
    resource: Resource = secret("thief", "victim")

    def fold(self, state: EuropeState) -> None:
        """The hands' sizes are public."""
        state.steal(self.thief, self.victim, RESOURCES.index(self.resource))
        state.theft_draws += 1
        state.victims = ()
        state.settle()


@record
class TheftForgone(Fact):
    """A player took nothing (E-24)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        """The turn goes on."""
        state.victims = ()
        state.settle()


@record
class TurnEnded(Fact):
    """A player ended the turn; offers lapse, and the card bought in it may be played from the next one on (E-49)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        """What the turn allowed is over."""
        state.offers = ()
        if state.fresh >= 0:
            state.cards[self.seat] += (state.fresh,)
            state.fresh = NOBODY


@record
class GameEnded(Fact):
    """Somebody delivered all their goods, or the turn limit was reached (E-70)."""

    reason: Literal["delivered", "turn_limit"]
    places: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        """Nobody moves any more."""
        state.ended = self.reason
        state.places = self.places
        state.phase = OVER


TURN_FACTS: tuple[type[Fact], ...] = (
    TurnBegan,
    DiceRolled,
    ResourcesProduced,
    RobberWoken,
    CardsDiscarded,
    RobberMoved,
    CardStolen,
    TheftForgone,
    TurnEnded,
    GameEnded,
)
