"""The tables beside the event store, and the migration that creates all tables."""

import re
from collections.abc import Iterable

from kontor_games.service.errors import OperatorError
from kontor_games.service.store.append_only import append_only_triggers
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.event_store import EventStore

MATCH_TABLES = (
    """CREATE TABLE IF NOT EXISTS matches (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, private INTEGER NOT NULL,
        creator TEXT NOT NULL, bots INTEGER NOT NULL, clock INTEGER NOT NULL, created_at BIGINT NOT NULL,
        changed_at BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS matches_newest ON matches (created_at, id)",
    "CREATE INDEX IF NOT EXISTS matches_by_creator ON matches (creator, status)",
    "CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_at, id)",
    """CREATE TABLE IF NOT EXISTS match_players (
        player TEXT NOT NULL, match_id TEXT NOT NULL, PRIMARY KEY (player, match_id))""",
    "CREATE INDEX IF NOT EXISTS match_players_by_match ON match_players (match_id)",
    "CREATE INDEX IF NOT EXISTS matches_newest_of_creator ON matches (creator, created_at, id)",
    "CREATE INDEX IF NOT EXISTS matches_newest_of_game ON matches (game, created_at, id)",
    "CREATE TABLE IF NOT EXISTS match_tags"
    " (tag TEXT NOT NULL, match_id TEXT NOT NULL, PRIMARY KEY (tag, match_id))",
    "CREATE INDEX IF NOT EXISTS match_tags_by_match ON match_tags (match_id)",
    "CREATE TABLE IF NOT EXISTS match_expiries (match_id TEXT PRIMARY KEY, due BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS match_expiries_by_due ON match_expiries (due)",
)

_MAY_CREATE = "SELECT has_schema_privilege(current_schema(), 'CREATE') AS may_create"


class MissingTablesError(OperatorError):
    """The owner of the tables has not created all of them."""


def may_create_tables(database: Database) -> bool:
    """Whether this process connects as the owner of the tables; always true on SQLite."""
    return not database.is_postgres or bool(database.read(_MAY_CREATE)[0]["may_create"])


def missing_tables(store: EventStore, database: Database, other_tables: Iterable[str]) -> list[str]:
    """Return the names of tables that the migration would create."""
    sql = "\n".join((*store.recorder.tables(), *MATCH_TABLES, *other_tables))
    needed = re.findall(r"CREATE TABLE IF NOT EXISTS\s+(?:\"?\w+\"?\.)?\"?(\w+)", sql)
    query = (
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
        if database.is_postgres
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    found = {row["name"] for row in database.read(query)}
    return sorted({*needed} - found)


def migrate(
    store: EventStore, database: Database, other_tables: Iterable[str], *statements: Statement
) -> None:
    """Create missing tables and execute the statements, in one transaction and one process at a time.

    A role that may not create tables leaves them to the owner, who has run `kontor migrate`; raises
    MissingTablesError if they have not.
    """
    other_tables = list(other_tables)
    # On SQLite, a transaction that has begun with a read fails at once if it writes after another process has
    # written. So this one begins with a write, which waits for the lock.
    lock = ["SELECT pg_advisory_xact_lock(7235433)" if database.is_postgres else "PRAGMA user_version = 1"]
    tables = (*store.recorder.tables(), *MATCH_TABLES, *other_tables)
    if not database.is_postgres:
        tables = (*tables, *append_only_triggers())
    elif not may_create_tables(database):
        if missing := missing_tables(store, database, other_tables):
            raise MissingTablesError(
                f"The database does not have the tables {', '.join(missing)}, and this role may not create"
                " them. Run `kontor migrate --role` as the owner of the tables."
            )
        tables = ()
    database.write(*((sql, ()) for sql in (*lock, *tables)), *statements)
