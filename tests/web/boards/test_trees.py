"""Both boards as screen readers find them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.boards.harness import harness
from tests.web.boards.positions import MATCHES
from tests.web.boards.trees import kept, trees
from tests.web.browser import visiting


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with harness() as found:
        yield found


@pytest.mark.parametrize("game", MATCHES)
def test_the_accessibility_trees_of_a_board_are_the_stored_ones(
    browser: Browser, address: str, game: str
) -> None:
    with visiting(browser, address.rstrip("/")) as visitor:
        visitor.page.goto(address)
        visitor.page.wait_for_function("() => Boolean(window.show)")
        assert trees(visitor.page, game) == kept(game), "python -m tests.web.boards.trees accepts the change"
