"""The base of all commands of a tournament."""

from typing import Any, ClassVar, Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact
from kontor_games.domain.tournaments.tournament import Tournament

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
