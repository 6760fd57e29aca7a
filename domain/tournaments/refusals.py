"""Refusals of tournaments."""

from kontor_games.domain.game import Refusal


class TournamentRefusal(Refusal):
    """Something that the state of the tournament does not allow now."""

    def __init__(self, detail: str) -> None:
        """Such a refusal cites no rule of a game."""
        super().__init__(detail, rule="")


class RoleRefusal(TournamentRefusal):
    """Something that only others may do in this tournament."""


class NotOrganiserError(RoleRefusal):
    """Only the organiser of the tournament can do this."""


class NotArbiterError(RoleRefusal):
    """Only the organiser or an arbiter of the tournament can do this."""


class NotEntrantError(RoleRefusal):
    """Only an entrant of the tournament can do this."""


class AlreadyEnteredError(TournamentRefusal):
    """You have already entered the tournament."""


class EntryClosedError(TournamentRefusal):
    """The tournament is not open for entries."""


class TournamentFullError(TournamentRefusal):
    """The tournament is full."""


class NotAdmittedError(TournamentRefusal):
    """The tournament was announced for other players: invited ones only, people only, or programs only."""


class WrongStageError(TournamentRefusal):
    """The current stage of the tournament does not allow this command."""


class TooFewEntrantsError(TournamentRefusal):
    """The tournament has too few entrants."""


class ResultsMissingError(TournamentRefusal):
    """Some matches of the round have no result yet."""


class NoRoundLeftError(TournamentRefusal):
    """All announced rounds have been paired."""


class WrongTablesError(TournamentRefusal):
    """The tables do not match the entrants or the announced terms."""


class NoSuchMatchError(TournamentRefusal):
    """The tournament has no such match."""


class WrongPlacesError(TournamentRefusal):
    """The places are not a possible order of finish at this table."""


class CorrectionOpenError(TournamentRefusal):
    """The period for protests has not ended."""


class ProtestOpenError(TournamentRefusal):
    """A protest has not been answered by a ruling."""


class PairingImpossibleError(TournamentRefusal):
    """No pairing satisfies the announced conditions."""
