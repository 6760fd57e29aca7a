"""The commands that change a tournament. Each one checks whether it is allowed and returns the facts that it causes."""

from typing import Annotated, Any, ClassVar, Literal

from kontor_games.domain.codec import Codec, Length, Record, record
from kontor_games.domain.game import Fact
from kontor_games.domain.match_facts import HOUSE, Id
from kontor_games.domain.seed import is_hash
from kontor_games.domain.tournaments.facts import (
    BlockRevealed,
    EditionSigned,
    EntrantEntered,
    EntrantReturned,
    EntrantWithdrew,
    EntryOpened,
    MatchBegan,
    MatchOpened,
    MatchVoided,
    NoShowRecorded,
    Number,
    Places,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    Scores,
    StandingsAcknowledged,
    StandingsPosted,
    StandingsProtested,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentFact,
    TournamentStarted,
)
from kontor_games.domain.tournaments.refusals import (
    AlreadyEnteredError,
    CorrectionOpenError,
    EntryClosedError,
    NoRoundLeftError,
    NoSuchMatchError,
    NotAdmittedError,
    NotArbiterError,
    NotEntrantError,
    NotOrganiserError,
    ProtestOpenError,
    ResultsMissingError,
    TooFewEntrantsError,
    TournamentFullError,
    WrongPlacesError,
    WrongStageError,
)
from kontor_games.domain.tournaments.rounds import is_last, next_round, uploaded_round
from kontor_games.domain.tournaments.terms import Text
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament

Contribution = Annotated[str, Length(0, 64)]


class TournamentCommand(Record):
    """A request to change a tournament."""

    __slots__ = ()
    authors: ClassVar[Literal["players", "service", "both"]] = "players"
    """The authors of such a command; an audit refuses all others."""

    def decide(self, tournament: Tournament, by: str, at: int) -> list[Fact]:
        """Carry the command out on a copy of a tournament: return its facts, or raise the refusal."""
        facts: list[Fact] = []
        for fact in self._facts(tournament, by, at):
            facts.append(fact)
            tournament.fold_fact(fact)
        tournament.at = at
        return facts

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[Any]:
        """Check the command and return its facts."""
        raise LookupError(f"{self.type} cannot be carried out")


def _require_stage(tournament: Tournament, *stages: str) -> None:
    if tournament.status not in stages:
        wanted = " or ".join(stages)
        raise WrongStageError(
            f"The tournament is {tournament.status}; this is possible while it is {wanted}."
        )


def _require_organiser(tournament: Tournament, by: str) -> None:
    if by != tournament.terms.organiser:
        raise NotOrganiserError("Only the organiser of this tournament can do this.")


def _require_arbiter(tournament: Tournament, by: str) -> None:
    if by not in (tournament.terms.organiser, *tournament.terms.arbiters):
        raise NotArbiterError("Only the organiser or an arbiter of this tournament can do this.")


def _require_entrant(tournament: Tournament, by: str) -> int:
    if by not in tournament.numbers:
        raise NotEntrantError("You have not entered this tournament.")
    return tournament.numbers[by]


def _planned(tournament: Tournament, match: str) -> PlannedMatch:
    slot = tournament.slots.get(match)
    if slot is None or tournament.planned[slot].match != match:
        raise NoSuchMatchError("No match of this tournament that counts has this id.")
    return tournament.planned[slot]


def _require_places(planned: PlannedMatch, places: tuple[int, ...]) -> None:
    """Places start at 1, and tied players share a place: 1, 2, 2, 4."""
    ranked = tuple(1 + sum(other < place for other in places) for place in places)
    if len(places) != len(planned.entrants) or ranked != places:
        raise WrongPlacesError(
            f"The places of this table must be {len(planned.entrants)} numbers such as 1, 2, 2, 4, by seat."
        )


# --- before the start -----------------------------------------------------------------------------------------


@record
class Announce(TournamentCommand):
    """Announce a tournament; its terms are in the first fact."""

    def announce(self, tournament: Tournament, announced: TournamentAnnounced, at: int) -> list[Fact]:
        """Announce the tournament as planned."""
        tournament.fold_fact(announced)
        tournament.at = at
        return [announced]


