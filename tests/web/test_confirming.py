"""Choosing a move: its effect and cost are shown before it is confirmed, without covering the map."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ASKED_OR_SENT, ApiPlayer, confirm_each_move, confirm_if_asked
from tests.web.test_playing import MOVES

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
    visitor = confirm_each_move(visit(viewport={"width": width, "height": height}))
    page = open_new_match(visitor, url, "europe")
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


def test_a_move_is_confirmed_only_if_it_costs_something_or_nobody_knows_its_effect(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    player = ApiPlayer(url).register("Ada")
    match = player.create_and_join("europe")
    path, page = f"/v1/matches/{match}", player.open_page(visit(), f"#/match/{match}")
    tried: list[str] = []
    page.on("request", lambda one: tried.append(one.url) if "/dry-runs" in one.url else None)
    seen = set()
    for _ in range(12):
        expect(page.locator(MOVES).first).to_be_enabled()
        now = player.get(path)
        ends = [place for place, move in enumerate(now["legal_moves"]) if move["type"] == "end_turn"]
        listed = [place for place, move in enumerate(now["legal_moves"]) if "schema" not in move]
        buys = [place for place in listed if now["legal_moves"][place]["type"] == "buy_resource"]
        place = (*([] if (False, "asked") in seen else buys), *ends, *listed)[0]
        only = len(now["legal_moves"]) == 1
        effect = player.post(f"{path}/dry-runs", now["legal_moves"][place])
        paid = effect["view"]["players"][0]["gold"] < now["view"]["players"][0]["gold"]
        tried.clear()
        page.locator(f".move-buttons [data-move='{place}']").click()
        answer = page.wait_for_function(ASKED_OR_SENT).json_value()
        seen.add((only, answer))
        assert not only or (answer, tried) == ("sent", [])
        assert only or effect["complete"] or answer == "asked"
        assert only or not paid or answer == "asked"
        if answer == "asked":
            expect(page.locator(".confirm .keys")).to_have_text("Enter confirms, Escape cancels")
            assert seen != {(False, "asked")} or faults(page, tools) == []
            confirm_if_asked(page)
        expect(page.locator(f".table:not([data-version='{now['version']}'])")).to_be_visible()
    assert (True, "sent") in seen
    assert (False, "asked") in seen


def test_the_account_page_says_which_moves_are_confirmed(visit: Callable[..., Visitor]) -> None:
    page = visit().open("#/account")
    setting = page.get_by_label("Confirm moves")
    expect(setting).to_have_value("costs")
    setting.select_option("each")
    page.reload()
    expect(setting).to_have_value("each")
