"""One service and one browser for all tests of the page that a process runs."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from kontor_games.domain.games import installed_games
from tests.support.serving import served
from tests.web.browser import TOOLS, Visitor, launched, visiting
from tests.web.matches import Service

PACKAGES = ("typescript@7.0.2", "axe-core@4.14.0")
"""What the tests of the page take from npm, at fixed versions."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that is served for real."""
    folder = tmp_path_factory.mktemp("page")
    with served(f"sqlite:///{folder}/kontor.db", workers=1) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def visitor(browser: Browser, url: str) -> Iterator[Visitor]:
    with visiting(browser, url) as one:
        yield one


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Callable[..., Visitor]]:
    """Opens as many browser profiles as a test needs."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(visiting(browser, url, **options))


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder of node modules, filled by npm once; other processes wait until it is complete."""
    TOOLS.mkdir(parents=True, exist_ok=True)
    complete, wanted = TOOLS / "complete", "\n".join(PACKAGES)
    with (TOOLS / "lock").open("w", encoding="utf-8") as lock:
        flock(lock, LOCK_EX)
        if not complete.exists() or complete.read_text(encoding="utf-8") != wanted:
            command: list[Any] = [
                "npm",
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
            ]
            subprocess.run([*command, *PACKAGES], cwd=TOOLS, check=True, timeout=300, capture_output=True)
            complete.write_text(wanted, encoding="utf-8")
    return TOOLS / "node_modules"


@pytest.fixture(scope="session")
def ada(url: str) -> Service:
    """Somebody who makes matches through the API."""
    return Service(url).registered("Ada")


@pytest.fixture(scope="session")
def finished(ada: Service) -> dict[str, str]:
    """A finished match of each game."""
    return {game: ada.played_by_bots(game) for game in sorted(installed_games())}
