"""Why moves are not possible: the refusal of one move, and obstacles to all moves of a kind."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kontor_games.domain.codec import key_of
from kontor_games.domain.toolkit.messages import Phrase, Value


class Refusal(Exception):
    """A move that the rules do not allow now: which rule says so, and why in a sentence for the player."""

    index: int | None = None
    """Which move of a list was refused."""

    def __init__(self, detail: str, *, rule: str) -> None:
        """Every refusal cites its rule."""
        super().__init__(detail)
        self.detail = detail
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickling must not call `__init__`, whose arguments differ between classes.
        return Refusal.__new__, (type(self), *self.args), vars(self)

    @property
    def code(self) -> str:
        """The stable name of this kind of refusal."""
        return key_of(type(self))


class MatchOverError(Refusal):
    """The match is over, so no more moves are possible."""


class NoSuchSeatError(Refusal):
    """The match has no seat with this number."""


class NotYourTurnError(Refusal):
    """It is not your turn."""


def whose_turn(seats: Sequence[int]) -> str:
    """The detail of a NotYourTurnError: the seats whose turn it is, counted from 0."""
    if not seats:
        return "It is not your turn."
    which = f"seat {seats[0]}" if len(seats) == 1 else "the seats " + " and ".join(map(str, seats))
    return f"It is not your turn, but that of {which} (counted from 0)."


class WrongPhaseError(Refusal):
    """The move is not possible in the current phase of the game."""


class UnknownMoveError(Refusal):
    """The game has no move of this type."""


class Obstacle(NamedTuple):
    """A reason why a seat can make no move of a kind now, whichever it would be."""

    code: str
    """That of the refusal of such a move."""
    rule: str
    phrase: Phrase

    @classmethod
    def of(cls, refusal: type[Refusal], rule: str, name: str, **values: Value) -> "Obstacle":
        """Return an obstacle with its message in the chapter `obstacles` of the game."""
        return cls(key_of(refusal), rule, Phrase(f"obstacles.{name}", values))
