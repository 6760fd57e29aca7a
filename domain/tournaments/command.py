"""What all commands of a tournament have in common."""

from typing import ClassVar, Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.tournaments import facts
from kontor_games.domain.tournaments.tournament import Tournament

Authors = Literal["players", "service", "both"]


class TournamentCommand(Record):
    """A request to change a tournament."""

    __slots__ = ()
    authors: ClassVar[Authors] = "players"
    """The authors of such a command; an audit refuses all others."""

    def decide(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        """Carry out the command on a copy of a tournament: return its facts, or raise the refusal."""
        caused = self._facts(tournament, by, at)
        for fact in caused:
            tournament.fold_fact(fact)
        tournament.at = at
        return caused

    def _facts(self, tournament: Tournament, by: str, at: int) -> list[facts.TournamentFact]:
        """Check the command and return its facts."""
        raise LookupError(f"{self.type} cannot be carried out")
