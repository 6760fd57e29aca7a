"""The option --database, and how commands open the database that it or the settings name."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any, TypeVar

import click
from eventsourcing.persistence import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import InsufficientPrivilege, UndefinedColumn, UndefinedTable

from kontor_games.service.errors import ServiceError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.requirements import (
    check_database,
    server_name,
    wait_for_database,
    why_unreachable,
)

F = TypeVar("F", bound=Callable[..., Any])
_NO_TABLES = "The database does not have the tables of this service; `kontor migrate` creates them."
_MAKE_SERVE_DATABASE = Path("var/kontor.db")
"""Where `make serve` keeps its database."""

database_option: Callable[[F], F] = click.option(
    "--database",
    "url",
    metavar="URL",
    help="sqlite:///file.db or postgresql://…; default: KONTOR_DATABASE_URL,"
    " or the SQLite file ~/.local/state/kontor/kontor.db.",
)


def read_settings(url: str | None, **more: str) -> Settings:
    """Return the settings from the environment; `url`, if given, and `more` override them."""
    given = more if url is None else {**more, "KONTOR_DATABASE_URL": url}
    return Settings.from_environ({**os.environ, **given})


def read_settings_of_existing(url: str | None) -> Settings:
    """Return the settings, or raise if the SQLite file is missing: opening it would create an empty one."""
    settings = read_settings(url)
    if is_new(settings):
        there = f" There is one in this folder: --database sqlite:///{_MAKE_SERVE_DATABASE}"
        here = there if _MAKE_SERVE_DATABASE.is_file() else ""
        raise click.ClickException(
            f"There is no database at {settings.sqlite_path}."
            f" Name one with --database or KONTOR_DATABASE_URL.{here}"
        )
    return settings


def is_new(settings: Settings) -> bool:
    """Return whether the database is a SQLite file that does not exist yet."""
    return settings.sqlite_path is not None and not settings.sqlite_path.is_file()


def database_name(settings: Settings) -> str:
    """Return the name of the database for messages, without its password."""
    if settings.sqlite_path is not None:
        return str(settings.sqlite_path.absolute())
    return server_name(settings.database_url)


@contextmanager
def connected(settings: Settings) -> Iterator[Kontor]:
    """Open the database without starting any thread; errors end the command with a message."""
    try:
        with closing(Kontor(settings)) as kontor:
            yield kontor
    except ServiceError as error:
        # SQLite reports a missing table and a missing file in the same way.
        missing, away = "no such table" in str(error.__cause__), _is_away(error)
        message = _why_away(settings) if away else error.detail
        raise click.ClickException(_NO_TABLES if missing else message) from error
    except ProgrammingError as error:
        raise click.ClickException(_missing_or_denied(error, settings)) from error
    except (OSError, DatabaseError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.ClickException(
            f"The database {database_name(settings)} cannot be opened: {reason}."
        ) from error


def _is_away(error: ServiceError) -> bool:
    """Whether the database is unavailable, and not for instance the signing key."""
    return isinstance(error, UnavailableError) and error.__cause__ is not None


def _why_away(settings: Settings) -> str:
    if settings.sqlite_path is not None:
        return f"The database {database_name(settings)} cannot be reached."
    return why_unreachable(settings)


def _missing_or_denied(error: ProgrammingError, settings: Settings) -> str:
    """Say whether a table is missing or a right, and what to do about it."""
    cause = error.__cause__
    if isinstance(cause, InsufficientPrivilege):
        user = conninfo_to_dict(settings.database_url).get("user") or "of this connection"
        return (
            f"The role {user} lacks a right: {str(cause).splitlines()[0]}. Use the owner of the tables for"
            " this, or have the owner run `kontor migrate --role` for the role of the service"
            " (deploy/RUNBOOK.md, Who can change evidence)."
        )
    if isinstance(cause, UndefinedTable | UndefinedColumn) or "no such" in str(error):
        return _NO_TABLES
    return f"The database refused a statement: {str(cause or error).splitlines()[0]}."


def open_database(url: str | None) -> AbstractContextManager[Kontor]:
    """Open an existing database without starting any thread."""
    return connected(read_settings_of_existing(url))


def create_tables(settings: Settings, *, waits: bool = False) -> str:
    """Create or update the tables; return the name of the database, and whether it was created now."""
    name = f"{database_name(settings)}{' (created now)' if is_new(settings) else ''}"
    with connected(settings) as kontor:
        (wait_for_database if waits else check_database)(settings)
        kontor.migrate()
    return name
