"""Players in the page: finding an opponent, ratings, a player's page, and a deal that is checked first."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import PATIENCE_S, ApiPlayer
from tests.web.test_pages import PHONE, SMALL, WIDER

LOOKING = "Looking for opponents …"
LOST = "The connection is lost."
HIDE = "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})"


def seek(visitor: Visitor) -> Page:
    """Look for a match of two players with the form."""
    page = visitor.open("#/seek")
    page.get_by_role("radio", name="The Speicherstadt").check()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_role("button", name="Look for a match").click()
    expect(page.get_by_role("heading", name=LOOKING)).to_be_visible()
    return page


def me(page: Page) -> dict[str, str]:
    found: dict[str, str] = json.loads(page.evaluate("localStorage['kontor.account']"))
    return found


def resign(page: Page) -> None:
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("details.more summary", has_text="More").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_be_visible()


def cut_the_stream(visitor: Visitor) -> None:
    """Open the match again without its stream."""

    def cut(route: Route) -> None:
        streams = route.request.headers.get("accept") == "text/event-stream"
        route.abort() if streams else route.continue_()

    visitor.expected.append("ERR_FAILED.*/events")
    visitor.page.route("**/events*", cut)
    visitor.page.reload()
    visitor.wait_for_heading()


def test_two_people_find_an_opponent_play_a_rated_match_and_appear_in_the_ladder(
    visit: Callable[..., Visitor], tools: Path, ada: ApiPlayer
) -> None:
    first, second, phone = visit(), visit(), visit(**PHONE)
    for one in (
        first,
        second,
    ):  # both take their seats at the same time, so one must sign again for the newer version
        one.expected.append("412.*/seats")
    page = seek(first)
    assert faults(page, tools) == []
    page.get_by_role("link", name="Look around in the meantime").click()
    expect(page.locator(".banner").filter(has_text=LOOKING)).to_be_visible()
    page.get_by_role("link", name="Show", exact=True).click()
    other = second.open("#/lobby")
    other.get_by_role("link", name=f"Play {me(page)['name']}").click()
    for shown in (page, other):
        expect(shown.locator(".table")).to_be_visible()
    cut_the_stream(second)
    expect(other.locator(".banner")).to_contain_text(LOST)
    resign(other)
    expect(other.locator(".banner")).to_have_count(0)  # the match is over, so nothing can be missed
    name, player = me(page)["name"], me(page)["id"]
    until = time.monotonic() + PATIENCE_S
    while not ada.get(f"/v1/players/{player}")["ratings"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    page = phone.open("#/players")
    page.get_by_label("Find a player by name").fill(name)
    expect(page.locator(".match-row").filter(has_text=name)).to_be_visible()
    assert (faults(page, tools), page.evaluate(WIDER), page.evaluate(SMALL)) == ([], False, [])
    page.get_by_role("link", name="Ratings").click()
    page.get_by_role("link", name="The Speicherstadt").click()
    line = page.locator("tbody tr").filter(has_text=name)
    expect(line).to_contain_text("±")
    assert (faults(page, tools), page.evaluate(WIDER), page.evaluate(SMALL)) == ([], False, [])
    line.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator(".figures")).to_contain_text("Won 1")
    page.get_by_text("As a table").click()
    assert (faults(page, tools), page.evaluate(WIDER), page.evaluate(SMALL)) == ([], False, [])
    page.get_by_role("link", name="Invite to a match").click()
    expect(page.locator(".picked")).to_contain_text(name)


def test_a_match_that_was_found_can_be_declined_and_the_other_player_keeps_looking(
    visit: Callable[..., Visitor],
) -> None:
    first, second = visit(), visit()
    page = seek(first)
    page.evaluate(HIDE)  # a hidden page asks, a visible page joins the match at once
    other = seek(second)
    expect(page.get_by_role("heading", name="A match was found.")).to_be_visible()
    expect(other).to_have_url(re.compile("#/match/"))
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("You have declined the match.")).to_be_visible()
    expect(other.locator(".result")).to_contain_text("The match was aborted.")
    expect(other.locator(".banner")).to_contain_text([LOOKING])
    other.get_by_role("link", name="Show", exact=True).click()
    other.get_by_role("button", name="Stop looking").click()
    expect(other.get_by_role("button", name="Look for a match")).to_be_visible()


def test_nothing_is_contributed_to_a_deal_that_is_fixed_outside_of_a_tournament(
    visitor: Visitor, ada: ApiPlayer
) -> None:
    match = ada.post("/v1/matches", {"game": "speicherstadt", "seats": [{"type": "me"}, {"type": "open"}]})

    def fixed(route: Route) -> None:
        answer = route.fetch()
        data = answer.json()
        data["chance"]["in_block"] = True
        route.fulfill(response=answer, json=data)

    sent: list[str] = []
    visitor.page.on("request", lambda one: sent.append(one.url) if one.url.endswith("/seats") else None)
    visitor.context.route(re.compile(f"/v1/matches/{match['id']}\\?"), fixed)
    page = visitor.open(f"#/match/{match['id']}")
    page.get_by_role("button", name=re.compile("^Take this seat")).click()
    expect(page.locator("#main").get_by_text("a tournament fixes the deal")).to_be_visible()
    assert sent == []
