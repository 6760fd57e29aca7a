"""Two PostgreSQL servers, one of them the synchronous replica of the other: what one has acknowledged, both have."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg

from tests.support.postgres import Cluster
from tests.support.waiting import wait_until

_REPLICATES = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"


class Pair:
    """A primary and its standby, which change their roles."""

    def __init__(self, primary: Cluster, standby: Cluster) -> None:
        self.primary = primary
        self.standby = standby
        self._hosts = f"{primary.folder},{standby.folder}"

    @classmethod
    @contextmanager
    def temporary(cls) -> Iterator["Pair"]:
        """A pair that replicates; removed at the end, whatever happens."""
        with ExitStack() as stack:
            clusters = []
            for _ in range(2):
                clusters.append(Cluster.create(durable=True, owner=os.getpid()))
                stack.callback(clusters[-1].remove)
            pair = cls(*clusters)
            pair.primary.start()
            pair.replicate()
            yield pair

    def url(self, database: str) -> str:
        """The address of a database, on whichever of the two is the primary."""
        return f"postgresql://postgres@/{database}?host={self._hosts}&target_session_attrs=read-write"

    def fresh_database(self) -> str:
        """The address of a new database."""
        name = psycopg.conninfo.conninfo_to_dict(self.primary.fresh_database())["dbname"]
        return self.url(str(name))

    def replicate(self) -> None:
        """Make a new copy of the primary, and let every commit wait for it."""
        self.standby.follow(self.primary)
        self.standby.start()
        self.primary.alter("synchronous_standby_names", "*")
        wait_until(self._replicates)

    def _replicates(self) -> bool:
        with psycopg.connect(self.primary.url()) as connection:
            row = connection.execute(_REPLICATES).fetchone()
            return row is not None and row[0] == 1

    def fail_over(self) -> None:
        """Kill the primary as a machine dies that loses power, and promote the standby."""
        self.primary.crash()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
