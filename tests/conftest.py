"""Fixtures and markers for all tests."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
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

E2E = (
    *("attacks", "bench", "chaos", "client", "deploy", "journeys", "packaging", "web"),
    *("api/test_fuzz.py", "api/test_serve.py", "service/arena/test_cluster.py", "support/test_postgres.py"),
    *(f"service/cli/commands/test_{name}.py" for name in ("audit", "simulate", "witness")),
)
"""Tests that start servers or other programs, as paths below tests/. All tests with PostgreSQL count too."""
SLOW = (
    "test_corpus.py",
    "api/test_access.py",
    "api/test_two_worlds.py",
    "api/test_whole_match.py",
    "domain/games",
    "domain/test_every_game_in_play.py",
    "domain/test_every_game_keeps_secrets.py",
    "domain/test_every_game_legality.py",
    "domain/test_every_game_view_schemas.py",
    "domain/test_position_games.py",
    "service/store/test_crash.py",
    "service/test_rule_change.py",
    "service/tournaments/test_exports.py",
    "service/tournaments/test_kills.py",
    "service/trust",
    "simulation",
)
"""Tests of many positions, whole matches or hundreds of requests, as paths below tests/.

Single tests of other files have the marker `slow`."""
WALKS = (
    "test_corpus.py",
    "test_project.py",
    *("attacks", "chaos", "client", "deploy", "journeys", "packaging", "web"),
    "domain/games/europe/test_derived.py",
    "domain/games/europe/test_fairness.py",
    "domain/games/europe/test_invariants.py",
    "domain/games/europe/test_listing.py",
    "domain/games/europe/test_replay.py",
    "domain/games/europe/test_secrets.py",
    "domain/games/europe/test_svg.py",
    "domain/games/europe/test_versions.py",
    "domain/games/speicherstadt/test_bots.py",
    "domain/games/speicherstadt/test_invariants.py",
    "domain/games/speicherstadt/test_legality.py",
    "domain/games/speicherstadt/test_replay.py",
    "domain/games/speicherstadt/test_version_2.py",
    "domain/test_draws_document.py",
    "domain/test_every_game.py",
    "domain/test_every_game_in_play.py",
    "domain/test_every_game_keeps_secrets.py",
    "domain/test_every_game_legality.py",
    "domain/test_every_game_view_schemas.py",
    "domain/test_export.py",
    "domain/test_house_bots.py",
    "domain/test_position_games.py",
    "api/test_access.py",
    "api/test_contract.py",
    "api/test_fuzz.py",
    "api/test_two_worlds.py",
    "api/test_whole_match.py",
    "bench",
    "service/test_rule_change.py",
    "service/tournaments/test_intervals.py",
    "service/tournaments/test_kills.py",
    "service/trust/test_forgeries.py",
    "service/trust/test_verifier_flips.py",
    "service/trust/test_verifier_javascript",
    "simulation",
)
"""Tests without coverage: it makes them three times as slow, and other tests run the same lines."""

SAMPLED = (
    "domain/games/europe/test_invariants.py",
    "domain/games/europe/test_secrets.py",
    "domain/games/europe/test_versions.py",
    "domain/test_every_game",
    "domain/test_position_games.py",
    "service/tournaments/test_exports.py",
)
"""Tests that run a sample of their cases (`tests/support/walks.py`); `make walks` runs all cases."""

BOTH_STORES = tuple(f"service/{name}/" for name in ("matches", "people", "ratings", "seeks", "tournaments"))
"""Tests that run on both stores; on PostgreSQL without coverage, because the code is the same."""

FIRST = (
    "web/test_playing.py",
    "journeys",
    "packaging",
    "deploy",
    "api/test_fuzz.py",
    "api/test_two_worlds.py",
    "service/tournaments",
    "web",
    "simulation",
    "chaos",
    "attacks",
    "client",
    "service/arena",
    "test_corpus.py",
    "domain/test_every_game",
    "domain/games",
    "service/trust",
    "bench",
    "api/test_access.py",
    "api/test_database_unavailable.py",
    "api/test_whole_match.py",
)
"""The slow tests, slowest first: the processes of a run end together if only quick files come last."""

TESTS = Path(__file__).parent
QUICK = "not slow and not e2e"
"""The tests that `make quick` runs, as an expression of markers."""

RUN = pytest.StashKey[tuple[Path, int]]()
"""The folder that all processes of this run share, and the process that started it."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import modules without a test for `make quick`: they are half of all modules."""
    if config.option.markexpr != QUICK or not collection_path.is_relative_to(TESTS):
        return None
    return collection_path.relative_to(TESTS).as_posix().startswith((*E2E, *SLOW)) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` or coverage exclude; move slow tests to the front."""
    items.sort(key=lambda item: _place(_path(item)))
    for item in items:
        path = _path(item)
        fixtures = getattr(item, "fixturenames", ())
        needs_server = "postgresql" in item.name or any(name.startswith("postgres") for name in fixtures)
        if path.startswith(E2E) or needs_server or any(name.endswith("database_url") for name in fixtures):
            item.add_marker(pytest.mark.e2e)
        if path.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if path.startswith(SAMPLED):
            item.add_marker(pytest.mark.sampled)
        if path.startswith(WALKS) or (path.startswith(BOTH_STORES) and "postgresql" in item.name):
            item.add_marker(pytest.mark.untraced)


def _path(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0].removeprefix("tests/")


def _place(path: str) -> int:
    return next((place for place, start in enumerate(FIRST) if path.startswith(start)), len(FIRST))


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
