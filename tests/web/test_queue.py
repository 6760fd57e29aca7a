"""The moves of others, shown one by one: in a match, to spectators, in a replay, and as a list."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import find_rules
from tests.support.npm import ROOT
from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer, confirm_if_asked, with_settings
from tests.web.test_playing import MOVES

TELLING, SHOWN = ".turn-bar.told", ".table:not([data-telling])"
COLLECT = """() => {
  window.told = [];
  new MutationObserver(() => {
    const text = document.querySelector(".turn-bar.told .status-line p")?.textContent;
    if (text && window.told.at(-1)?.text !== text)
      window.told.push({ text, moves: document.querySelectorAll(".move-buttons button").length,
        lit: document.querySelectorAll("[data-told]").length });
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
"""Note each step that is shown, with the number of moves that can be chosen meanwhile."""
KEY = re.compile(r"^  (\w+): \{", re.MULTILINE)


def watched_match(visitor: Visitor, url: str, game: str, **wish: object) -> tuple[ApiPlayer, str, Page]:
    """A match of Ada against two house bots, in a browser that notes the steps."""
    ada = ApiPlayer(url).register("Ada")
    match = ada.create_and_join(game, **wish)
    page = ada.open_page(visitor, f"#/match/{match}")
    page.wait_for_selector(SHOWN)
    page.wait_for_selector(MOVES)
    page.evaluate(COLLECT)
    return ada, match, page


def told_texts(ada: ApiPlayer, match: str, after: int) -> list[str]:
    """What happened in a match, as the page words it."""
    events = ada.get(f"/v1/matches/{match}/events?after={after}&tell=en")["events"]
    return [one["text"].replace("greedy", "Casual") for one in events if one["text"]]


def test_every_fact_of_each_game_has_a_step() -> None:
    for game in sorted(installed_games()):
        table = (ROOT / f"web/games/{game}/steps.js").read_text().partition("export const STEPS = {")[2]
        assert sorted(KEY.findall(table)) == sorted(find_rules(game, None, None).fact_codec.types)


def test_the_moves_of_bots_are_shown_one_by_one_and_legal_moves_wait_for_them(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    ada, match, page = watched_match(with_settings(visit(), pace="normal"), url, "speicherstadt")
    before = ada.get(f"/v1/matches/{match}")["version"]
    page.locator(MOVES).first.click()
    confirm_if_asked(page)
    expect(page.locator(TELLING)).to_be_visible()
    expect(page.locator(MOVES)).to_have_count(0)
    assert faults(page, tools) == []
    page.wait_for_selector(SHOWN)
    expect(page.locator("#said")).to_have_text("It is your turn.")
    told = page.evaluate("window.told")
    sentences = told_texts(ada, match, before)
    shown = [one["text"] for one in told]
    assert len(shown) >= 2
    assert shown == [one for one in sentences if one in shown]
    assert {one["moves"] for one in told} == {0}
    assert all(one["lit"] for one in told)
    page.locator(".happened summary").click()
    expect(page.locator(".happened li")).to_have_text(sentences)
    expect(page.locator(".turn-bar .last")).not_to_be_empty()


@pytest.mark.parametrize("by", ["key", "button", "board"])
def test_a_click_or_a_key_shows_everything_at_once(visit: Callable[..., Visitor], url: str, by: str) -> None:
    *_, page = watched_match(with_settings(visit(), pace="slow"), url, "europe")
    while not page.locator(TELLING).count():
        if page.locator(".move-buttons button").count():
            ends = page.locator(".move-buttons button").filter(has_text="End your turn")
            (ends if ends.count() else page.locator(MOVES)).first.click()
            confirm_if_asked(page)
    if by == "key":
        page.keyboard.press("Escape")
    elif by == "button":
        page.get_by_role("button", name=re.compile("^Skip")).click()
    else:
        page.locator(".board").click(position={"x": 20, "y": 20})
    page.wait_for_selector(SHOWN, timeout=2000)


def test_who_wants_less_motion_gets_an_open_list_and_no_steps(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    visitor = with_settings(visit(reduced_motion="reduce"), pace="slow")
    ada, match, page = watched_match(visitor, url, "speicherstadt")
    before = ada.get(f"/v1/matches/{match}")["version"]
    page.locator(MOVES).first.click()
    confirm_if_asked(page)
    expect(page.locator(f".table:not([data-version='{before}'])")).to_be_visible()
    page.wait_for_selector(MOVES)
    expect(page.locator(".happened ol")).to_be_visible()
    expect(page.locator(".happened li")).to_have_text(told_texts(ada, match, before))
    assert page.evaluate("window.told") == []
    expect(page.get_by_label("Moves of others")).to_have_count(0)
    assert faults(page, tools) == []


def test_spectators_see_the_steps_and_the_end_comes_after_them(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben = (ApiPlayer(url).register(name) for name in ("Ada", "Ben"))
    match = ada.create_and_join("speicherstadt", {"type": "open"}, options={"first_seat": 0})
    ben.join(match, 1)
    page = with_settings(visit(), pace="slow").open(f"#/match/{match}")
    page.wait_for_selector(SHOWN)
    page.evaluate(COLLECT)
    ada.post(f"/v1/matches/{match}/moves", ada.get(f"/v1/matches/{match}")["legal_moves"][0])
    expect(page.locator(TELLING)).to_contain_text("Ada opens the line")
    ben.post(f"/v1/matches/{match}/resignation")
    expect(page.locator(".result")).to_be_visible()
    told = [one["text"] for one in page.evaluate("window.told")]
    assert told[0].startswith("Ada opens the line")
    assert told[-2:] == ["Ben resigns.", "The match is over: Ada won."]


def test_a_fire_burns_over_the_board_with_who_gains_and_loses(
    visit: Callable[..., Visitor], url: str, ada: ApiPlayer, finished: dict[str, str]
) -> None:
    match = finished["speicherstadt"]
    fire = next(
        one["version"]
        for one in ada.get(f"/v1/matches/{match}/positions?to=9999")["positions"]
        if any(fact["type"] == "fire_fought" and any(fact["points"]) for fact in one["facts"])
    )
    page = visit().open(f"#/match/{match}/replay?at={fire - 1}")
    page.get_by_role("combobox", name="Speed").select_option("0.5")
    page.get_by_role("button", name="Play", exact=True).click()
    burning = page.locator(".moment-card.fire_fought")
    expect(burning).to_be_visible()
    expect(burning.locator(".gain").first).to_contain_text(re.compile("[+−][0-9]+ score"))
    page.get_by_role("button", name="Pause").click()
    expect(burning).to_have_count(0)
