"""Who may invite a player to a match."""

from kontor_games.domain.match_refusals import MatchRefusal
from kontor_games.service.people.players import Players
from kontor_games.service.store.database import Database


class InvitationNotWelcomeError(MatchRefusal):
    """The player does not accept invitations from you."""


class Invitations:
    """Checks invitations against the settings of those who are invited."""

    def __init__(self, database: Database, players: Players) -> None:
        self._database = database
        self._players = players

    def require_welcome(self, inviter: str, invited: str) -> None:
        """Raise InvitationNotWelcomeError if a player does not accept invitations from another."""
        allowed = self._players.invitations_from(invited)
        if invited == inviter or allowed == "everyone":
            return
        if allowed == "nobody" or not self._have_met(inviter, invited):
            whose = (
                "no invitations"
                if allowed == "nobody"
                else "invitations only from those they have played with"
            )
            raise InvitationNotWelcomeError(f"The player {invited} accepts {whose}.")

    def _have_met(self, player: str, other: str) -> bool:
        """Whether two players have taken part in a match that was started."""
        query = (
            "SELECT 1 AS met FROM match_players a JOIN match_players b ON b.match_id = a.match_id"
            " JOIN matches m ON m.id = a.match_id"
            " WHERE a.player = ? AND b.player = ? AND m.status IN ('running', 'finished') LIMIT 1"
        )
        return bool(self._database.read(query, (player, other)))
