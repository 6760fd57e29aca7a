"""One service for all tests of the page that a process runs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from kontor_games.domain.games import installed_games
from tests.support.npm import PAGE
from tests.support.serving import served
from tests.web.browser import Visitor, visiting
from tests.web.matches import ApiPlayer


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a service in a process of its own."""
    folder = tmp_path_factory.mktemp("page")
    with served(f"sqlite:///{folder}/kontor.db", workers=1) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def visitor(browser: Browser, url: str) -> Iterator[Visitor]:
    with visiting(browser, url) as one:
        yield one


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Callable[..., Visitor]]:
    """Return a function that opens further browser profiles."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(visiting(browser, url, **options))


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder of node modules."""
    return PAGE.install()


@pytest.fixture(scope="session")
def ada(url: str) -> ApiPlayer:
    """A player who creates matches through the API."""
    return ApiPlayer(url).register("Ada")


@pytest.fixture(scope="session")
def finished(ada: ApiPlayer) -> dict[str, str]:
    """A finished match of each game."""
    return {game: ada.play_bot_match(game) for game in sorted(installed_games())}
