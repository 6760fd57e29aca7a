"""Refusals of the match itself, independent of the rules of its game."""

from kontor_games.domain.game import Refusal


class MatchRefusal(Refusal):
    """A command that the state of the match does not allow now; no rule of its game is involved."""

    def __init__(self, detail: str) -> None:
        """Such a refusal cites no rule of a game."""
        super().__init__(detail, rule="")


class MatchNotOpenError(MatchRefusal):
    """The match has already started or ended, or its contributions are being opened."""


class MatchNotRunningError(MatchRefusal):
    """The match is not running."""


class SeatNotFreeError(MatchRefusal):
    """The seat is taken or reserved for another player."""


class AlreadySeatedError(MatchRefusal):
    """You already have a seat in this match."""


class NotSeatedError(MatchRefusal):
    """You have no seat in this match."""


class NotInvitedError(MatchRefusal):
    """You have no invitation to this match."""


class SeatsMissingError(MatchRefusal):
    """The match cannot start while seats are free."""


class NotCreatorError(MatchRefusal):
    """Only the creator of the match can do this."""


class OtherLadderError(MatchRefusal):
    """People and programs have separate ladders, so they cannot meet in a rated match."""


class BotsNotWelcomeError(MatchRefusal):
    """Programs cannot join this match."""


class AlreadyAgreedError(MatchRefusal):
    """You have already asked to abort the match; other players have not agreed yet."""


class SeatGivenUpError(MatchRefusal):
    """You have resigned or forfeited."""


class NotDueError(MatchRefusal):
    """The contribution cannot be opened now."""


class NotExpiredError(MatchRefusal):
    """The match has not expired."""


class NotReturnableError(MatchRefusal):
    """The time cannot be credited to the players."""


class ContributionMismatchError(MatchRefusal):
    """The value does not match the hash that you sent when you joined."""


class NotSealedError(MatchRefusal):
    """Contributions are sealed in this match: send the SHA-256 of your value, in hex."""


class SomethingRevealedError(MatchRefusal):
    """No move can follow a move that reveals hidden information in the same request."""


class StillHiddenError(MatchRefusal):
    """Hidden information is shown only when the match is over."""


class NothingToPlayError(MatchRefusal):
    """At this version the match has no position to continue from."""


class PracticeForbiddenError(MatchRefusal):
    """The match does not allow practice while it is running."""


class SignatureError(MatchRefusal):
    """The command must be signed by its player."""

    def __init__(self, detail: str, expected: str, expected_as_sent: str | None = None) -> None:
        """Takes the texts of which one must be signed, which contain nothing hidden from their player.

        `expected_as_sent` is the text with the moves as they were sent, if they are stored in another form.
        """
        super().__init__(detail)
        self.expected = expected
        self.expected_as_sent = expected_as_sent


class SignatureRequiredError(SignatureError):
    """The command must be signed by its player."""


class SignatureInvalidError(SignatureError):
    """The signature is not the player's signature of this command."""


class TimeIsUpError(MatchRefusal):
    """Your time ran out before the request arrived."""


class NotFlaggedError(MatchRefusal):
    """The seat still has time left."""
