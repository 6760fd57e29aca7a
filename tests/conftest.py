"""Fixtures and markers for all tests."""

import gc
import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from kontor_games.service.logging_setup import JsonLines
from tests.support.memory_disk import make_run_folder
from tests.support.migrated import MigratedDatabase
from tests.support.postgres import Cluster, SharedCluster, detach_servers
from tests.support.tracing import trace

# The same examples in every run, so that a failure is reproducible; `make fuzz` looks for new ones.
settings.register_profile(
    "kontor", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("kontor")

TESTS = Path(__file__).parent
QUICK = "not slow and not e2e"
"""The tests that `make quick` runs, as an expression of markers."""

SAME_MATCHES = "tests/domain/test_every_game_"
"""These files use the same played matches, so that one process runs them."""

RUN = pytest.StashKey[tuple[Path, int]]()
"""The folder that all processes of this run share, and the process that started it."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the modules of folders without a test for `make quick`."""
    if config.option.markexpr != QUICK or not collection_path.is_dir():
        return None
    return any(mark.name in ("e2e", "slow") for mark in folder_marks(collection_path)) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by folder and fixtures; put those that start servers first, and slow ones before quick ones.

    The processes of a run end together if only quick files come last.
    """
    for item in items:
        for mark in folder_marks(item.path.parent):
            item.add_marker(mark)
        fixtures = getattr(item, "fixturenames", ())
        if "postgresql" in item.name or any(
            re.match("postgres|(migrated_)?database_url$", name) for name in fixtures
        ):
            item.add_marker(pytest.mark.e2e)
        if "postgresql" in item.name and item.get_closest_marker("both_stores"):
            item.add_marker(pytest.mark.untraced)
    items.sort(key=lambda item: [item.get_closest_marker(name) is None for name in ("e2e", "slow")])


@cache
def folder_marks(folder: Path) -> tuple[pytest.MarkDecorator, ...]:
    """The marks that the `pytestmark` of a package of tests, or of one around it, gives to all its tests."""
    if not folder.is_relative_to(TESTS) or not (folder / "__init__.py").exists():
        return ()
    package = import_module(".".join(("tests", *folder.relative_to(TESTS).parts)))
    return (*getattr(package, "pytestmark", ()), *(() if folder == TESTS else folder_marks(folder.parent)))


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # collecting tests creates hardly any garbage
    given = getattr(config, "workerinput", None)
    if given is None:
        config.stash[RUN] = (make_run_folder(), os.getpid())
    else:
        config.stash[RUN] = (Path(given["run_folder"]), given["run_owner"])


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Stop the tracing that pytest-cov starts before it knows that this is a worker of pytest-xdist.

    It would continue whenever the tracing of the worker itself is paused, and its result is never read.
    """
    if hasattr(session.config, "workerinput"):
        trace(session.config, wanted=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Trace the imports in one process only, since all processes import the same modules."""
    config = session.config
    worker = getattr(config, "workerinput", {}).get("workerid")
    trace(config, wanted=worker == "gw0" or (worker is None and not config.getoption("numprocesses", None)))
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Trace a test with its fixtures, or neither."""
    trace(item.config, wanted=item.get_closest_marker("untraced") is None)
    return (yield)


@pytest.fixture(scope="session")
def stop_tracing(pytestconfig: pytest.Config) -> Callable[[], None]:
    """A function that ends the coverage of a test that only repeats the same lines from then on."""
    return lambda: trace(pytestconfig, wanted=False)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Enable garbage collection again, without the million objects of modules and tests, which stay."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Distribute whole files, and those with the same matches as if they were one."""
    from xdist.scheduler import LoadFileScheduling

    if config.getoption("dist") != "loadfile":
        return None
    scheduler = LoadFileScheduling(config, log)
    file_of = scheduler._split_scope
    scheduler._split_scope = lambda test: SAME_MATCHES if test.startswith(SAME_MATCHES) else file_of(test)
    return scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker of pytest-xdist the folder of the run."""
    folder, owner = node.config.stash[RUN]
    node.workerinput |= {"run_folder": str(folder), "run_owner": owner}


def pytest_unconfigure(config: pytest.Config) -> None:
    folder, owner = config.stash[RUN]
    if owner == os.getpid():
        SharedCluster(folder).remove()
        shutil.rmtree(folder, ignore_errors=True)
    detach_servers()


@pytest.fixture(autouse=True)
def _reset_log_target() -> Iterator[None]:
    """Reset the target, because the stream that captured a test's output is closed when the test ends."""
    yield
    JsonLines.target = None


@pytest.fixture(scope="session")
def postgres_cluster(pytestconfig: pytest.Config) -> Cluster:
    """The PostgreSQL server of this run; it does not wait for the disk."""
    folder, owner = pytestconfig.stash[RUN]
    return SharedCluster(folder).get(owner)


@pytest.fixture(scope="session")
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """The address of a database that the tests of one process share."""
    url = postgres_cluster.fresh_database()
    yield url
    postgres_cluster.drop_database(url)


@pytest.fixture(scope="session")
def _own_database(postgres_cluster: Cluster) -> Iterator[str]:
    url = postgres_cluster.fresh_database()
    yield url
    postgres_cluster.drop_database(url)


@pytest.fixture
def database_url(_own_database: str) -> Iterator[str]:
    """The address of an empty database for one test."""
    yield _own_database
    Cluster.empty_database(_own_database)


@pytest.fixture(scope="session")
def _migrated_database(postgres_cluster: Cluster) -> Iterator[MigratedDatabase]:
    database = MigratedDatabase(postgres_cluster)
    yield database
    postgres_cluster.drop_database(database.url)


@pytest.fixture
def migrated_database_url(_migrated_database: MigratedDatabase) -> Iterator[str]:
    """The address of a database for one test, with all tables and without rows."""
    yield _migrated_database.url
    _migrated_database.empty()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The one browser of this process: Playwright cannot be started twice."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser import launched

    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()
