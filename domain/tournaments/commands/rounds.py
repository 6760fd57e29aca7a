"""Commands of the rounds: pair, open matches, record their results, and rule on them."""

from typing import Annotated, ClassVar, Literal

from kontor_games.domain.codec import Length, record
from kontor_games.domain.match_facts import HOUSE, Id
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.commands.base import Authors, TournamentCommand
from kontor_games.domain.tournaments.rounds import is_last, next_round, uploaded_round
from kontor_games.domain.tournaments.terms import Text
from kontor_games.domain.tournaments.tournament import Tournament


@record
class PairRound(TournamentCommand):
    """Pair the next round, or set its tables by hand, as entrant numbers in the order of seats."""

    authors: ClassVar[Authors] = "both"
    tables: (
        Annotated[tuple[Annotated[tuple[facts.Number, ...], Length(2, 5)], ...], Length(1, 5000)] | None
    ) = None

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        if by != HOUSE:
            tournament.require_organiser(by)
        tournament.require_stage("running")
        if tournament.ends_at is not None and at >= tournament.ends_at:
            raise refusals.NoRoundLeftError("The time in which new tables are paired is over.")
        if tournament.terms.format != "arena" and tournament.unfinished:
            missing = len(tournament.unfinished)
            raise refusals.ResultsMissingError(f"{missing} matches of the last round have no result yet.")
        if self.tables is not None:
            return [uploaded_round(tournament, self.tables)]
        if is_last(tournament):
            raise refusals.NoRoundLeftError("All rounds of this tournament have been paired.")
        paired = next_round(tournament)
        if not paired.tables:
            raise refusals.TooFewEntrantsError("Too few entrants are left for one table.")
        return [paired]


@record
class OpenMatch(TournamentCommand):
    """Record the match that was created for a table; a command of the service."""

    authors: ClassVar[Authors] = "service"
    round: int
    table: int
    number: int
    match: Id

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_stage("running")
        planned = tournament.planned.get((self.round, self.table, self.number))
        if planned is None or planned.match is not None or planned.finish is not None:
            raise refusals.NoSuchMatchError("This table has no match to be opened.")
        return [facts.MatchOpened(self.round, self.table, self.number, self.match, planned.entrants)]


@record
class RecordStart(TournamentCommand):
    """Record that a match is being played; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        planned = tournament.require_match(self.match)
        if planned.finish is not None or self.match in tournament.began:
            raise refusals.NoSuchMatchError("This match has already begun, or already has a result.")
        return [facts.MatchBegan(self.match)]


@record
class RecordResult(TournamentCommand):
    """Record the result of a match; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id
    places: facts.Places
    scores: facts.Scores
    reason: Literal["played", "forfeit"]

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        planned = tournament.require_match(self.match)
        if planned.finish is not None:
            raise refusals.NoSuchMatchError("This match has a result already.")
        tournament.require_places(self.match, self.places)
        return [facts.ResultRecorded(self.match, self.places, self.scores, self.reason)]


@record
class RecordNoShow(TournamentCommand):
    """Record the entrants who did not take their seats before the deadline; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id
    absent: Annotated[tuple[facts.Number, ...], Length(1, 5)]

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        planned, terms = tournament.require_match(self.match), tournament.terms
        if planned.finish is not None:
            raise refusals.NoSuchMatchError("This match has a result already.")
        present = [number for number in planned.entrants if number not in self.absent]
        enough = terms.no_show == "without" and len(present) >= terms.least_seats
        if enough and not terms.rotated:
            return [facts.NoShowRecorded(self.match, self.absent, None)]
        last = len(present) + 1 if present else 1
        places = tuple(last if number in self.absent else 1 for number in planned.entrants)
        return [facts.NoShowRecorded(self.match, self.absent, places)]


@record
class RevealBlock(TournamentCommand):
    """Record that the deal of a table was revealed after its block was over; a command of the service."""

    authors: ClassVar[Authors] = "service"
    round: int
    table: int

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        if (self.round, self.table) not in tournament.unrevealed:
            raise refusals.NoSuchMatchError("The deal of this table can't be revealed now.")
        return [facts.BlockRevealed(self.round, self.table)]


@record
class VoidMatch(TournamentCommand):
    """Declare that a match does not count and is played again."""

    match: Id
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_arbiter(by)
        tournament.require_stage("running")
        planned = tournament.require_match(self.match)
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
        tournament.require_arbiter(by)
        tournament.require_stage("running", "provisional")
        tournament.require_places(self.match, self.places)
        return [facts.ResultRuled(self.match, self.places, by, self.why)]


@record
class Correct(TournamentCommand):
    """Correct a result after the standings are final: a new edition beside the old one."""

    match: Id
    places: facts.Places
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        tournament.require_organiser(by)
        tournament.require_stage("final")
        tournament.require_places(self.match, self.places)
        ruled = facts.ResultRuled(self.match, self.places, by, self.why)
        after = tournament.copy()
        after.fold_fact(ruled)
        secret = tournament.announced.server_secret
        return [ruled, facts.EditionSigned(tournament.edition + 1, after.standings_digest(), by, secret)]