@record
class OpenEntry(TournamentCommand):
    """Open the list of entrants."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_organiser(tournament, by)
        _require_stage(tournament, "announced")
        return [EntryOpened()]


@record
class Enter(TournamentCommand):
    """Enter a tournament, or return after withdrawing."""

    bot: bool
    contribution: Contribution

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        terms = tournament.terms
        late = terms.late_entry and tournament.status == "running"
        if tournament.status != "open" and not late:
            raise EntryClosedError(f"The tournament is {tournament.status} and takes no entries.")
        if by in tournament.numbers:
            return self._return(tournament, tournament.numbers[by])
        if len(tournament.active) >= terms.most_entrants:
            raise TournamentFullError(f"The tournament has {terms.most_entrants} entrants already.")
        if not terms.open_entry and by not in terms.invited:
            raise NotAdmittedError("This tournament is by invitation, and you are not invited.")
        if terms.admits != "both" and self.bot != (terms.admits == "programs"):
            raise NotAdmittedError(f"This tournament is for {terms.admits} only.")
        if self.contribution and not is_hash(self.contribution):
            raise NotAdmittedError("A contribution has 64 digits in lower-case hex.")
        return [EntrantEntered(len(tournament.entrants), by, self.bot, self.contribution)]

    @staticmethod
    def _return(tournament: Tournament, number: int) -> list[TournamentFact]:
        if tournament.entrants[number].active:
            raise AlreadyEnteredError("You have already entered this tournament.")
        return [EntrantReturned(number)]


@record
class Withdraw(TournamentCommand):
    """Withdraw from a tournament; an arbiter can withdraw any entrant, and says why."""

    entrant: Number | None = None
    why: Annotated[str, Length(0, 400)] = ""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_stage(tournament, "open", "running")
        if self.entrant is None:
            number = _require_entrant(tournament, by)
        else:
            _require_arbiter(tournament, by)
            number = self.entrant
        if number >= len(tournament.entrants) or not tournament.entrants[number].active:
            raise NotEntrantError("There is no such entrant who could withdraw.")
        return [EntrantWithdrew(number, self.why)]


@record
class StartTournament(TournamentCommand):
    """Start the tournament: no more early entries, and the seed is fixed."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_organiser(tournament, by)
        _require_stage(tournament, "open")
        active, least = len(tournament.active), tournament.terms.least_entrants
        if active < least:
            raise TooFewEntrantsError(f"{active} have entered, and {least} were announced as the fewest.")
        terms = tournament.terms
        ends_at = at + terms.duration_ms if terms.format == "arena" else None
        return [TournamentStarted(tuple(tournament.active), ends_at)]


# --- rounds ---------------------------------------------------------------------------------------------------


@record
class PairRound(TournamentCommand):
    """Pair the next round, or set its tables by hand, as entrant numbers in the order of seats."""

    authors: ClassVar[Literal["players", "service", "both"]] = "both"
    tables: Annotated[tuple[Annotated[tuple[Number, ...], Length(2, 5)], ...], Length(1, 5000)] | None = None

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        if by != HOUSE:
            _require_organiser(tournament, by)
        _require_stage(tournament, "running")
        if tournament.ends_at is not None and at >= tournament.ends_at:
            raise NoRoundLeftError("The time in which new tables are paired is over.")
        if tournament.terms.format != "arena" and tournament.unfinished:
            missing = len(tournament.unfinished)
            raise ResultsMissingError(f"{missing} matches of the last round have no result yet.")
        if self.tables is not None:
            return [uploaded_round(tournament, self.tables)]
        if is_last(tournament):
            raise NoRoundLeftError("All rounds of this tournament have been paired.")
        return [self._paired(tournament)]

    @staticmethod
    def _paired(tournament: Tournament) -> RoundPaired:
        paired = next_round(tournament)
        if not paired.tables:
            raise TooFewEntrantsError("Too few entrants are left for one table.")
        return paired


@record
class OpenMatch(TournamentCommand):
    """Record the match that was created for a table; a command of the service."""

    authors: ClassVar[Literal["players", "service", "both"]] = "service"
    round: int
    table: int
    number: int
    match: Id

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_stage(tournament, "running")
        planned = tournament.planned.get((self.round, self.table, self.number))
        if planned is None or planned.match is not None or planned.finish is not None:
            raise NoSuchMatchError("No match is to be opened for this table.")
        return [MatchOpened(self.round, self.table, self.number, self.match, planned.entrants)]


@record
class RecordStart(TournamentCommand):
    """Record that a match is being played; a command of the service."""

    authors: ClassVar[Literal["players", "service", "both"]] = "service"
    match: Id

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        planned = _planned(tournament, self.match)
        if planned.finish is not None or self.match in tournament.began:
            raise NoSuchMatchError("This match began before, or has a result already.")
        return [MatchBegan(self.match)]


@record
class RecordResult(TournamentCommand):
    """Record the result of a match; a command of the service."""

    authors: ClassVar[Literal["players", "service", "both"]] = "service"
    match: Id
    places: Places
    scores: Scores
    reason: Literal["played", "forfeit"]

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        planned = _planned(tournament, self.match)
        if planned.finish is not None:
            raise NoSuchMatchError("This match has a result already.")
        _require_places(planned, self.places)
        return [ResultRecorded(self.match, self.places, self.scores, self.reason)]


@record
class RecordNoShow(TournamentCommand):
    """Record the entrants who did not take their seats before the deadline; a command of the service."""

    authors: ClassVar[Literal["players", "service", "both"]] = "service"
    match: Id
    absent: Annotated[tuple[Number, ...], Length(1, 5)]

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        planned, terms = _planned(tournament, self.match), tournament.terms
        if planned.finish is not None:
            raise NoSuchMatchError("This match has a result already.")
        present = [number for number in planned.entrants if number not in self.absent]
        enough = terms.no_show == "without" and len(present) >= terms.least_seats
        if enough and not terms.rotated:
            return [NoShowRecorded(self.match, self.absent, None)]
        last = len(present) + 1 if present else 1
        places = tuple(last if number in self.absent else 1 for number in planned.entrants)
        return [NoShowRecorded(self.match, self.absent, places)]


