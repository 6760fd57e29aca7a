"""Backups of a whole database: written once, readable by their owner only, and checked before they count."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

from kontor_games.service.errors import OperatorError

SQLITE_MAGIC, POSTGRES_MAGIC = b"SQLite format 3\0", b"PGDMP"
_FACTS = "kontor_events"
_PAGES = 500
"""Pages of SQLite that are copied at once; in between, the service can write."""
Progress = Callable[[int, int], None]
"""Called with the pages done and the pages in all."""


class BackupError(OperatorError):
    """A backup cannot be made or restored; nothing was changed."""


@contextmanager
def _new_file(file: Path) -> Iterator[Path]:
    """Yield the path of a temporary file (mode 600) that becomes the file at the end, if that is new."""
    if file.exists():
        raise BackupError(f"{file} exists already: choose another name. Nothing was written.")
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        os.link(part, file)  # fails if the file exists by now
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def back_up_sqlite(database: Path, file: Path, progress: Progress) -> int:
    """Copy a database that may be in use; return the number of its entries."""
    with _new_file(file) as part:
        source = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=_PAGES, progress=lambda _, left, all_: progress(all_ - left, all_))
            copy.execute("PRAGMA journal_mode = DELETE")
        return check_sqlite_copy(part)


def check_sqlite_copy(file: Path) -> int:
    """Check the pages of a copy; return the number of entries; raise BackupError if it is damaged."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
            if (found := copy.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise BackupError(f"{file} is damaged: {found}.")
            return int(copy.execute(f"SELECT COUNT(*) FROM {_FACTS}").fetchone()[0])  # noqa: S608
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{file} is not a database of this service: {error}.") from error


def restore_sqlite(file: Path, database: Path, *, replace: bool) -> int:
    """Put a backup in the place of a database; return the number of its entries."""
    if database.exists() and not replace:
        raise BackupError(f"There is a database at {database} already: stop the service, then use --replace.")
    entries = check_sqlite_copy(file)
    part = database.with_name(f".{database.name}.{os.getpid()}.part")
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        with file.open("rb") as source, open(part, "xb", opener=_private) as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        for rest in ("-wal", "-shm"):
            database.with_name(database.name + rest).unlink(missing_ok=True)
        part.replace(database)
    except OSError as error:
        raise BackupError(f"{database} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return entries


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def back_up_postgres(url: str, file: Path) -> None:
    """Dump a database in a consistent state with pg_dump, also while it is in use."""
    with _new_file(file) as part:
        _run("pg_dump", url, "--format=custom", f"--file={part}")
        _check_dump(part, url)


def _check_dump(file: Path, url: str) -> None:
    """Read the whole dump, and check that it has the facts."""
    _run("pg_restore", url, f"--file={os.devnull}", str(file))
    if f"TABLE DATA {_schema(url)} {_FACTS} " not in _run("pg_restore", url, "--list", str(file)):
        raise BackupError("The dump does not have the tables of this service.")


def restore_postgres(file: Path, url: str, *, replace: bool) -> None:
    """Restore a dump in one transaction into an empty database or, with `replace`, over one of ours."""
    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        row = connection.execute(query).fetchone()
    if row is None or (row[0] and not replace):
        raise BackupError(
            "The database is not empty. Create an empty one (the owner needs CREATEDB: `createdb NAME`) and"
            " name it with --database, or stop the service and use --replace."
        )
    _check_dump(file, url)
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    name = str(conninfo_to_dict(url).get("dbname", ""))
    clean = ["--clean", "--if-exists"] if replace else []
    _run("pg_restore", url, *options, *clean, f"--dbname={name}", str(file))


def _schema(url: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_schema()").fetchone()
    return str(row[0]) if row else ""


def _run(program: str, url: str, *arguments: str) -> str:
    """Run a program of PostgreSQL; the connection, with its password, is passed in the environment."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"{program} was not found: install the client programs of PostgreSQL of the same"
                          " release as the server (Debian: apt install postgresql-client).")  # fmt: skip
    names = {one.keyword.decode(): one.envvar.decode() for one in pq.Conninfo.get_defaults() if one.envvar}
    given = conninfo_to_dict(url)
    connection = {names[key]: str(value) for key, value in given.items() if key in names}
    done = subprocess.run(  # noqa: S603  # found in the PATH of the operator
        [found, *arguments], env={**os.environ, **connection}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip() or done.returncode}")
    return done.stdout
