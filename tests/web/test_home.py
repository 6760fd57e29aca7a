"""The first page shows what is going on; wrong addresses and documents open in a browser."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer

CONTINUE = "section[aria-labelledby=continue-title]"
NOW = "section[aria-labelledby=now-title]"


def test_a_player_continues_their_match_and_others_can_watch_it(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    eve = ada.register("Nora at home")
    match = eve.create_and_join("speicherstadt")
    page = eve.open_page(visit(), "")
    row = page.locator(CONTINUE).locator("li", has_text="Nora at home")
    expect(row).to_contain_text("It is your turn")
    assert faults(page, tools) == []
    other = visit().open()
    expect(other.locator(NOW)).to_contain_text(re.compile(r"\d+ players? (is|are) at a table"))
    expect(other.locator(CONTINUE)).to_have_count(0)
    watched = other.locator(NOW).get_by_role("link", name=re.compile("Watch .*Nora at home"))
    expect(watched).to_have_attribute("href", f"#/match/{match}")
    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"#/match/{match}$"))


def test_each_game_says_what_it_is_how_long_it_takes_and_how_hard_it_is(visitor: Visitor) -> None:
    page = visitor.open()
    card = page.locator(".game-card", has=page.get_by_role("heading", name="The Speicherstadt"))
    expect(card).to_contain_text("old port of Hamburg")
    expect(card).to_contain_text("2 to 5 players · about 45 minutes · easy to learn")


@pytest.mark.parametrize("path", ["/nonsense", "/v1/nothing", "/web/old/app.js"])
def test_a_wrong_address_shows_a_page_with_a_way_out(visitor: Visitor, path: str, tools: Path) -> None:
    visitor.expected.append("404")
    page = visitor.page
    page.goto(visitor.url + path)
    expect(page.get_by_text("There is no such page.")).to_be_visible()
    assert faults(page, tools) == []
    page.get_by_role("link", name="Kontor").click()
    expect(page.get_by_role("heading", name="Play. Watch. Check.")).to_be_visible()


def test_an_address_that_lacks_only_the_hash_leads_to_its_page(visitor: Visitor) -> None:
    visitor.expected.append("404")
    visitor.page.goto(f"{visitor.url}/rules/speicherstadt")
    expect(visitor.page).to_have_url(f"{visitor.url}/#/rules/speicherstadt")
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Speicherstadt")


def test_the_api_page_links_to_documents_that_a_browser_shows(visitor: Visitor, url: str) -> None:
    page = visitor.page
    page.goto(f"{url}/docs")
    link = page.get_by_role("link", name="docs/signatures.md").first
    answer = httpx.get(page.evaluate("(link) => link.href", link.element_handle()))
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert answer.text.startswith("# ")
    page.get_by_label("Find an operation").fill("resign")
    expect(page.locator("#contents h2:visible")).to_have_count(2)  # matches; problems are always shown