@record
class RevealBlock(TournamentCommand):
    """Record that the deal of a table was revealed after its block was over; a command of the service."""

    authors: ClassVar[Literal["players", "service", "both"]] = "service"
    round: int
    table: int

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        if (self.round, self.table) not in tournament.unrevealed:
            raise NoSuchMatchError("No deal of this table is to be revealed.")
        return [BlockRevealed(self.round, self.table)]


# --- rulings --------------------------------------------------------------------------------------------------


@record
class VoidMatch(TournamentCommand):
    """Declare that a match does not count and is played again."""

    match: Id
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_arbiter(tournament, by)
        _require_stage(tournament, "running")
        planned = _planned(tournament, self.match)
        if tournament.terms.format != "arena" and planned.slot[0] != len(tournament.rounds):
            raise WrongStageError("A match of an earlier round can be ruled, but not played again.")
        if tournament.has_secret_blocks and tournament.block_over(planned.slot[:2]):
            raise WrongStageError(
                "The block is over and its deal known: the match can be ruled, but not played again."
            )
        return [MatchVoided(self.match, by, self.why)]


@record
class Rule(TournamentCommand):
    """Decide the result of a match; after the standings are final this makes a new edition."""

    match: Id
    places: Places
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_arbiter(tournament, by)
        _require_stage(tournament, "running", "provisional")
        _require_places(_planned(tournament, self.match), self.places)
        return [ResultRuled(self.match, self.places, by, self.why)]


@record
class Correct(TournamentCommand):
    """Correct a result after the standings are final: a new edition beside the old one."""

    match: Id
    places: Places
    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_organiser(tournament, by)
        _require_stage(tournament, "final")
        _require_places(_planned(tournament, self.match), self.places)
        ruled = ResultRuled(self.match, self.places, by, self.why)
        after = tournament.copy()
        after.fold_fact(ruled)
        secret = tournament.announced.server_secret
        return [ruled, EditionSigned(tournament.edition + 1, after.standings_digest(), by, secret)]


# --- the end --------------------------------------------------------------------------------------------------


@record
class PostStandings(TournamentCommand):
    """Post the provisional standings; the service does it after the last round, the organiser can do it earlier."""

    authors: ClassVar[Literal["players", "service", "both"]] = "both"

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        if by != HOUSE:
            _require_organiser(tournament, by)
        _require_stage(tournament, "running")
        if tournament.unfinished:
            raise ResultsMissingError(f"{len(tournament.unfinished)} matches have no result yet.")
        if tournament.unrevealed:
            raise ResultsMissingError(
                "The deals of the last tables are being revealed. Try again in a moment."
            )
        return [StandingsPosted(tournament.standings_digest(), at + tournament.terms.correction_ms)]


@record
class Acknowledge(TournamentCommand):
    """Agree with the provisional standings."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_stage(tournament, "provisional")
        return [StandingsAcknowledged(_require_entrant(tournament, by))]


@record
class Protest(TournamentCommand):
    """Protest against the provisional standings."""

    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_stage(tournament, "provisional")
        number = _require_entrant(tournament, by)
        if at > tournament.correction_until:
            raise WrongStageError("The time for protests is over.")
        return [StandingsProtested(number, self.why)]


@record
class SignOff(TournamentCommand):
    """Sign the standings off as final."""

    despite_protests: bool = False
    """Whether the organiser has reviewed all protests and confirms the standings."""

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_organiser(tournament, by)
        _require_stage(tournament, "provisional")
        everybody = {entrant.number for entrant in tournament.entrants}
        if at < tournament.correction_until and tournament.acknowledged != everybody:
            raise CorrectionOpenError("Wait for the end of the time for protests, or until all have agreed.")
        if tournament.protests and not self.despite_protests:
            raise ProtestOpenError(
                f"{len(tournament.protests)} entrants have protested: rule, then sign with `despite_protests`."
            )
        secret = tournament.announced.server_secret
        return [EditionSigned(tournament.edition + 1, tournament.standings_digest(), by, secret)]


@record
class Cancel(TournamentCommand):
    """Cancel the tournament, with a reason."""

    why: Text

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[TournamentFact]:
        _require_organiser(tournament, by)
        if tournament.over:
            raise WrongStageError(f"The tournament is {tournament.status}.")
        return [TournamentCancelled(by, self.why, tournament.announced.server_secret)]


TOURNAMENT_COMMANDS: tuple[type[TournamentCommand], ...] = (
    Announce, OpenEntry, Enter, Withdraw, StartTournament, PairRound, OpenMatch, RecordStart, RecordResult,
    RecordNoShow, RevealBlock, VoidMatch, Rule, Correct, PostStandings, Acknowledge, Protest, SignOff, Cancel,
)  # fmt: skip
COMMAND_CODEC = Codec(TOURNAMENT_COMMANDS)
"""The plain-data form of the commands of a tournament."""
