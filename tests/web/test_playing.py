"""Whole matches played in a browser, by clicks alone and by keys alone."""

import pytest
from playwright.sync_api import Page, expect

from kontor_games.domain.games import installed_games
from tests.web.browser import Visitor

GAMES = sorted(installed_games())
MOVES = ".move-buttons button:not([disabled])"
OVER = ".result"
MOST_MOVES = 600


def begin(visitor: Visitor, game: str) -> Page:
    """Two clicks: the page, and a match against house bots."""
    page = visitor.open()
    title = installed_games()[game].titles["en"]
    page.get_by_role("button", name=f"Play against bots {title}").click()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    return page


def is_over(page: Page) -> bool:
    """Wait until the player can act or the match is over."""
    page.wait_for_selector(f"{OVER}, {MOVES}")
    return page.locator(OVER).count() > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_clicks(visitor: Visitor, game: str) -> None:
    page = begin(visitor, game)
    page.wait_for_selector(MOVES)
    page.locator(MOVES).first.click()
    page.get_by_role("button", name="Confirm").click()
    page.locator("details.more summary").click()
    page.get_by_label("Confirm each move").uncheck()
    made = 1
    while not is_over(page) and made < MOST_MOVES:
        page.locator(MOVES).first.click()
        made += 1
        page.wait_for_function("document.querySelectorAll('.move-buttons button[disabled]').length === 0")
    expect(page.locator(OVER)).to_contain_text("has won" if page.locator("text=has won").count() else "won")
    expect(page.locator(".player .place")).to_have_count(3)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_keys(visitor: Visitor, game: str) -> None:
    page = visitor.open("#/")
    tab_to(page, f"Play against bots {installed_games()[game].titles['en']}")
    page.keyboard.press("Enter")
    made = 0
    while not is_over(page) and made < MOST_MOVES:
        tab_to_moves(page)
        page.keyboard.press("Enter")
        page.wait_for_selector("#confirm:focus:not([disabled])")
        page.keyboard.press("Enter")
        page.wait_for_selector("#confirm", state="detached")
        made += 1
    assert made > 10
    expect(page.locator(OVER)).to_be_visible()


def tab_to(page: Page, name: str) -> None:
    """Press the tabulator until the control with this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText.replace(/\\s+/g, ' ').trim()") == name:
            return
    raise AssertionError(f"no way by keyboard to {name}")


def tab_to_moves(page: Page) -> None:
    """Press the tabulator until a move has the focus, unless one has it already."""
    for _ in range(60):
        if page.evaluate("document.activeElement.closest('.move-buttons') !== null"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("no way by keyboard to the moves")


def test_the_arrow_keys_go_through_the_moves_and_escape_goes_back(visitor: Visitor) -> None:
    page = begin(visitor, "speicherstadt")
    page.wait_for_selector(MOVES)
    first, second = (page.locator(MOVES).nth(place) for place in (0, 1))
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(second).to_be_focused()
    assert page.locator(f"{MOVES}[tabindex='0']").count() == 1
    page.keyboard.press("End")
    expect(page.locator(MOVES).last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    expect(page.locator(".confirm")).to_have_count(0)


def test_what_happens_is_told_in_the_live_region(visitor: Visitor) -> None:
    page = begin(visitor, "speicherstadt")
    page.wait_for_selector(MOVES)
    page.locator(MOVES).first.click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#said")).not_to_be_empty()
    expect(page.locator("#said")).to_contain_text("It is your turn.")
