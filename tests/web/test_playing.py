"""Matches played in a browser."""

import pytest
from playwright.sync_api import Page, expect

from kontor_games.domain.games import installed_games
from tests.web.browser import Visitor

GAMES = sorted(installed_games())


def begin(visitor: Visitor, game: str) -> Page:
    """Two clicks: the page, and a match against house bots."""
    page = visitor.open()
    title = installed_games()[game].titles["en"]
    page.get_by_role("button", name=f"Play against bots {title}").click()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    return page


def make_a_move(page: Page) -> None:
    """Choose the first move, see that the rules allow it, confirm."""
    page.locator(".move-buttons button").first.click()
    page.get_by_role("button", name="Confirm").click()


@pytest.mark.parametrize("game", GAMES)
def test_two_clicks_lead_to_a_match_and_two_more_to_a_move(visitor: Visitor, game: str) -> None:
    page = begin(visitor, game)
    expect(page.locator(".move-buttons button").first).to_be_visible()
    before = page.locator(".log li").count()
    make_a_move(page)
    expect(page.locator(".log li").nth(before)).to_be_visible()
    expect(page.locator(".confirm")).to_have_count(0)
