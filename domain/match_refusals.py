"""What the match itself does not allow, whatever the rules of its game say."""

from kontor_games.domain.game import Refusal


class MatchRefusal(Refusal):
    """Something that the life of the match, not a rule of its game, does not allow now."""

    def __init__(self, detail: str) -> None:
        """There is no rule number to cite."""
        super().__init__(detail, rule="")


class MatchNotOpenError(MatchRefusal):
    """Seats can be taken or left only before the start."""


class MatchNotRunningError(MatchRefusal):
    """Moves need a running match."""


class SeatNotFreeError(MatchRefusal):
    """The seat is taken, or kept for someone else."""


class AlreadySeatedError(MatchRefusal):
    """One player, one seat."""


class NotSeatedError(MatchRefusal):
    """Only those who sit at the table may do this."""


class SeatsMissingError(MatchRefusal):
    """The match can't start with empty seats."""


class NotCreatorError(MatchRefusal):
    """Only the creator of the match may do this."""


class BotsNotWelcomeError(MatchRefusal):
    """The players of this match want to meet people only."""


class AlreadyAgreedError(MatchRefusal):
    """The player has agreed to break the match off; the others have not yet."""


class SeatGivenUpError(MatchRefusal):
    """Who resigned or forfeited has no further say in the match."""


class NotDueError(MatchRefusal):
    """Contributions are opened when all seats are taken, each once."""


class ContributionMismatchError(MatchRefusal):
    """The value is not the one whose hash was put in."""


class NotSealedError(MatchRefusal):
    """In a match with sealed contributions a player puts in the SHA-256 of their value, in hex."""


class SomethingRevealedError(MatchRefusal):
    """A list of moves ends with the first that brings something hidden to light."""


class StillHiddenError(MatchRefusal):
    """What is hidden in a match is shown when it is over."""


class NothingToPlayError(MatchRefusal):
    """There is no position to go on from at this version."""


class PracticeForbiddenError(MatchRefusal):
    """The players of this match have not allowed practice while it runs."""


class TimeIsUpError(MatchRefusal):
    """The seat's time ran out before the move arrived."""


class NotFlaggedError(MatchRefusal):
    """The seat still has time."""
