"""Commands about the standings, and the end of a tournament."""

from typing import ClassVar

from kontor_games.domain.codec import record
from kontor_games.domain.match_facts import HOUSE
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.commands.base import Authors, TournamentCommand
from kontor_games.domain.tournaments.terms import Text
from kontor_games.domain.tournaments.tournament import Tournament


@record
class PostStandings(TournamentCommand):
    """Post the provisional standings; the service does it after the last round, an organiser can earlier."""

    authors: ClassVar[Authors] = "both"

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        if by != HOUSE:
            tournament.require_organiser(by)
        tournament.require_stage("running")
        if tournament.unfinished:
            raise refusals.ResultsMissingError(f"{len(tournament.unfinished)} matches have no result yet.")
        if tournament.unrevealed:
            raise refusals.ResultsMissingError(
                "The deals of the last tables are being revealed. Try again in a moment."
            )
        return [facts.StandingsPosted(tournament.standings_digest(), at + tournament.terms.correction_ms)]


@record
class Acknowledge(TournamentCommand):
    """Agree with the provisional standings."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_stage("provisional")
        return [facts.StandingsAcknowledged(tournament.require_entrant(by))]


@record
class Protest(TournamentCommand):
    """Protest against the provisional standings."""

    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_stage("provisional")
        number = tournament.require_entrant(by)
        if at > tournament.correction_until:
            raise refusals.WrongStageError("The time for protests is over.")
        return [facts.StandingsProtested(number, self.why)]


@record
class SignOff(TournamentCommand):
    """Sign the standings off as final."""

    despite_protests: bool = False
    """Whether the organiser has reviewed all protests and confirms the standings."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_organiser(by)
        tournament.require_stage("provisional")
        everybody = {entrant.number for entrant in tournament.entrants}
        if at < tournament.correction_until and tournament.acknowledged != everybody:
            raise refusals.CorrectionOpenError(
                "Wait until the time for protests is over, or all entrants have agreed."
            )
        if tournament.protests and not self.despite_protests:
            raise refusals.ProtestOpenError(
                f"{len(tournament.protests)} entrants have protested: "
                "rule, then sign with `despite_protests`."
            )
        secret = tournament.announced.server_secret
        return [facts.EditionSigned(tournament.edition + 1, tournament.standings_digest(), by, secret)]


@record
class Cancel(TournamentCommand):
    """Cancel the tournament, with a reason."""

    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_organiser(by)
        if tournament.over:
            raise refusals.WrongStageError(f"The tournament is {tournament.status}.")
        return [facts.TournamentCancelled(by, self.why, tournament.announced.server_secret)]
