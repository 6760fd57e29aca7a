"""The guided first match of each game, played to its end; and what its script refers to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kontor_games.domain.games import installed_games
from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import confirm_if_asked
from tests.web.test_sources import WEB, strings

GAMES = sorted(installed_games())
CONDITIONS = {"phase", "turn", "move", "fact", "mine", "round", "last", "over"}
MOVES = ".move-buttons button:not([disabled])"
WISHES = ("Deliver", "found a post", "Hire a merchant", "Buy the", "Move the caravan")
"""Moves that lead to the steps of the guide, best first."""
NOT_ALWAYS = {"europe": {"offer", "robber", "card", "founded", "deliver", "delivered"}}
"""Steps that depend on the dice, the bots and good play; all others must be shown in every guided match."""
CHOOSE = f"""(wishes) => {{
  const all = [...document.querySelectorAll("{MOVES}")]
    .filter(({{ innerText }}) => !/^(Offer|Make a c)/.test(innerText));
  const found = wishes.map((wish) => all.find(({{ innerText }}) => innerText.includes(wish)));
  const chosen = found.find(Boolean) ?? all[0];
  chosen?.click();
  return Boolean(chosen);
}}"""
NOW = f"""() => document.querySelector(".guide") ? "hint"
  : document.querySelector("[data-telling]") ? null
  : document.querySelector("{MOVES}") ? "move" : document.querySelector(".result") ? "over" : null"""


def script(game: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((WEB / "games" / game / "guide/script.json").read_text())
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_script_refers_to_what_the_game_has(game: str) -> None:
    rules = installed_games()[game].rules()
    steps = script(game)["steps"]
    ids = [step["id"] for step in steps]
    assert len(set(ids)) == len(ids)
    assert set(strings(WEB / "games" / game / "guide/i18n", "en")) == set(ids)
    asked = [step["when"] for step in steps]
    assert {name for when in asked for name in when} <= CONDITIONS
    assert {when["move"] for when in asked if "move" in when} <= {kind.type for kind in rules.moves}
    assert {when["fact"] for when in asked if "fact" in when} <= {kind.type for kind in rules.facts}
    assert {when["phase"] for when in asked if "phase" in when} <= rules.messages["en"].group("words.").keys()
    assert rules.options_shape.parse(script(game)["options"], "", []) is not None


def make_a_move(page: Page) -> None:
    """Make the move that leads on in the guide, or the first one that is not an offer."""
    if page.evaluate(CHOOSE, WISHES):
        confirm_if_asked(page)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_guided_match_is_played_to_its_end_with_a_hint_for_each_new_thing(
    visit: Callable[..., Visitor], game: str, tools: Path
) -> None:
    texts = strings(WEB / "games" / game / "guide/i18n", "en")
    visitor = visit(reduced_motion="reduce")
    visitor.expected.append("412.*/dry-runs")  # a bot may move between a choice and its preview
    page = visitor.open()
    page.get_by_role("button", name=f"Learn by playing {installed_games()[game].titles['en']}").click()
    shown: list[str] = []
    while (now := page.wait_for_function(NOW).json_value()) != "over":
        if now == "move":
            make_a_move(page)
            continue
        bubble = page.get_by_role("region", name="Your first match")
        told = bubble.locator("p").first.inner_text()
        shown += [name for name, text in texts.items() if text[-20:] == told[-20:]]
        assert faults(page, tools) == []
        button = bubble.get_by_role("button", name="I see")
        expect(button).to_be_in_viewport()
        button.focus()
        page.keyboard.press("Escape" if len(shown) % 2 else "Enter")
    assert len(set(shown)) == len(shown)
    assert set(shown) | NOT_ALWAYS.get(game, set()) == texts.keys()
    assert shown[0] == "welcome"
    assert shown[-1] == "over"


def test_a_guided_match_counts_nowhere_and_its_hints_can_be_ended(visitor: Visitor) -> None:
    page = visitor.open()
    with page.expect_request(
        lambda asked: asked.method == "POST" and asked.url.endswith("/matches?tell=en")
    ) as sent:
        page.get_by_role("button", name="Learn by playing The Speicherstadt").click()
    body: Any = sent.value.post_data_json
    assert (body["private"], body["seed"], body["tags"], body.get("rated")) == (
        True,
        "guide",
        ["guide"],
        None,
    )
    bubble = page.get_by_role("region", name="Your first match")
    expect(bubble).to_contain_text("hint 1 of 13")
    expect(page.locator("#said")).to_contain_text("Welcome to Hamburg")
    bubble.get_by_role("button", name="I see").click()
    expect(bubble).to_contain_text("hint 2 of 13")
    expect(page.locator(".row-section.guided")).to_be_visible()
    page.reload()
    expect(bubble).to_contain_text("hint 2 of 13")
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("region", name="Votre première partie")).to_contain_text("Choisissez-en une")
    page.get_by_role("button", name="Plus d’indications").click()
    expect(page.locator(".guide")).to_have_count(0)
    expect(page.locator(".status-line")).to_be_focused()
    page.reload()
    expect(page.locator(".status-line")).to_be_visible()
    expect(page.locator(".guide")).to_have_count(0)
