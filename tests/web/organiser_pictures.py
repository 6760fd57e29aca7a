"""Regenerates the pictures in docs/organisers.md: `python -m tests.web.organiser_pictures`.

An organiser runs a small tournament in the page, from the announcement to the check; entrants use the API.
"""

import re
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from tests.support.serving import served
from tests.web.browser import Visitor, launched
from tests.web.matches import ApiPlayer

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
Picture = Callable[[str, str], None]
"""Takes a picture with a name, with the part that a selector finds at its top."""


def organise_on_the_page(page: Page, entrants: list[ApiPlayer], picture: Picture) -> str:
    """Announce, open, start, decide, hear a protest, sign and check; return the id of the tournament."""
    page.get_by_label("Title").fill("Harbour cup")
    page.get_by_role("radio", name="The Speicherstadt").check()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_label("Rounds").fill("1")
    picture("announce", "h1")
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("button", name="Open for entries").click()
    expect(page.locator(".status-line")).to_have_text("Entry is open.")
    tournament = page.url.rpartition("/")[2]
    path = f"/v1/tournaments/{tournament}"
    for one in entrants:
        one.post(f"{path}/entrants")
    expect(page.locator(".entrants li")).to_have_count(len(entrants))
    picture("open", "h1")
    page.get_by_role("button", name="Start the tournament").click()
    decide = page.get_by_role("button", name=re.compile("^Decide the result"))
    expect(decide).to_have_count(len(entrants) // 2)
    for number in range(len(entrants) // 2):
        decide.nth(number).click()
        page.get_by_label("Reason").fill("The power failed; both agreed.")
        if number == 0:
            picture("ruling", ".organising")
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator(".decisions li")).to_have_count(number + 1)
    sign = page.get_by_role("button", name="Sign off the standings")
    expect(sign).to_be_visible()
    entrants[0].post(f"{path}/protests", {"why": "I had agreed to a draw, not to a loss."})
    for one in entrants:
        one.post(f"{path}/acknowledgements")
    page.get_by_label(re.compile("protests", re.IGNORECASE)).check()
    expect(page.get_by_text("I had agreed to a draw")).to_be_visible()
    picture("protests", "h1")
    sign.click()
    expect(page.locator(".status-line")).to_have_text("Final standings, signed (edition 1).")
    page.get_by_role("link", name="Check the tournament").click()
    expect(page.locator(".verdict")).to_contain_text("Everything that can be checked here is right.")
    picture("check", "h1")
    return tournament


def main() -> None:
    """Write the pictures to docs/screenshots."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        playwright = stack.enter_context(sync_playwright())
        server = stack.enter_context(served(f"sqlite:///{folder}/kontor.db", workers=1))
        url = f"http://127.0.0.1:{server.port}"
        settings: dict[str, Any] = {"viewport": {"width": 900, "height": 760}}
        page = Visitor(launched(playwright), url, **settings).open("#/tournaments/new")

        def picture(name: str, top: str) -> None:
            page.locator(top).first.evaluate("element => element.scrollIntoView()")
            page.screenshot(path=FOLDER / f"organiser-{name}.jpg", type="jpeg", quality=70)

        entrants = [ApiPlayer(url).register(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
        organise_on_the_page(page, entrants, picture)


if __name__ == "__main__":
    main()
