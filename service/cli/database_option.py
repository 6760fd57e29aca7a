"""The option --database, and how commands open the database that it or the settings name."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click
from eventsourcing.persistence import ProgrammingError

from kontor_games.service.errors import ServiceError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.requirements import check_database

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
    parts = urlsplit(settings.database_url)
    return f"{parts.path.strip('/')} on the PostgreSQL server {parts.hostname or 'at a local socket'}"


@contextmanager
def connected(settings: Settings) -> Iterator[Kontor]:
    """Open the database without starting any thread; errors end the command with a message."""
    try:
        with closing(Kontor(settings)) as kontor:
            yield kontor
    except ServiceError as error:
        # SQLite reports a missing table and a missing file in the same way.
        missing, away = "no such table" in str(error.__cause__), isinstance(error, UnavailableError)
        message = f"The database {database_name(settings)} cannot be reached." if away else error.detail
        raise click.ClickException(_NO_TABLES if missing else message) from error
    except ProgrammingError as error:
        raise click.ClickException(_NO_TABLES) from error
    except (OSError, DatabaseError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.ClickException(
            f"The database {database_name(settings)} cannot be opened: {reason}."
        ) from error


def open_database(url: str | None) -> AbstractContextManager[Kontor]:
    """Open an existing database without starting any thread."""
    return connected(read_settings_of_existing(url))


def create_tables(settings: Settings) -> str:
    """Create or update the tables; return the name of the database, and whether it was created now."""
    name = f"{database_name(settings)}{' (created now)' if is_new(settings) else ''}"
    with connected(settings) as kontor:
        check_database(settings)
        kontor.migrate()
    return name


def format_time(ms: int) -> str:
    """Format milliseconds since 1970 as date and time in UTC; 0 becomes `the beginning`."""
    if not ms:
        return "the beginning"
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
