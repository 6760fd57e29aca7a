"""The installation of the journeys: PostgreSQL, two nodes, two workers and nginx, with the default limits.

The service connects as a role that can only append to evidence, and has no settings but those of an operator.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.client.service import KONTOR
from tests.support.installation import Installation, LimitedService, installed
from tests.support.postgres import Cluster, find_binaries
from tests.support.push_receiver import Browser, PushService, push_service
from tests.support.shell import Shell
from tests.web.matches import ApiPlayer

MIGRATE = (
    'KONTOR_SERVICE_PASSWORD=$SERVICE_PASSWORD kontor migrate --role kontor_service --database "$OWNER_URL"'
)
"""RUNBOOK, Who can change evidence: tables and role, at the start and at each upgrade."""


@dataclass
class Away:
    """A player whose device is to be called, and the match to which somebody has invited them."""

    player: ApiPlayer
    browser: Browser
    push_key: str
    match: str


@dataclass
class Site:
    """An installation, the shell of its operator, and the folder in which its users have theirs."""

    installation: Installation
    operator: Shell
    owner_url: str
    """The database as its owner, whom the service is not."""
    cluster: Cluster
    push: PushService
    folder: Path
    matches: dict[str, list[str]] = field(default_factory=dict)
    """The matches that the journeys leave behind, by journey."""
    users: dict[str, Shell] = field(default_factory=dict)
    """The shells of users who come back in a later journey."""
    away: Away | None = None

    @property
    def url(self) -> str:
        """The address of the proxy, which everybody uses."""
        return self.installation.url

    def user(self, name: str, **environment: str) -> Shell:
        """Return the shell of a new user, whose home is an empty folder."""
        home = self.folder / name
        home.mkdir()
        return Shell(home, {**_environment(home), "KONTOR_URL": self.url, **environment}, self.operator.port)


def _environment(home: Path) -> dict[str, str]:
    programs = os.pathsep.join([str(KONTOR.parent), str(find_binaries()), os.environ["PATH"]])
    return {"PATH": programs, "HOME": str(home), "COLUMNS": "120", "LANG": "C.UTF-8"}


@contextmanager
def new_site(folder: Path) -> Iterator[Site]:
    """Set up an installation; everything is stopped and removed at the end."""
    with Cluster.temporary(durable=True) as cluster, push_service() as push:
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE kontor LOGIN CREATEROLE CREATEDB")
            connection.execute("CREATE DATABASE kontor OWNER kontor TEMPLATE template0 ENCODING 'UTF8'")
        password, host = secrets.token_hex(24), f"?host={cluster.folder}"
        owner_url = f"postgresql://kontor@/kontor{host}"
        service_url = f"postgresql://kontor_service:{password}@/kontor{host}"
        settings = {"KONTOR_SECRET_KEY": secrets.token_hex(32), "KONTOR_LOG_ORIGIN": "kontor.example/v1/log"}
        settings |= {"KONTOR_PUBLIC_URL": "https://kontor.example", "KONTOR_PUSH_HOSTS": push.host}
        home = folder / "operator"
        home.mkdir()
        operator = Shell(home, {**_environment(home), **settings, "KONTOR_DATABASE_URL": service_url}, 0)
        operator.environment |= {"SERVICE_PASSWORD": password, "OWNER_URL": owner_url}
        operator.run(MIGRATE)
        with installed(folder, service_url, LimitedService, **settings) as installation:
            operator.port = urlsplit(installation.url).port or 0
            operator.environment |= {"KONTOR_URL": installation.url, "KONTOR_TRUST_PROXY": "1"}
            yield Site(installation, operator, owner_url, cluster, push, folder)
