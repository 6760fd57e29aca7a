"""The commands that change a tournament. Each checks whether it is allowed and adds the facts caused."""

from typing import Annotated, ClassVar, Literal

from kontor_games.domain.codec import Codec, Length, record
from kontor_games.domain.match_facts import Id
from kontor_games.domain.rules import Fact
from kontor_games.domain.stream import HOUSE, Authors, Command
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.entering import (
    CloseOpening,
    Enter,
    OpenContribution,
    StartTournament,
    Withdraw,
)
from kontor_games.domain.tournaments.rounds import is_last, next_round, uploaded_round
from kontor_games.domain.tournaments.terms import Text
from kontor_games.domain.tournaments.tournament import Tournament

__all__ = [
    "COMMAND_CODEC", "TOURNAMENT_COMMANDS", "Acknowledge", "Announce", "Cancel", "CloseOpening",
    "Correct", "Enter", "OpenContribution", "OpenEntry", "OpenMatch", "PairRound", "PostStandings", "Protest",
    "RecordNoShow", "RecordResult", "RecordStart", "RevealBlock", "Rule", "SignOff", "StartTournament",
    "VoidMatch", "Withdraw",
]  # fmt: skip

# --- the beginning; `entering.py` has the commands with which players enter and the tournament starts -------


@record
class Announce(Command):
    """Announce a tournament; its terms are in the first fact."""

    def announce(self, tournament: Tournament, announced: facts.TournamentAnnounced, at: int) -> list[Fact]:
        """Fold the announcement and return it as the only fact."""
        tournament.add(announced)
        tournament.end_entry(at, None)
        return [announced]


@record
class OpenEntry(Command):
    """Open the list of entrants."""

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_organiser(by)
        tournament.require_stage("announced")
        tournament.add(facts.EntryOpened())


# --- rounds: pair, open matches, record their results, and rule on them -------------------------------------


def _without_result(number: int, which: str = "") -> str:
    matches = f"{count_phrase(number, 'match', 'matches')} {which}".strip()
    return f"{matches} {'has' if number == 1 else 'have'} no result yet."


@record
class PairRound(Command):
    """Pair the next round, or set its tables by hand, as entrant numbers in the order of seats."""

    authors: ClassVar[Authors] = "both"
    tables: (
        Annotated[tuple[Annotated[tuple[facts.Number, ...], Length(2, 5)], ...], Length(1, 5000)] | None
    ) = None

    @staticmethod
    def require_due(tournament: Tournament, by: str, at: int) -> None:
        """Raise a refusal unless the author may pair a round now, whatever its tables."""
        if by != HOUSE:
            tournament.require_organiser(by)
        tournament.require_stage("running")
        if tournament.ends_at is not None and at >= tournament.ends_at:
            raise refusals.NoRoundLeftError("The time in which new tables are paired is over.")
        if tournament.terms.format != "arena" and tournament.unfinished:
            missing = _without_result(len(tournament.unfinished), "of the last round")
            raise refusals.ResultsMissingError(missing)

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        self.require_due(tournament, by, at)
        if self.tables is not None:
            tournament.add(uploaded_round(tournament, self.tables))
            return
        if is_last(tournament):
            raise refusals.NoRoundLeftError("All rounds of this tournament have been paired.")
        paired = next_round(tournament)
        if not paired.tables:
            raise refusals.TooFewEntrantsError("Too few entrants are left for one table.")
        tournament.add(paired)


@record
class OpenMatch(Command):
    """Record the match that was created for a table; a command of the service."""

    authors: ClassVar[Authors] = "service"
    round: int
    table: int
    number: int
    match: Id

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_stage("running")
        planned = tournament.planned.get((self.round, self.table, self.number))
        if planned is None or planned.match is not None or planned.finish is not None:
            raise refusals.NoSuchMatchError("This table has no match to be opened.")
        tournament.add(facts.MatchOpened(self.round, self.table, self.number, self.match, planned.entrants))


@record
class RecordStart(Command):
    """Record that a match is being played; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        planned = tournament.require_match(self.match)
        if planned.finish is not None or self.match in tournament.began:
            raise refusals.NoSuchMatchError("This match has already begun, or already has a result.")
        tournament.add(facts.MatchBegan(self.match))


@record
class RecordResult(Command):
    """Record the result of a match; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id
    places: facts.Places
    scores: facts.Scores
    reason: Literal["played", "forfeit"]

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        planned = tournament.require_match(self.match)
        if planned.finish is not None:
            raise refusals.NoSuchMatchError("This match has a result already.")
        tournament.require_places(self.match, self.places)
        tournament.add(facts.ResultRecorded(self.match, self.places, self.scores, self.reason))


