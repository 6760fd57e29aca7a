"""Who may invite a player to a match."""

from kontor_games.domain.match_refusals import MatchRefusal
from kontor_games.service.people.players import Players
from kontor_games.service.store.database import Database


class InvitationNotWelcomeError(MatchRefusal):
    """The player does not accept invitations from you."""


def require_welcome(database: Database, players: Players, inviter: str, invited: str) -> None:
    """Raise InvitationNotWelcomeError if a player does not accept invitations from another."""
    if invited == inviter:
        return
    allowed = players.invitations_from(invited)
    blocked = "SELECT 1 AS found FROM blocks WHERE player = ? AND blocked = ?"
    if database.read(blocked, (invited, inviter)):
        allowed = "nobody"  # who is blocked is not told
    if allowed == "everyone":
        return
    if allowed == "nobody":
        raise InvitationNotWelcomeError(f"The player {invited} accepts no invitations.")
    if not _have_met(database, inviter, invited):
        raise InvitationNotWelcomeError(
            f"The player {invited} accepts invitations only from those they have played with."
        )


def _have_met(database: Database, player: str, other: str) -> bool:
    """Whether two players have taken part in a match that was started."""
    query = (
        "SELECT 1 AS met FROM match_players a JOIN match_players b ON b.match_id = a.match_id"
        " JOIN matches m ON m.id = a.match_id"
        " WHERE a.player = ? AND b.player = ? AND m.status IN ('running', 'finished') LIMIT 1"
    )
    return bool(database.read(query, (player, other)))
