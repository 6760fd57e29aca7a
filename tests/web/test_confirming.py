"""Choosing a move: its effect and cost are shown before it is confirmed, without covering the map."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer

SIZES = {"wide": (1280, 900), "tablet": (768, 1024), "phone": (360, 740)}
OVERLAP = """
() => {
  const [bar, stage] = [document.querySelector('.confirm'), document.querySelector('.map-frame')]
    .map((one) => one.getBoundingClientRect());
  return Math.min(bar.right, stage.right) - Math.max(bar.left, stage.left) > 0
    && Math.min(bar.bottom, stage.bottom) - Math.max(bar.top, stage.top) > 0;
}
"""


def open_new_match(visitor: Visitor, url: str, game: str) -> Page:
    """Start a match against two house bots, and open it in the browser."""
    player = ApiPlayer(url).register("Ada")
    match = player.create_and_join(game)
    return player.open_page(visitor, f"#/match/{match}")


@pytest.mark.parametrize("size", SIZES)
def test_the_confirmation_covers_no_part_of_the_map(
    visit: Callable[..., Visitor], url: str, size: str
) -> None:
    width, height = SIZES[size]
    page = open_new_match(visit(viewport={"width": width, "height": height}), url, "europe")
    page.get_by_role("button", name="Roll the dice").first.click()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator(".confirm .unknown")).to_contain_text("chance")
    assert not page.evaluate(OVERLAP)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#confirm").click()
    expect(page.locator(".confirm")).to_have_count(0)


def test_a_chosen_move_says_what_it_does_and_costs(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    page = open_new_match(visit(), url, "speicherstadt")
    page.locator("button.card").first.click()
    expect(page.locator(".changes")).to_contain_text("−1 workers at home 3 → 2")
    expect(page.locator(".consequences li").first).to_contain_text("Ada ")
    assert faults(page, tools) == []
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".confirm")).to_have_count(0)
