"""A PostgreSQL database with all tables of the service, which is emptied after each test.

Creating the tables takes longer than most tests, so they stay; only the rows are removed.
"""

from contextlib import suppress

import psycopg
from psycopg import sql

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.support.postgres import Cluster

WATCH = """
CREATE SCHEMA watch;
CREATE TABLE watch.changes (command TEXT);
CREATE FUNCTION watch.note_change() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands()) THEN
        INSERT INTO watch.changes VALUES (tg_tag);
    END IF;
END $$;
CREATE FUNCTION watch.note_drop() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO watch.changes VALUES (tg_tag);
END $$;
CREATE EVENT TRIGGER changed ON ddl_command_end EXECUTE FUNCTION watch.note_change();
CREATE EVENT TRIGGER dropped ON sql_drop EXECUTE FUNCTION watch.note_drop();
"""
"""Records every change of tables, indexes, functions and privileges; `IF NOT EXISTS` may be no change."""
UNWATCH = "DROP EVENT TRIGGER changed; DROP EVENT TRIGGER dropped; DROP SCHEMA watch CASCADE"
WRITTEN = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
"""
"""Tables with rows, including deleted rows and rows of transactions that were rolled back."""
SEQUENCES = """
SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences
WHERE schemaname = 'public' AND last_value IS NOT NULL
"""


ATTEMPTS = 10


def migrate_with_retries(kontor: Kontor) -> None:
    """Create the tables; retry, since the first connection on a busy machine can time out."""
    for _ in range(ATTEMPTS):
        with suppress(UnavailableError):
            kontor.migrate()
            return
    kontor.migrate()


class MigratedDatabase:
    """A database in which `kontor migrate` has run, without rows."""

    def __init__(self, cluster: Cluster) -> None:
        self.url = cluster.fresh_database()
        self._migrate()

    def empty(self) -> None:
        """Disconnect everybody, remove all rows, reset sequences; recreate all tables if any was changed."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            Cluster.disconnect_others(connection)
            changed = connection.execute("SELECT FROM watch.changes LIMIT 1").fetchone() is not None
            if not changed:
                self._remove_rows(connection)
                return
            connection.execute(UNWATCH)
        Cluster.empty_database(self.url)
        self._migrate()

    def _migrate(self) -> None:
        kontor = Kontor(Settings(database_url=self.url))
        migrate_with_retries(kontor)
        kontor.close()
        with psycopg.connect(self.url, autocommit=True) as connection:
            self._remove_rows(connection)
            connection.execute(WATCH)

    @staticmethod
    def _remove_rows(connection: psycopg.Connection) -> None:
        if written := [sql.Identifier("public", name) for (name,) in connection.execute(WRITTEN)]:
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(written)))
        connection.execute(SEQUENCES)
