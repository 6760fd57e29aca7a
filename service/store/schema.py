"""The migration that creates all tables: those of the event store, and those of `schema.sql` beside it."""

import re
from importlib.resources import files

from kontor_games.service.errors import OperatorError
from kontor_games.service.store.append_only import append_only_triggers
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.event_store import EventStore

_MAY_CREATE = "SELECT has_schema_privilege(current_schema(), 'CREATE') AS may_create"


class MissingTablesError(OperatorError):
    """The owner of the tables has not created all of them."""


def may_create_tables(database: Database) -> bool:
    """Whether this process connects as the owner of the tables; always true on SQLite."""
    return not database.is_postgres or bool(database.read(_MAY_CREATE)[0]["may_create"])


def _tables(store: EventStore) -> list[str]:
    """Return the statements that create the tables and their indexes, in order."""
    sql = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    return [*store.recorder.tables(), *re.sub(r"--.*\n|;\s*$", "", sql).split(";\n")]


def missing_tables(store: EventStore, database: Database) -> list[str]:
    """Return the names of tables that the migration would create."""
    sql = "\n".join(_tables(store))
    needed = re.findall(r"CREATE TABLE IF NOT EXISTS\s+(?:\"?\w+\"?\.)?\"?(\w+)", sql)
    query = (
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
        if database.is_postgres
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    found = {row["name"] for row in database.read(query)}
    return sorted({*needed} - found)


def migrate(store: EventStore, database: Database, *statements: Statement) -> None:
    """Create missing tables and execute the statements, in one transaction and one process at a time.

    A role that may not create tables leaves them to the owner, who has run `kontor migrate`; raises
    MissingTablesError if they have not.
    """
    # On SQLite, a transaction that has begun with a read fails at once if it writes after another process has
    # written. So this one begins with a write, which waits for the lock.
    lock = ["SELECT pg_advisory_xact_lock(7235433)" if database.is_postgres else "PRAGMA user_version = 1"]
    tables = _tables(store)
    if not database.is_postgres:
        tables += append_only_triggers()
    elif not may_create_tables(database):
        if missing := missing_tables(store, database):
            raise MissingTablesError(
                f"The database does not have the tables {', '.join(missing)}, and this role may not create"
                " them. Run `kontor migrate --role` as the owner of the tables."
            )
        tables = []
    database.write(*((sql, ()) for sql in (*lock, *tables)), *statements)
