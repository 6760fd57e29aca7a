"""What all moves of The Speicherstadt have in common."""

from typing import ClassVar

from kontor_games.domain.game import Fact, Move, Refusal
from kontor_games.domain.games.speicherstadt.state import Phase, Table


class Action(Move):
    """A move that says when it may be made and what comes of it. `check` is the one definition of its legality."""

    __slots__ = ()
    phase: ClassVar[Phase]
    """The phase it belongs to."""
    rule: ClassVar[str]
    """The rule that allows it."""

    def check(self, state: Table, seat: int) -> Refusal | None:
        """Why the seat, whose turn it is, can't do this now; None where it can."""
        return None

    def outcome(self, state: Table, seat: int) -> Fact:
        """What happens when the seat does it."""
        raise LookupError(f"{self.type} does not say what comes of it")
