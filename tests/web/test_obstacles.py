"""An action that is not possible says what is missing, and by which rule."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer


def first_action(ada: ApiPlayer) -> tuple[ApiPlayer, str, list[dict[str, Any]]]:
    """A player whose turn it is after the roll, their match, and what they lack."""
    eve = ada.register("Eve")
    bot = {"type": "bot", "bot": "greedy"}
    body = {"game": "europe", "seats": [{"type": "me"}, bot, bot], "seed": "third"}
    match = eve.post("/v1/matches", body)
    path = f"/v1/matches/{match['id']}"
    assert eve.post(f"{path}/moves", match["legal_moves"][0])["view"]["phase"] == "action"
    return eve, match["id"], eve.get(f"{path}/obstacles?tell=en")["obstacles"]


def test_a_greyed_action_says_what_is_missing_and_links_to_the_rule(
    visitor: Visitor, ada: ApiPlayer, tools: Path
) -> None:
    eve, match, obstacles = first_action(ada)
    page = eve.open_page(visitor, f"#/match/{match}")
    expect(page.locator(".tool.inert")).not_to_have_count(0)
    tool = page.get_by_role("button", name="Build a route")
    tool.focus()
    page.keyboard.press("Enter")
    expect(tool).to_have_attribute("aria-expanded", "true")
    told = page.locator(".lacking")
    expected = [one["text"] for one in obstacles if one["type"] == "build_route"]
    assert expected
    expect(told.locator("p")).to_contain_text(expected)
    assert faults(page, tools) == []
    page.get_by_role("button", name=re.compile("^Deliver a good")).click()
    delivery = [one["text"] for one in obstacles if one["type"] == "deliver"]
    expect(told.locator("p")).to_contain_text(delivery)
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Ware liefern").click()
    expect(told).to_contain_text("Karawanen")
    told.get_by_role("link", name="Regel E-48").click()
    expect(page.locator("#rule-E-48")).to_be_focused()
