"""The base of all commands of a tournament, and conditions that several of them have."""

from typing import Any, ClassVar, Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact
from kontor_games.domain.tournaments import refusals
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament

Authors = Literal["players", "service", "both"]


class TournamentCommand(Record):
    """A request to change a tournament."""

    __slots__ = ()
    authors: ClassVar[Authors] = "players"
    """The authors of such a command; an audit refuses all others."""

    def decide(self, tournament: Tournament, by: str, at: int) -> list[Fact]:
        """Carry out the command on a copy of a tournament: return its facts, or raise the refusal."""
        facts: list[Fact] = []
        for fact in self._facts(tournament, by, at):
            facts.append(fact)
            tournament.fold_fact(fact)
        tournament.at = at
        return facts

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[Any]:
        """Check the command and return its facts."""
        raise LookupError(f"{self.type} cannot be carried out")


def require_stage(tournament: Tournament, *stages: str) -> None:
    """Refuse unless the tournament is at one of these stages."""
    if tournament.status not in stages:
        allowed = " or ".join(stages)
        raise refusals.WrongStageError(
            f"The tournament is {tournament.status}; this is possible while it is {allowed}."
        )


def require_organiser(tournament: Tournament, by: str) -> None:
    """Refuse everybody but the organiser."""
    if by != tournament.terms.organiser:
        raise refusals.NotOrganiserError("Only the organiser of this tournament can do this.")


def require_arbiter(tournament: Tournament, by: str) -> None:
    """Refuse everybody but the organiser and the arbiters."""
    if by not in (tournament.terms.organiser, *tournament.terms.arbiters):
        raise refusals.NotArbiterError("Only the organiser or an arbiter of this tournament can do this.")


def require_entrant(tournament: Tournament, by: str) -> int:
    """Return the number of the player as an entrant; refuse players who have not entered."""
    if by not in tournament.numbers:
        raise refusals.NotEntrantError("You have not entered this tournament.")
    return tournament.numbers[by]


def planned_match(tournament: Tournament, match: str) -> PlannedMatch:
    """Return the planned match with this id; refuse a match that does not count."""
    slot = tournament.slots.get(match)
    if slot is None or tournament.planned[slot].match != match:
        raise refusals.NoSuchMatchError("No match of this tournament that counts has this id.")
    return tournament.planned[slot]


def require_places(planned: PlannedMatch, places: tuple[int, ...]) -> None:
    """Refuse impossible places: they start at 1, and tied players share a place, as in 1, 2, 2, 4."""
    ranked = tuple(1 + sum(other < place for other in places) for place in places)
    if len(places) != len(planned.entrants) or ranked != places:
        raise refusals.WrongPlacesError(
            f"The places of this table must be {len(planned.entrants)} numbers such as 1, 2, 2, 4, by seat."
        )
