"""Guests at the page, each with a browser of their own; what one saw is printed if something fails."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.web.browser import Visitor, visiting
from tests.web.matches import ASKED_OR_SENT, ApiPlayer
from tests.web.test_playing import MOVES, MousePlayer

ACCOUNT = "JSON.parse(localStorage['kontor.account'])"
ASKED = f"""() => document.querySelector('{MOVES}')
  && document.querySelector('.status-line').innerText.includes('your turn')"""
KINDS = ("grain", "lumber", "ore", "salt", "wool", "gold")


class Guest(MousePlayer):
    """Somebody at the page without an account, who confirms moves with the mouse."""

    def start(self, visitor: Visitor, game: str) -> None:
        visitor.open(game)

    @cached_property
    def account(self) -> dict[str, str]:
        """The guest account that the page has created."""
        return dict(self.page.evaluate(ACCOUNT))

    @cached_property
    def api(self) -> ApiPlayer:
        """The same player at the API."""
        return ApiPlayer(self.page.url.partition("/#")[0], self.account["token"])

    @property
    def match(self) -> dict[str, Any]:
        """The match on the page, as the API shows it to this player."""
        return dict(self.api.get(f"/v1/matches/{self.page.url.rpartition('/')[2]}"))

    @property
    def hand(self) -> dict[str, int]:
        """The cards and the gold of this player that can be traded."""
        match = self.match
        own = match["view"]["players"][match["you"]]
        return {"gold": own["gold"], **own["resources"]}

    def press(self, name: str, inside: Locator | None = None) -> None:
        """Press a button."""
        (inside or self.page).get_by_role("button", name=name, exact=True).first.click()

    def confirm(self) -> None:
        """Confirm the chosen move if the page asks for it; the focus must not be lost."""
        if self.page.wait_for_function(ASKED_OR_SENT).json_value() == "asked":
            expect(self.page.locator("#confirm")).to_be_focused()
            self.page.keyboard.press("Enter")
        expect(self.page.locator(".confirm")).to_have_count(0)
        assert self.page.evaluate("document.activeElement !== document.body"), "the focus is lost"

    def is_asked(self) -> bool:
        """Whether the page says that it is this player's turn, and takes a move."""
        return bool(self.page.evaluate(ASKED))

    def propose(self, button: str, give: dict[str, int], want: dict[str, int], without: str = "") -> None:
        """Fill in the dialog that `button` opens, and confirm the offer; it does not go to `without`."""
        self.press(button)
        dialog = self.page.get_by_role("dialog")
        for legend, terms in (("You give", give), ("You get", want)):
            side = dialog.get_by_role("group", name=legend, exact=True)
            for kind, count in terms.items():
                for _ in range(count):
                    side.get_by_role("button", name=f"More {kind}").click()
        if without:
            dialog.get_by_role("checkbox", name=without).uncheck()
        expect(dialog).not_to_contain_text("free seat")
        self.press("Make this offer", dialog)
        expect(self.page.locator("#confirm-title")).to_have_text(re.compile(r"^Offer .*\b1 \w+ for "))
        self.confirm()


@contextmanager
def guest(browser: Browser, url: str, address: str) -> Iterator[Guest]:
    """Open the page as a new guest; if the block fails, print what the guest saw."""
    with visiting(browser, url) as visitor:
        someone = Guest(visitor, address)
        try:
            yield someone
        except BaseException:
            print(f"\n--- {visitor.page.url}\n{visitor.page.locator('body').inner_text()}\n")  # noqa: T201
            raise
