"""The tables of evidence, to which the service only appends, and how the database enforces that.

On PostgreSQL the service connects as a role without the right to UPDATE or DELETE there; a migration by
the owner of the tables sets the role up. On SQLite triggers refuse both. Triggers prevent accidents, but not
manipulation: anyone who may write to the file can drop them.
"""

from kontor_games.service.errors import OperatorError
from kontor_games.service.store.database import Database

EVIDENCE = (
    "kontor_events", "log_leaves", "log_tiles", "log_checkpoints", "log_cosignatures", "signing_keys",
)  # fmt: skip
"""Facts, checkpoints and keys: rows that are never changed."""
_PROTECTED_COLUMNS = {"signing_keys": " OF id, public_key, created_at"}
"""Tables of which SQLite protects only these columns: a private key can be moved out of the database."""


class UnsafeRoleError(OperatorError):
    """The role could change the evidence."""


def evidence_triggers() -> list[str]:
    """Return the statements that make SQLite refuse UPDATE and DELETE on evidence."""
    return [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{change.lower()} BEFORE {change}{columns} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'rows of {table} are evidence and never changed'); END"
        for table in EVIDENCE
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
    """Return the statements that grant a role the service's rights: no UPDATE or DELETE on evidence."""
    quoted = f'"{schema}"'
    return [
        f'GRANT USAGE ON SCHEMA {quoted} TO "{role}"',
        f'REVOKE ALL ON ALL TABLES IN SCHEMA {quoted} FROM "{role}"',
        f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {quoted} TO "{role}"',
        f'REVOKE UPDATE, DELETE ON {", ".join(EVIDENCE)} FROM "{role}"',
        f'GRANT USAGE ON ALL SEQUENCES IN SCHEMA {quoted} TO "{role}"',
    ]


def set_up_role(database: Database, role: str, password: str | None) -> None:
    """Create the role if it is missing, and set its rights; raise UnsafeRoleError if it has more."""
    if not database.is_postgres:
        raise UnsafeRoleError("SQLite has no roles: a role can be set up only in a PostgreSQL database.")
    database.write(*((sql, ()) for sql in create_role(role, password)))
    if database.read("SELECT pg_has_role(?, current_user, 'MEMBER') AS member", [role])[0]["member"]:
        raise UnsafeRoleError(
            f"The role {role} is a superuser, or it is or may become the owner of the tables, "
            "so it could change evidence. Choose another role."
        )
    schema = database.read("SELECT current_schema() AS name")[0]["name"]
    database.write(*((sql, ()) for sql in grants(role, schema)))
