"""Two PostgreSQL servers, one the replica of the other, synchronous or asynchronous."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg

from tests.support.postgres import Cluster
from tests.support.waiting import wait_until

_REPLICATES = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = %s AND state = 'streaming'"
_RECEIVES = "SELECT count(*) FROM pg_stat_wal_receiver"


class Pair:
    """A primary and its standby, which swap roles at a fail-over."""

    def __init__(self, primary: Cluster, standby: Cluster, *, synchronous: bool) -> None:
        self.primary = primary
        self.standby = standby
        self._synchronous = synchronous
        self._hosts = f"{primary.folder},{standby.folder}"

    @classmethod
    @contextmanager
    def temporary(cls, *, synchronous: bool = True) -> Iterator["Pair"]:
        """A replicating pair, which is removed at the end of the block."""
        with ExitStack() as stack:
            clusters = []
            for _ in range(2):
                clusters.append(Cluster.create(durable=True, owner=os.getpid()))
                stack.callback(clusters[-1].remove)
            pair = cls(*clusters, synchronous=synchronous)
            pair.primary.start()
            pair.replicate()
            yield pair

    def url(self, database: str) -> str:
        """The address of a database, which leads to the current primary."""
        return f"postgresql://postgres@/{database}?host={self._hosts}&target_session_attrs=read-write"

    def fresh_database(self) -> str:
        """The address of a new database."""
        name = psycopg.conninfo.conninfo_to_dict(self.primary.fresh_database())["dbname"]
        return self.url(str(name))

    def replicate(self) -> None:
        """Make the standby a new copy of the primary; if synchronous, every commit waits for it."""
        self.standby.follow(self.primary)
        self.standby.start()
        if self._synchronous:
            self.primary.alter("synchronous_standby_names", "*")
        state = "sync" if self._synchronous else "async"
        wait_until(lambda: _count(self.primary, _REPLICATES, state) == 1)

    def cut(self) -> None:
        """Disconnect the standby, which receives nothing that the primary commits from now on."""
        self.standby.alter("primary_conninfo", "")
        wait_until(lambda: _count(self.standby, _RECEIVES) == 0)

    def fail_over(self) -> None:
        """Kill the primary, as if its machine lost power, and promote the standby."""
        self.primary.crash()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary


def _count(cluster: Cluster, query: str, *values: str) -> int:
    with psycopg.connect(cluster.url()) as connection:
        row = connection.execute(query, values).fetchone()
        return row[0] if row is not None else 0
