"""Keys of private matches: anyone with the key of a match may see and join it.

A key is derived from the secret of the service, the match, and how often its creator has renewed it, so no
key is stored.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import MatchRefusal, NotCreatorError
from kontor_games.service.errors import NotFoundError
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

_KEY_BYTES = 18


class MatchNotPrivateError(MatchRefusal):
    """The match is not private, so it has no key."""


def is_listed(match: Match, caller: Caller | None) -> bool:
    """Whether a match is listed for the caller: a private one only if they created it, play or are invited.

    Having its key is not enough.
    """
    if not match.created.private:
        return True
    if caller is None:
        return False
    player = caller.player
    return match.is_invited(player) or player == match.created.creator or match.seat_of(player) != SPECTATOR


class PrivateLinks:
    """Who may see which match, and the keys of private ones."""

    def __init__(self, database: Database, secret: Callable[[], Secret]) -> None:
        self._database = database
        self._secret = secret

    def may_see(self, match_id: str, match: Match, caller: Caller | None) -> bool:
        """Whether the caller may see a match: a private one only with a part in it, or with its key."""
        if is_listed(match, caller):
            return True
        key = caller.match_key if caller else None
        return key is not None and hmac.compare_digest(self.key_of(match_id).encode(), key.encode())

    def require_visible(self, match_id: str, match: Match, caller: Caller | None) -> Match:
        """The match, if the caller may see it; a private match of others looks like a missing one."""
        if not self.may_see(match_id, match, caller):
            raise NotFoundError("There is no such match.")
        return match

    def key_of(self, match_id: str) -> str:
        rows = self._database.read("SELECT generation FROM match_links WHERE match_id = ?", (match_id,))
        generation = rows[0]["generation"] if rows else 0
        derived = self._secret().derive("match link", match_id, str(generation))
        return urlsafe_b64encode(derived[:_KEY_BYTES]).decode()

    def key_for(self, match_id: str, match: Match, player: str) -> str | None:
        """The key of a match as a player may see it: only the creator of a private match."""
        mine = match.created.private and match.created.creator == player
        return self.key_of(match_id) if mine else None

    def renew(self, match_id: str, match: Match, player: str, request: str | None) -> str:
        """Replace the key by a new one, once for each request, and return it."""
        if player != match.created.creator:
            raise NotCreatorError("Only the creator of the match can renew its key.")
        if not match.created.private:
            raise MatchNotPrivateError("Everyone may see this match.")
        self._database.write(
            (
                "INSERT INTO match_links VALUES (?, 1, ?) ON CONFLICT (match_id) DO UPDATE"
                " SET generation = match_links.generation + 1, request = excluded.request"
                " WHERE match_links.request <> excluded.request",
                (match_id, request or secrets.token_hex(16)),
            )
        )
        return self.key_of(match_id)
