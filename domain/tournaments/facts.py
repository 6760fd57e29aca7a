"""The facts of a tournament. Their names are stored and never change."""

from dataclasses import replace
from typing import Annotated, Literal

from kontor_games.domain.chance import Seeded
from kontor_games.domain.codec import Between, Codec, Length, late, record, secret
from kontor_games.domain.game import Fact
from kontor_games.domain.match_facts import Id, PublicKey
from kontor_games.domain.seed import seed_of
from kontor_games.domain.toolkit.fact_list import facts_among
from kontor_games.domain.tournaments.pairing.tables import Table
from kontor_games.domain.tournaments.terms import MAX_ENTRANTS, Terms, Text
from kontor_games.domain.tournaments.tournament import Entrant, PlannedMatch, Tournament, rotations

Number = Annotated[int, Between(0, MAX_ENTRANTS)]
Places = Annotated[tuple[Annotated[int, Between(1, 5)], ...], Length(2, 5)]
Scores = Annotated[tuple[int, ...], Length(2, 5)]
Sealed = Annotated[str, Length(0, 64)]


class TournamentFact(Fact):
    """A fact of a tournament, folded into it."""

    __slots__ = ()


@record
class TournamentAnnounced(TournamentFact):
    """A tournament was announced: its terms, and the commitment to the server's secret."""

    terms: Terms
    commitment: str
    server_secret: str = secret()

    def fold(self, state: Tournament) -> None:
        state.announced = self
        state.status = "announced"


@record
class EntryOpened(TournamentFact):
    """Players can enter from now on."""

    def fold(self, state: Tournament) -> None:
        state.status = "open"


@record
class EntrantEntered(TournamentFact):
    """A player entered, with an optional contribution to the seed, which is sealed in new tournaments."""

    entrant: Number
    player: Id
    bot: bool
    contribution: str
    sealed: Sealed = late(default="")
    """The hash of the contribution, which is opened when no more entries are accepted."""
    key: PublicKey | None = late(default=None)
    """The key with which the entrant signed this entry, and signs the opening."""

    def fold(self, state: Tournament) -> None:
        entrant = Entrant(
            self.entrant, self.player, self.bot, self.contribution, sealed=self.sealed, key=self.key
        )
        state.entrants += (entrant,)
        state.note_seal(self.sealed)
        state.numbers[self.player] = self.entrant
        state.missed[self.entrant] = len(state.rounds)


@record
class EntrantWithdrew(TournamentFact):
    """An entrant withdrew, or was withdrawn by an arbiter, and is no longer paired."""

    entrant: Number
    why: str

    def fold(self, state: Tournament) -> None:
        """Leaves the entrant out of the next rounds."""
        state.change_entrant(self.entrant, active=False)


@record
class EntrantReturned(TournamentFact):
    """An entrant who had withdrawn takes part again; missed rounds stay missed."""

    entrant: Number
    sealed: Sealed = late(default="")
    """Replaces the contribution that was sealed before."""
    key: PublicKey | None = late(default=None)

    def fold(self, state: Tournament) -> None:
        state.change_entrant(self.entrant, active=True, sealed=self.sealed, key=self.key)
        state.note_seal(self.sealed)


@record
class ContributionsDue(TournamentFact):
    """No more entries are accepted; the entrants open their contributions until the deadline."""

    opening: int
    """How often contributions were asked to be opened, this time included."""
    deadline: int
    entrants: tuple[Number, ...]
    """Those who have sealed a contribution."""
    digest: str
    """The hash of everything that is sealed; whoever opens a contribution repeats it."""

    def fold(self, state: Tournament) -> None:
        """Starts the time for opening; values of an earlier opening no longer count."""
        state.openings, state.due = self.opening, self
        state.entrants = tuple(replace(entrant, contribution="") for entrant in state.entrants)


@record
class ContributionOpened(TournamentFact):
    """An entrant opened their sealed contribution."""

    entrant: Number
    contribution: str

    def fold(self, state: Tournament) -> None:
        """Keeps the value, which is itself the hash of the value that a further opening would need."""
        state.change_entrant(self.entrant, contribution=self.contribution, sealed=self.contribution)


@record
class ContributionWithheld(TournamentFact):
    """An entrant did not open their contribution in time and is removed; nothing is dealt."""

    entrant: Number

    def fold(self, state: Tournament) -> None:
        state.change_entrant(self.entrant, active=False, withheld=True)
        state.due = None


@record
class TournamentStarted(TournamentFact):
    """The tournament started. Its seed follows from the server's secret and the entrants' contributions."""

    entrants: tuple[Number, ...]
    ends_at: int | None
    """Arena: until when new tables are paired; None in other formats."""

    def fold(self, state: Tournament) -> None:
        state.status = "running"
        state.ends_at = self.ends_at
        state.due = None
        counted = state.active if state.seals_contributions else range(len(state.entrants))
        contributions = [state.entrants[number].contribution for number in counted]
        state.chance = Seeded(seed_of(state.announced.server_secret, contributions))


