"""Commands of arbiters about the result of a match."""

from kontor_games.domain.codec import record
from kontor_games.domain.match_facts import Id
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.commands.base import (
    TournamentCommand,
    planned_match,
    require_arbiter,
    require_organiser,
    require_places,
    require_stage,
)
from kontor_games.domain.tournaments.terms import Text
from kontor_games.domain.tournaments.tournament import Tournament


@record
class VoidMatch(TournamentCommand):
    """Declare that a match does not count and is played again."""

    match: Id
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        require_arbiter(tournament, by)
        require_stage(tournament, "running")
        planned = planned_match(tournament, self.match)
        if tournament.terms.format != "arena" and planned.slot[0] != len(tournament.rounds):
            raise refusals.WrongStageError(
                "A match of an earlier round can get a ruling, but not be played again."
            )
        if tournament.has_secret_blocks and tournament.block_over(planned.slot[:2]):
            raise refusals.WrongStageError(
                "The block is over and its deal known: the match can get a ruling, but not be played again."
            )
        return [facts.MatchVoided(self.match, by, self.why)]


@record
class Rule(TournamentCommand):
    """Decide the result of a match; after the standings are final this makes a new edition."""

    match: Id
    places: facts.Places
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        require_arbiter(tournament, by)
        require_stage(tournament, "running", "provisional")
        require_places(planned_match(tournament, self.match), self.places)
        return [facts.ResultRuled(self.match, self.places, by, self.why)]


@record
class Correct(TournamentCommand):
    """Correct a result after the standings are final: a new edition beside the old one."""

    match: Id
    places: facts.Places
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        require_organiser(tournament, by)
        require_stage(tournament, "final")
        require_places(planned_match(tournament, self.match), self.places)
        ruled = facts.ResultRuled(self.match, self.places, by, self.why)
        after = tournament.copy()
        after.fold_fact(ruled)
        secret = tournament.announced.server_secret
        return [ruled, facts.EditionSigned(tournament.edition + 1, after.standings_digest(), by, secret)]
