"""The commands until a tournament starts: enter, withdraw, start, open the sealed contributions.

Nobody can contribute to the seed after they could know what it gives: entrants send hashes, and open them
when no more entries are accepted. Whoever withholds a value is removed, and all others open another one.
"""

from typing import Annotated, ClassVar

from kontor_games.domain.codec import Length, digest, late, record
from kontor_games.domain.commands.playing import Signature
from kontor_games.domain.match_facts import PublicKey
from kontor_games.domain.match_refusals import (
    ContributionMismatchError,
    NotDueError,
    NotSealedError,
    SignatureRequiredError,
    TimeIsUpError,
)
from kontor_games.domain.seed import OPENING_MS, is_hash, is_opening_of
from kontor_games.domain.stream import Authors, Command
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments import facts, refusals
from kontor_games.domain.tournaments.tournament import Tournament

MAX_OPENINGS = 32
"""How often the contributions of a tournament can be asked to be opened."""


@record
class Enter(Command):
    """Enter a tournament, or return after withdrawing."""

    bot: bool
    contribution: Annotated[str, Length(0, 64)]
    sealed: facts.Sealed = late(default="")
    key: PublicKey | None = late(default=None)
    signature: Signature | None = late(default=None)

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        terms = tournament.terms
        late = terms.late_entry and tournament.status == "running"
        if tournament.status != "open" and not late:
            raise refusals.EntryClosedError(f"The tournament is {tournament.status} and takes no entries.")
        if tournament.due is not None:
            raise refusals.EntryClosedError("Contributions are being opened, so no entries are accepted.")
        number = tournament.numbers.get(by)
        if number is not None:
            if tournament.entrants[number].active:
                raise refusals.AlreadyEnteredError("You have already entered this tournament.")
            if tournament.entrants[number].withheld and tournament.status == "open":
                raise refusals.NotAdmittedError("You did not open your contribution, so you can't return.")
            self._require_contribution(tournament)
            tournament.add(facts.EntrantReturned(number, self.sealed, self.key))
            return
        if len(tournament.active) >= terms.most_entrants:
            raise refusals.TournamentFullError(f"The tournament has {terms.most_entrants} entrants already.")
        if not terms.open_entry and by not in terms.invited:
            raise refusals.NotAdmittedError("This tournament is by invitation, and you are not invited.")
        if terms.admits != "both" and self.bot != (terms.admits == "programs"):
            raise refusals.NotAdmittedError(f"This tournament is for {terms.admits} only.")
        self._require_contribution(tournament)
        entered = len(tournament.entrants), by, self.bot, self.contribution, self.sealed, self.key
        tournament.add(facts.EntrantEntered(*entered))

    def _require_contribution(self, tournament: Tournament) -> None:
        """Refuse a contribution that is not of the announced kind, or was sent before."""
        sealed = tournament.seals_contributions
        if self.contribution and sealed:
            raise NotSealedError(
                "Contributions to this tournament are sealed: send `sealed`, the hash of yours."
            )
        if self.contribution and not is_hash(self.contribution):
            raise refusals.NotAdmittedError("A contribution has 64 digits in lower-case hex.")
        if self.sealed and not sealed:
            raise NotSealedError("Contributions to this tournament are not sealed.")
        if self.sealed and not is_hash(self.sealed):
            raise NotSealedError("A sealed contribution is a SHA-256: 64 digits in lower-case hex.")
        if self.sealed in tournament.seals and self.sealed:
            raise NotSealedError("This sealed contribution was sent before. Each entry needs a new one.")
        if sealed and tournament.terms.signed and self.key is None:
            raise SignatureRequiredError("In this tournament every entrant signs: enter with your key.", "")
        if self.key is not None and not self.sealed:
            raise NotSealedError("A signed entry needs a sealed contribution, so that it can't be repeated.")


@record
class Withdraw(Command):
    """Withdraw from a tournament; an arbiter can withdraw any entrant, and says why."""

    entrant: facts.Number | None = None
    why: Annotated[str, Length(0, 400)] = ""

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_stage("open", "running")
        if tournament.due is not None:  # otherwise entrants could withhold their contributions in this way
            raise refusals.WrongStageError("Nobody can withdraw while contributions are being opened.")
        if self.entrant is None:
            number = tournament.require_entrant(by)
        else:
            tournament.require_arbiter(by)
            number = self.entrant
        if number >= len(tournament.entrants) or not tournament.entrants[number].active:
            raise refusals.NotEntrantError("No active entrant has this number.")
        tournament.add(facts.EntrantWithdrew(number, self.why))


@record
class StartTournament(Command):
    """Start the tournament: no more early entries, and the seed is fixed."""

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        tournament.require_organiser(by)
        tournament.require_stage("open")
        active, least = len(tournament.active), tournament.terms.least_entrants
        if active < least:
            raise refusals.TooFewEntrantsError(
                f"The tournament has {count_phrase(active, 'entrant')} and needs at least {least}."
            )
        if tournament.due is not None:
            raise refusals.WrongStageError("The tournament starts as soon as all contributions are opened.")
        tournament.add(_due(tournament, at) if tournament.to_open else _started(tournament, at))


def _started(tournament: Tournament, at: int) -> facts.TournamentStarted:
    """The start, after which the seed is fixed."""
    terms = tournament.terms
    ends_at = at + terms.duration_ms if terms.format == "arena" else None
    return facts.TournamentStarted(tuple(tournament.active), ends_at)


def _due(tournament: Tournament, at: int) -> facts.ContributionsDue:
    """Ask the active entrants to open what they sealed."""
    opening, entrants = tournament.openings + 1, tournament.to_open
    if opening > MAX_OPENINGS:
        raise refusals.WrongStageError(
            f"Contributions were withheld {MAX_OPENINGS} times. Cancel the tournament and announce another."
        )
    sealed = [[entrant.number, entrant.player, entrant.sealed] for entrant in entrants]
    bound = digest({"commitment": tournament.announced.commitment, "opening": opening, "sealed": sealed})
    deadline = at + max(OPENING_MS, tournament.terms.no_show_ms)
    return facts.ContributionsDue(opening, deadline, tuple(one.number for one in entrants), bound)


@record
class OpenContribution(Command):
    """Open the sealed contribution, for the entries that the digest names."""

    value: Annotated[str, Length(64, 64)]
    digest: Annotated[str, Length(64, 64)]
    signature: Signature | None = late(default=None)

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        number, due = tournament.require_entrant(by), tournament.due
        if due is None or number not in tournament.unopened or self.digest != due.digest:
            raise NotDueError("You can open your contribution once, for the digest in `contributions_due`.")
        if at >= due.deadline:
            raise TimeIsUpError("The time for opening contributions is over.")
        if not is_hash(self.value) or not is_opening_of(self.value, tournament.entrants[number].sealed):
            raise ContributionMismatchError("The value does not match the hash that you sent.")
        tournament.add(facts.ContributionOpened(number, self.value))
        if not tournament.unopened:
            tournament.add(_started(tournament, at))


@record
class CloseOpening(Command):
    """Remove the entrants who did not open in time, and ask the others again; a command of the service."""

    authors: ClassVar[Authors] = "service"

    def add_facts(self, tournament: Tournament, by: str, at: int) -> None:
        if tournament.due is None or at < tournament.due.deadline:
            raise NotDueError("The time for opening contributions is not over.")
        tournament.add(*map(facts.ContributionWithheld, tournament.unopened))
        if len(tournament.active) < tournament.terms.least_entrants or tournament.openings >= MAX_OPENINGS:
            return  # entries are accepted again
        tournament.add(_due(tournament, at) if tournament.to_open else _started(tournament, at))