@record
class RoundPaired(TournamentFact):
    """The tables of a round were paired, or uploaded by the organiser."""

    round: int
    tables: tuple[Table, ...]
    byes: tuple[Number, ...]
    uploaded: bool

    def fold(self, state: Tournament) -> None:
        playing = {number for table in self.tables for number in table.entrants}
        state.byes.update(self.byes)
        if state.terms.format != "arena":
            state.missed.update({e.number for e in state.entrants} - playing - set(self.byes))
        state.rounds += (self,)
        for index, table in enumerate(self.tables):
            for number, seated in enumerate(rotations(table) if state.terms.rotated else [table.entrants]):
                slot = (self.round, index, number)
                state.planned[slot] = PlannedMatch(slot, seated)


@record
class MatchOpened(TournamentFact):
    """A match of a table was created; its entrants can take their seats."""

    round: int
    table: int
    number: int
    """Which match of the block of a table this is."""
    match: Id
    entrants: tuple[Number, ...]

    def fold(self, state: Tournament) -> None:
        slot = (self.round, self.table, self.number)
        planned = state.planned[slot]
        state.planned[slot] = replace(planned, match=self.match, attempts=planned.attempts + 1)
        state.slots[self.match] = slot
        state.attempts[self.match] = planned.attempts


@record
class MatchBegan(TournamentFact):
    """All entrants of a match have taken their seats, and it is being played."""

    match: Id

    def fold(self, state: Tournament) -> None:
        state.began = state.began | {self.match}


@record
class ResultRecorded(TournamentFact):
    """A match ended, and its result counts."""

    match: Id
    places: Places
    scores: Scores
    reason: Literal["played", "forfeit"]

    def fold(self, state: Tournament) -> None:
        state.set_result(self.match, self.places, self.scores, self.reason)


@record
class NoShowRecorded(TournamentFact):
    """Entrants were not seated in time; the announced result counts, or the others play without them."""

    match: Id
    absent: tuple[Number, ...]
    places: Places | None
    """None if the others play without the absent."""

    def fold(self, state: Tournament) -> None:
        """Notes the result, or plans a smaller table."""
        planned = state.planned_for(self.match)
        planned = state.planned[planned.slot] = replace(planned, absent=self.absent)
        if self.places is not None:
            state.set_result(self.match, self.places, [0] * len(self.places), "walkover")
            return
        present = tuple(number for number in planned.entrants if number not in self.absent)
        state.planned[planned.slot] = replace(planned, entrants=present, match=None)


@record
class BlockRevealed(TournamentFact):
    """All matches of a table have results, and their common deal is revealed."""

    round: int
    table: int

    def fold(self, state: Tournament) -> None:
        """Notes that nothing is hidden at the table."""
        state.revealed = state.revealed | {(self.round, self.table)}


@record
class MatchVoided(TournamentFact):
    """A match does not count and is played again."""

    match: Id
    by: Id
    why: Text

    def fold(self, state: Tournament) -> None:
        planned = state.planned_for(self.match)
        state.planned[planned.slot] = replace(planned, match=None, finish=None, reason=None, absent=())


@record
class ResultRuled(TournamentFact):
    """An arbiter decided the result of a match; earlier results stay in the record."""

    match: Id
    places: Places
    by: Id
    why: Text

    def fold(self, state: Tournament) -> None:
        finish = state.planned_for(self.match).finish
        scores = finish.scores if finish else [0] * len(self.places)
        state.set_result(self.match, self.places, scores, "ruling")


@record
class StandingsPosted(TournamentFact):
    """All results are in; the provisional standings can be protested against until the given time."""

    digest: str
    """SHA-256 of the standings in canonical form."""
    until: int

    def fold(self, state: Tournament) -> None:
        state.status = "provisional"
        state.correction_until = self.until


@record
class StandingsAcknowledged(TournamentFact):
    """An entrant has seen the provisional standings and agrees."""

    entrant: Number

    def fold(self, state: Tournament) -> None:
        state.acknowledged = state.acknowledged | {self.entrant}


@record
class StandingsProtested(TournamentFact):
    """An entrant protests against the provisional standings."""

    entrant: Number
    why: Text

    def fold(self, state: Tournament) -> None:
        state.protests = {**state.protests, self.entrant: self.why}


@record
class EditionSigned(TournamentFact):
    """The organiser signed off the final standings as an edition; a later correction is a new edition."""

    edition: int
    digest: str
    by: Id
    server_secret: str
    """Revealed, so that everyone can recompute the pairings."""

    def fold(self, state: Tournament) -> None:
        state.status = "final"
        state.edition = self.edition


@record
class TournamentCancelled(TournamentFact):
    """The tournament was cancelled."""

    by: Id
    why: Text
    server_secret: str

    def fold(self, state: Tournament) -> None:
        state.status = "cancelled"


TOURNAMENT_CODEC = Codec(facts_among(globals()))
