"""The player's aid over the board, and the pictures in the rules."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from kontor_games.domain.games import installed_games
from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_sources import LANGUAGES

GAMES = sorted(installed_games())
SHOWN = {
    "europe": ["What it costs", "Build a route", "up to 3 crossroads", "delivers all 6 goods", "8 posts"],
    "speicherstadt": [
        "until 4 lie in the row",
        "puts 3 workers",
        "warehouse (4)",
        "Contract × 10",
        "5 / 8 / 11",
    ],
}
"""Parts of the aid in a match of three players."""


@pytest.mark.parametrize("game", GAMES)
def test_the_aid_opens_over_the_board_by_keyboard_and_has_the_figures_of_the_rules(
    visitor: Visitor, ada: ApiPlayer, game: str, tools: Path
) -> None:
    page = ada.open_page(visitor, f"#/match/{ada.create_and_join(game)}")
    button = page.get_by_role("button", name="Player’s aid")
    button.focus()
    page.keyboard.press("Enter")
    aid = page.get_by_role("dialog", name="Player’s aid: ")
    for part in SHOWN[game]:
        expect(aid).to_contain_text(part)
    assert faults(page, tools) == []
    page.keyboard.press("Escape")
    expect(aid).to_have_count(0)
    expect(button).to_be_focused()


@pytest.mark.parametrize("game", GAMES)
def test_the_aid_and_the_pictures_of_the_rules_exist_in_every_language(
    visitor: Visitor, ada: ApiPlayer, game: str, tools: Path
) -> None:
    match = ada.create_and_join(game)
    page = ada.open_page(visitor, f"#/match/{match}")
    for language in LANGUAGES:
        page.get_by_label("Language").or_(page.locator("#language")).first.select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator(".match-head button.link").click()
        aid = page.locator("dialog.aid")
        expect(aid.locator("h3").first).to_be_visible()
        assert "aid." not in aid.inner_text()
        assert "{" not in aid.inner_text()
        aid.get_by_role("button").click()
        page.goto(f"{visitor.url}/#/rules/{game}")
        expect(page.locator(".word-picture").nth(10)).to_be_visible()
        if language == "en":
            assert faults(page, tools) == []
        page.goto(f"{visitor.url}/#/match/{match}")
        expect(page.locator(".match-head h1")).to_be_visible()
