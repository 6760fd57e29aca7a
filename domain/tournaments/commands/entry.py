"""Commands before the start: announce, open the entry, enter, withdraw, start."""

from typing import Annotated

from kontor_games.domain.codec import Length, record
from kontor_games.domain.game import Fact
from kontor_games.domain.seed import is_hash
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.commands.base import TournamentCommand
from kontor_games.domain.tournaments.tournament import Tournament

Contribution = Annotated[str, Length(0, 64)]


@record
class Announce(TournamentCommand):
    """Announce a tournament; its terms are in the first fact."""

    def announce(self, tournament: Tournament, announced: facts.TournamentAnnounced, at: int) -> list[Fact]:
        """Fold the announcement and return it as the only fact."""
        tournament.fold_fact(announced)
        tournament.at = at
        return [announced]


@record
class OpenEntry(TournamentCommand):
    """Open the list of entrants."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_organiser(by)
        tournament.require_stage("announced")
        return [facts.EntryOpened()]


@record
class Enter(TournamentCommand):
    """Enter a tournament, or return after withdrawing."""

    bot: bool
    contribution: Contribution

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        terms = tournament.terms
        late = terms.late_entry and tournament.status == "running"
        if tournament.status != "open" and not late:
            raise refusals.EntryClosedError(f"The tournament is {tournament.status} and takes no entries.")
        number = tournament.numbers.get(by)
        if number is not None:
            if tournament.entrants[number].active:
                raise refusals.AlreadyEnteredError("You have already entered this tournament.")
            return [facts.EntrantReturned(number)]
        if len(tournament.active) >= terms.most_entrants:
            raise refusals.TournamentFullError(f"The tournament has {terms.most_entrants} entrants already.")
        if not terms.open_entry and by not in terms.invited:
            raise refusals.NotAdmittedError("This tournament is by invitation, and you are not invited.")
        if terms.admits != "both" and self.bot != (terms.admits == "programs"):
            raise refusals.NotAdmittedError(f"This tournament is for {terms.admits} only.")
        if self.contribution and not is_hash(self.contribution):
            raise refusals.NotAdmittedError("A contribution has 64 digits in lower-case hex.")
        return [facts.EntrantEntered(len(tournament.entrants), by, self.bot, self.contribution)]


@record
class Withdraw(TournamentCommand):
    """Withdraw from a tournament; an arbiter can withdraw any entrant, and says why."""

    entrant: facts.Number | None = None
    why: Annotated[str, Length(0, 400)] = ""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_stage("open", "running")
        if self.entrant is None:
            number = tournament.require_entrant(by)
        else:
            tournament.require_arbiter(by)
            number = self.entrant
        if number >= len(tournament.entrants) or not tournament.entrants[number].active:
            raise refusals.NotEntrantError("No active entrant has this number.")
        return [facts.EntrantWithdrew(number, self.why)]


@record
class StartTournament(TournamentCommand):
    """Start the tournament: no more early entries, and the seed is fixed."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_organiser(by)
        tournament.require_stage("open")
        active, least = len(tournament.active), tournament.terms.least_entrants
        if active < least:
            raise refusals.TooFewEntrantsError(
                f"The tournament has {active} entrants and needs at least {least}."
            )
        terms = tournament.terms
        ends_at = at + terms.duration_ms if terms.format == "arena" else None
        return [facts.TournamentStarted(tuple(tournament.active), ends_at)]
