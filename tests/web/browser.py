"""A browser where console errors, uncaught exceptions and violations of the security policy are failures."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect

PATIENCE_MS = 180_000
"""The timeout of all waits; only a failing test waits so long."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell first: it opens a new profile in a quarter of the time."""
AT_ONCE = """try { localStorage["kontor.settings"] ??= '{"pace":"instant"}'; } catch {}"""
"""Tests do not wait until the moves of others are shown; those of the queue itself set another pace."""
WATCHED = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(event.violatedDirective + " " + event.blockedURI));
"""

expect.set_options(timeout=PATIENCE_MS)


def launched(playwright: Playwright) -> Browser:
    """Start the browser that `tests/support/bring` has installed, or another installed one."""
    found = next(path for path in map(shutil.which, NAMES) if path)
    return playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])


class Visitor:
    """A browser profile with one page; records console errors, exceptions and policy violations."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.faults: list[str] = []
        self.expected: list[str] = []
        """Parts of console messages that the test provokes, such as a refused request."""
        self.context: BrowserContext = browser.new_context(**{"locale": "en-GB", **options})
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(WATCHED)
        self.context.add_init_script(AT_ONCE)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text} {message.location.get('url', '')}")

    def open(self, address: str = "") -> Page:
        """Open an address of the page and wait until it is drawn."""
        self.page.goto(f"{self.url}/{address}")
        self.wait_for_heading()
        return self.page

    def wait_for_heading(self) -> None:
        """Wait until the page shows its heading."""
        expect(self.page.locator("main:not([aria-busy=true]) h1").first).to_be_visible()

    def close(self) -> None:
        """Close the profile; fail if there were unexpected faults."""
        violations = self.page.evaluate("window.violations") if not self.page.is_closed() else []
        # a route handler that outlives its page would fail in the next test
        for routed in (self.context,) if self.page.is_closed() else (self.page, self.context):
            routed.unroute_all(behavior="ignoreErrors")
        self.context.close()
        unexpected = [
            fault for fault in self.faults if not any(re.search(part, fault) for part in self.expected)
        ]
        assert (unexpected, violations) == ([], []), unexpected


@contextmanager
def visiting(browser: Browser, url: str, **options: Any) -> Iterator[Visitor]:
    """Open a browser profile until the end of the block, and check it for faults."""
    visitor = Visitor(browser, url, **options)
    try:
        yield visitor
    except BaseException:
        visitor.context.close()
        raise
    visitor.close()
