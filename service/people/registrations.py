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
    detail = f"At most {limit} accounts can be created per hour from one address."
    require_below(limit, database, "registrations", hashed, now, detail)
    return (
        ("DELETE FROM registrations WHERE at <= ?", (now - HOUR_MS,)),
        ("INSERT INTO registrations VALUES (?, ?)", (hashed, now)),
    )


def require_below(limit: int, database: Database, table: str, address: str, now: int, detail: str) -> None:
    """Raise RateLimitedError if a table has `limit` rows of an address from the last hour."""
    query = f"SELECT COUNT(*) AS count, MIN(at) AS first FROM {table} WHERE address = ? AND at > ?"  # noqa: S608
    found = database.read(query, (address, now - HOUR_MS))[0]
    if found["count"] >= limit:
        wait = found["first"] + HOUR_MS - now
        raise RateLimitedError(detail, retry_after_ms=wait, limit=limit, reset_ms=wait)
