"""Limits the new accounts per address and hour, across all processes of the service."""

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


def registration_rows(
    database: Database, secret: Secret, address: str, limit: int, now: int
) -> tuple[Statement, Statement]:
    """Return the statements that count an account; raise RateLimitedError if it is one too many.

    An address is stored for an hour, and only as a keyed hash.
    """
    hashed = secret.derive("address", address_key(address)).hex()
    query = "SELECT COUNT(*) AS count, MIN(at) AS first FROM registrations WHERE address = ? AND at > ?"
    found = database.read(query, (hashed, now - HOUR_MS))[0]
    if found["count"] >= limit:
        wait = found["first"] + HOUR_MS - now
        detail = f"At most {limit} accounts can be created per hour from one address."
        raise RateLimitedError(detail, retry_after_ms=wait, limit=limit, reset_ms=wait)
    return (
        ("DELETE FROM registrations WHERE at <= ?", (now - HOUR_MS,)),
        ("INSERT INTO registrations VALUES (?, ?)", (hashed, now)),
    )
