"""Players with tokens, for the tests of tokens."""

from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import (
    Caller,
    IssuedToken,
)

KEY = "a key that is hard to guess"
DAY = 24 * 3600 * 1000


def player_of(kontor: Kontor) -> Caller:
    return kontor.tokens.authenticate(kontor.players.register("Ada", bot=False, key=None, body="").token)


def create(
    kontor: Kontor,
    caller: Caller,
    *scopes: str,
    expires_in_ms: int | None = None,
    key: str | None = None,
    body: str = "",
) -> IssuedToken:
    return kontor.tokens.create(caller, "my bot", scopes or ("play",), expires_in_ms, key, body)
