"""Pages and dialogs as screen readers find them."""

from playwright.sync_api import Browser

from tests.web.trees import kept, trees


def test_the_accessibility_trees_of_pages_and_dialogs_are_the_stored_ones(browser: Browser, url: str) -> None:
    assert dict(trees(browser, url)) == kept(), "python -m tests.web.trees accepts the change"
