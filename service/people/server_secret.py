"""The secret key of the server, from which tokens are derived."""

import hmac
import secrets

from kontor_games.domain.codec import canonical
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database


class Secret:
    """A secret key that can be used but not read."""

    def __init__(self, text: str) -> None:
        self._key = text.encode()

    def derive(self, purpose: str, *parts: str) -> bytes:
        """Return 32 bytes that can't be computed without the secret; they differ for each purpose."""
        return hmac.digest(self._key, canonical([purpose, *parts]), "sha256")


def find_secret(settings: Settings, database: Database) -> Secret:
    """Return the secret of the settings, or else the one in the database, created at the first start."""
    if settings.secret_key is not None:
        return Secret(settings.secret_key)
    query = "SELECT value FROM settings WHERE name = 'secret_key'"
    if not database.read(query):
        # If several processes start at the same time, the first secret stored is used by all.
        insert = "INSERT INTO settings (name, value) VALUES ('secret_key', ?) ON CONFLICT (name) DO NOTHING"
        database.write((insert, (secrets.token_hex(32),)))
    return Secret(database.read(query)[0]["value"])
