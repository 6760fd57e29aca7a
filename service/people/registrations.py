"""Limits the new accounts per address and hour, across all processes of the service."""

from collections.abc import Callable

from kontor_games.service.errors import RateLimitedError
from kontor_games.service.people.limits import address_key
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.store.database import Database, Statement

REGISTRATION_TABLES = (
    "CREATE TABLE IF NOT EXISTS registrations (address TEXT NOT NULL, at BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS registrations_by_address ON registrations (address, at)",
    "CREATE INDEX IF NOT EXISTS registrations_by_age ON registrations (at)",
)
HOUR_MS = 3_600_000


class Registrations:
    """Counts new accounts by address. An address is stored for an hour, and only as a keyed hash."""

    def __init__(self, database: Database, limit: int, clock: Callable[[], int]) -> None:
        self._database = database
        self._limit = limit
        self._clock = clock

    def statements(self, secret: Secret, address: str) -> tuple[Statement, Statement]:
        """Return the statements that count an account; raise RateLimitedError if it is one too many."""
        now, hashed = self._clock(), secret.derive("address", address_key(address)).hex()
        query = "SELECT COUNT(*) AS count, MIN(at) AS first FROM registrations WHERE address = ? AND at > ?"
        found = self._database.read(query, (hashed, now - HOUR_MS))[0]
        if found["count"] >= self._limit:
            wait = found["first"] + HOUR_MS - now
            detail = f"From one address {self._limit} accounts an hour can be created."
            raise RateLimitedError(detail, retry_after_ms=wait, limit=self._limit, reset_ms=wait)
        return (
            ("DELETE FROM registrations WHERE at <= ?", (now - HOUR_MS,)),
            ("INSERT INTO registrations VALUES (?, ?)", (hashed, now)),
        )
