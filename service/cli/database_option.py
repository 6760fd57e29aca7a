"""How the commands of operators reach a database: the one that the settings name, or the one on the command line."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from eventsourcing.persistence import ProgrammingError

from kontor_games.service.errors import ServiceError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings, SettingsError

F = TypeVar("F", bound=Callable[..., Any])
_SQLITE = "sqlite:///"
_NO_TABLES = "The database does not have the tables of this service; `kontor migrate` creates them."

database_option: Callable[[F], F] = click.option(
    "--database", "url", metavar="URL", help="sqlite:///file.db or postgresql://…; default: KONTOR_DATABASE_URL."
)


@contextmanager
def opened(url: str | None) -> Iterator[Kontor]:
    """The service on its database, without its threads; whatever is in the way is said in a sentence."""
    kontor = Kontor(_settings(url))
    try:
        yield kontor
    except ServiceError as error:
        # To SQLite a table that is missing is as bad as a file that is.
        raise click.ClickException(_NO_TABLES if "no such table" in str(error.__cause__) else error.detail) from error
    except ProgrammingError as error:
        raise click.ClickException(_NO_TABLES) from error
    finally:
        kontor.close()


def _settings(url: str | None) -> Settings:
    environ = {**os.environ, **({} if url is None else {"KONTOR_DATABASE_URL": url})}
    try:
        settings = Settings.from_environ(environ)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    path = settings.database_url.removeprefix(_SQLITE)
    if settings.database_url.startswith(_SQLITE) and not Path(path).is_file():
        # To open it would make an empty one, in which nothing could be wrong.
        raise click.ClickException(f"There is no database at {path}. Name one with --database or KONTOR_DATABASE_URL.")
    return settings


def moment(ms: int) -> str:
    """Milliseconds since 1970 for people."""
    return "the beginning" if not ms else datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
