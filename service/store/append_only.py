"""The tables to which the service only appends, and how the database enforces that.

On PostgreSQL the service connects as a role without the right to UPDATE or DELETE there; a migration by
the owner of the tables sets the role up. On SQLite triggers refuse both. Triggers prevent accidents, but not
manipulation: anyone who may write to the file can drop them.
"""

import re
from typing import NamedTuple

from eventsourcing.persistence import ProgrammingError
from psycopg.errors import InsufficientPrivilege

from kontor_games.service.errors import OperatorError
from kontor_games.service.store.database import Database

APPEND_ONLY = (
    "kontor_events", "log_leaves", "log_tiles", "log_checkpoints", "log_cosignatures", "signing_keys",
)  # fmt: skip
"""Facts, checkpoints and keys: rows that are never changed."""
_APPENDS, _KEEPS = "SELECT, INSERT", "SELECT, INSERT, UPDATE"
_RIGHTS = {
    **dict.fromkeys(APPEND_ONLY, _APPENDS),
    **dict.fromkeys(("counted_deals", "match_audits", "match_tags", "outages", "settings"), _APPENDS),
    "tournament_players": _APPENDS,
    **dict.fromkeys(("matches", "tournaments", "match_links", "draw_counts", "service_heartbeat"), _KEEPS),
    **dict.fromkeys(("signing_keys", "bans"), "SELECT"),
    "players": "SELECT, INSERT, UPDATE (name)",
    "tokens": "SELECT, INSERT, UPDATE (revoked_at), DELETE",
}
"""What the service does to these tables; it inserts, changes and deletes rows of all others.

Only the owner of the tables publishes signing keys and bans players: `kontor migrate`, `keys` and `admin`.
"""
_NO_ADMIN = (
    "ALTER TABLE tokens ENABLE ROW LEVEL SECURITY",
    *(
        f"DROP POLICY IF EXISTS kontor_{verb.lower()} ON tokens"
        for verb in ("SELECT", "INSERT", "UPDATE", "DELETE")
    ),
    *(f"CREATE POLICY kontor_{verb.lower()} ON tokens FOR {verb} USING (true)"
      for verb in ("SELECT", "UPDATE", "DELETE")),
    "CREATE POLICY kontor_insert ON tokens FOR INSERT WITH CHECK (position('admin' in scopes) = 0)",
)  # fmt: skip
"""Only the owner of the tables can issue tokens with the scope admin."""
_PROTECTED_COLUMNS = {"signing_keys": " OF id, public_key, created_at"}
"""Tables of which SQLite protects only these columns: a private key can be moved out of the database."""


class UnsafeRoleError(OperatorError):
    """The role could change rows of append-only tables."""


def append_only_triggers() -> list[str]:
    """Return the statements that make SQLite refuse UPDATE and DELETE on append-only tables."""
    return [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{change.lower()} BEFORE {change}{columns} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'rows of {table} are evidence and never changed'); END"
        for table in APPEND_ONLY
        for change, columns in (("UPDATE", _PROTECTED_COLUMNS.get(table, "")), ("DELETE", ""))
    ]


def create_role(role: str, password: str | None) -> list[str]:
    """Return the statements that create a PostgreSQL role if it is missing, and set its password if given."""
    create = (
        f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}')"
        f' THEN CREATE ROLE "{role}" LOGIN; END IF; END $$'
    )
    return [create, *([f"ALTER ROLE \"{role}\" PASSWORD '{password}'"] if password else [])]


def grants(role: str, schema: str) -> list[str]:
    """Return the statements that grant a role the rights of the service: only to append to these tables."""
    quoted = f'"{schema}"'
    return [
        f'GRANT USAGE ON SCHEMA {quoted} TO "{role}"',
        f'REVOKE ALL ON ALL TABLES IN SCHEMA {quoted} FROM "{role}"',
        f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {quoted} TO "{role}"',
        *(f'REVOKE ALL ON {table} FROM "{role}"' for table in _RIGHTS),
        *(f'GRANT {rights} ON {table} TO "{role}"' for table, rights in _RIGHTS.items()),
        *_NO_ADMIN,
        f'GRANT USAGE ON ALL SEQUENCES IN SCHEMA {quoted} TO "{role}"',
    ]


class RoleRights(NamedTuple):
    """What the role of a connection to PostgreSQL may do."""

    role: str
    owns: bool
    """Whether it could change every row: it is the owner of the tables, may become it, or is a superuser."""
    lacks: list[str]
    """The rights that the service needs and the role does not have."""


def rights_of_role(database: Database) -> RoleRights:
    """Return what the role of this connection may do."""
    [mine] = database.read(
        "SELECT current_user AS role, pg_has_role(current_user, relowner, 'MEMBER') AS owns"
        " FROM pg_class WHERE oid = 'kontor_events'::regclass"
    )
    lacks = [
        f"{right} on {table}"
        for table, rights in _RIGHTS.items()
        for right, column in re.findall(r"(\w+)(?: \((\w+)\))?", rights)
        if not _may(database, table, right, column)
    ]
    return RoleRights(mine["role"], mine["owns"], lacks)


def _may(database: Database, table: str, right: str, column: str) -> bool:
    query, values = "SELECT has_table_privilege(?, ?) AS may", [table, right]
    if column:
        query, values = "SELECT has_column_privilege(?, ?, ?) AS may", [table, column, right]
    return bool(database.read(query, values)[0]["may"])


def _create(database: Database, role: str, password: str | None) -> None:
    """Create the role and set its password; raise UnsafeRoleError if the owner may not do that."""
    query = "SELECT rolname, rolcreaterole OR rolsuper AS may FROM pg_roles WHERE rolname = current_user"
    mine = database.read(query)
    exists = database.read("SELECT 1 AS found FROM pg_roles WHERE rolname = ?", [role])
    owner = mine[0]["rolname"]
    if not exists and not mine[0]["may"]:
        raise UnsafeRoleError(
            f"The role {owner} may not create roles: as a superuser, run `ALTER ROLE {owner} CREATEROLE`, or"
            f" `CREATE ROLE {role} LOGIN PASSWORD …`, and run this again without KONTOR_SERVICE_PASSWORD."
        )
    try:
        database.write(*((sql, ()) for sql in create_role(role, password)))
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        raise UnsafeRoleError(
            f"The role {owner} may not set the password of {role}: as a superuser, run"
            f" `GRANT {role} TO {owner} WITH ADMIN OPTION` and give {owner} CREATEROLE, or set the password"
            " yourself and run this again without KONTOR_SERVICE_PASSWORD."
        ) from error


def set_up_role(database: Database, role: str, password: str | None) -> None:
    """Create the role if it is missing, and set its rights; raise UnsafeRoleError if it has more."""
    if not database.is_postgres:
        raise UnsafeRoleError("SQLite has no roles: a role can be set up only in a PostgreSQL database.")
    _create(database, role, password)
    if database.read("SELECT pg_has_role(?, current_user, 'MEMBER') AS member", [role])[0]["member"]:
        raise UnsafeRoleError(
            f"The role {role} is a superuser, or it is or may become the owner of the tables, "
            "so it could change recorded rows. Choose another role."
        )
    schema = database.read("SELECT current_schema() AS name")[0]["name"]
    database.write(*((sql, ()) for sql in grants(role, schema)))