@record
class RecordNoShow(Command):
    """Record the entrants who did not take their seats before the deadline; a command of the service."""

    authors: ClassVar[Authors] = "service"
    match: Id
    absent: Annotated[tuple[facts.Number, ...], Length(1, 5)]

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        planned, terms = tournament.require_match(self.match), tournament.terms
        if planned.finish is not None:
            raise refusals.NoSuchMatchError("This match has a result already.")
        present = [number for number in planned.entrants if number not in self.absent]
        enough = terms.no_show == "without" and len(present) >= terms.least_seats
        if enough and not terms.rotated:
            tournament.add(facts.NoShowRecorded(self.match, self.absent, None))
            return
        last = len(present) + 1 if present else 1
        places = tuple(last if number in self.absent else 1 for number in planned.entrants)
        tournament.add(facts.NoShowRecorded(self.match, self.absent, places))


@record
class RevealBlock(Command):
    """Record that the deal of a table was revealed after its block was over; a command of the service."""

    authors: ClassVar[Authors] = "service"
    round: int
    table: int

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        if (self.round, self.table) not in tournament.unrevealed:
            raise refusals.NoSuchMatchError("The deal of this table can't be revealed now.")
        tournament.add(facts.BlockRevealed(self.round, self.table))


@record
class VoidMatch(Command):
    """Declare that a match does not count and is played again."""

    match: Id
    why: Text

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
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
        tournament.add(facts.MatchVoided(self.match, by, self.why))


@record
class Rule(Command):
    """Decide the result of a match; after the standings are final this makes a new edition."""

    match: Id
    places: facts.Places
    why: Text

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_arbiter(by)
        tournament.require_stage("running", "provisional")
        tournament.require_places(self.match, self.places)
        tournament.add(facts.ResultRuled(self.match, self.places, by, self.why))


def _sign_edition(tournament: Tournament, by: str) -> None:
    secret, digest = tournament.announced.server_secret, tournament.standings_digest()
    tournament.add(facts.EditionSigned(tournament.edition + 1, digest, by, secret))


@record
class Correct(Command):
    """Correct a result after the standings are final: a new edition beside the old one."""

    match: Id
    places: facts.Places
    why: Text

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_organiser(by)
        tournament.require_stage("final")
        tournament.require_places(self.match, self.places)
        tournament.add(facts.ResultRuled(self.match, self.places, by, self.why))
        _sign_edition(tournament, by)


# --- standings, and the end ---------------------------------------------------------------------------------


@record
class PostStandings(Command):
    """Post the provisional standings; the service does it after the last round, an organiser can earlier."""

    authors: ClassVar[Authors] = "both"

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        if by != HOUSE:
            tournament.require_organiser(by)
        tournament.require_stage("running")
        if tournament.unfinished:
            raise refusals.ResultsMissingError(_without_result(len(tournament.unfinished)))
        if tournament.unrevealed:
            raise refusals.ResultsMissingError(
                "The deals of the last tables are being revealed. Try again in a moment."
            )
        tournament.add(
            facts.StandingsPosted(tournament.standings_digest(), at + tournament.terms.correction_ms)
        )


@record
class Acknowledge(Command):
    """Agree with the provisional standings."""

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_stage("provisional")
        tournament.add(facts.StandingsAcknowledged(tournament.require_entrant(by)))


@record
class Protest(Command):
    """Protest against the provisional standings."""

    why: Text

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_stage("provisional")
        number = tournament.require_entrant(by)
        if at > tournament.correction_until:
            raise refusals.WrongStageError("The time for protests is over.")
        tournament.add(facts.StandingsProtested(number, self.why))


@record
class SignOff(Command):
    """Sign the standings off as final."""

    despite_protests: bool = False
    """Whether the organiser has reviewed all protests and confirms the standings."""

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_organiser(by)
        tournament.require_stage("provisional")
        everybody = {entrant.number for entrant in tournament.entrants}
        if at < tournament.correction_until and tournament.acknowledged != everybody:
            minutes = -(-(tournament.correction_until - at) // 60_000)
            raise refusals.CorrectionOpenError(
                f"Wait {count_phrase(minutes, 'minute')}, until the time for protests is over, "
                "or until all entrants have agreed."
            )
        if tournament.protests and not self.despite_protests:
            number = len(tournament.protests)
            have = "has" if number == 1 else "have"
            raise refusals.ProtestOpenError(
                f"{count_phrase(number, 'entrant')} {have} protested: "
                "rule if something is wrong, then sign with `despite_protests`."
            )
        _sign_edition(tournament, by)


@record
class Cancel(Command):
    """Cancel the tournament, with a reason."""

    why: Text

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_organiser(by)
        if tournament.over:
            raise refusals.WrongStageError(f"The tournament is {tournament.status}.")
        tournament.add(facts.TournamentCancelled(by, self.why, tournament.announced.server_secret))


TOURNAMENT_COMMANDS: tuple[type[Command], ...] = (
    Announce, OpenEntry, Enter, Withdraw, StartTournament, OpenContribution, CloseOpening, PairRound,
    OpenMatch, RecordStart, RecordResult, RecordNoShow, RevealBlock, VoidMatch, Rule, Correct, PostStandings,
    Acknowledge, Protest, SignOff, Cancel,
)  # fmt: skip
COMMAND_CODEC = Codec(TOURNAMENT_COMMANDS)
