"""Phones: the map begins at the user's posts, with names that can be read and places that can be hit."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer, confirm_if_asked
from tests.web.test_playing import MOVES, PHONE

NAMES = """() => [...document.querySelectorAll(".printed-map.names text")]
  .filter((one) => one.checkVisibility())
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"""
POSTS = """(name) => {
  const frame = document.querySelector(".map-frame").getBoundingClientRect();
  return [...document.querySelectorAll(`.map [data-piece^="post 0"]`)]
    .map((one) => one.getBoundingClientRect())
    .map(({ x, y, right, bottom }) =>
      x >= frame.x && y >= frame.y && right <= frame.right && bottom <= frame.bottom);
}"""
HITS = """() => [...document.querySelectorAll(".map .target .hit")].map((one) => {
  const scale = one.getScreenCTM().a;
  const { width, height } = one.getBoundingClientRect();
  const isLine = one.tagName === "line";
  return isLine ? parseFloat(getComputedStyle(one).strokeWidth) * scale : Math.min(width, height);
})"""
SMALL = """() => [...document.querySelectorAll("main button, main select, main summary, main input")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && height && Math.min(width, height) < 24)
  .map(([text]) => text)"""
ZOOM = "document.querySelector('svg.map').getScreenCTM().a"


def phone_match(visit: Callable[..., Visitor], url: str, **wish: Any) -> Page:
    """A match of Settlers of Europe against two house bots, on a phone."""
    player = ApiPlayer(url).register("Ada")
    page = player.open_page(visit(**PHONE), f"#/match/{player.create_and_join('europe', **wish)}")
    page.wait_for_selector(MOVES)
    return page


def test_the_map_begins_at_the_posts_of_the_user_with_names_that_can_be_read(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    page = phone_match(visit, url)
    sizes = page.evaluate(NAMES)
    assert sizes
    assert min(sizes) >= 9
    seen = page.evaluate(POSTS)
    assert len(seen) == 3
    assert sum(seen) >= 2
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, tools) == []
    while page.get_by_role("button", name="Reduce").is_enabled():
        page.get_by_role("button", name="Reduce").tap()
    assert page.evaluate(NAMES) == []


def test_places_on_the_map_are_large_enough_for_a_finger_at_every_zoom(
    visit: Callable[..., Visitor], url: str
) -> None:
    page = phone_match(visit, url, options={"set_up": "free"})
    for kind in ("circle", "line"):  # cities, then routes
        page.wait_for_selector(f".map .target {kind}.hit", state="attached")
        for button in ("Enlarge", "Reduce", "Reduce"):
            hits = page.evaluate(HITS)
            assert hits
            assert min(hits) >= 24
            if page.get_by_role("button", name=button).is_enabled():
                page.get_by_role("button", name=button).tap()
        while not page.locator(".map .target line.hit").count():
            page.locator(MOVES).first.tap()
            confirm_if_asked(page)
            page.wait_for_selector(MOVES)


def test_two_fingers_zoom_the_map_and_move_it(visit: Callable[..., Visitor], url: str) -> None:
    page = phone_match(visit, url)
    page.locator(".map-frame").scroll_into_view_if_needed()
    box = page.locator(".map-frame").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before, shown = page.evaluate(ZOOM), page.locator("svg.map").get_attribute("viewBox")
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, apart: float, at: float = x) -> None:
        points = [{"x": at - apart, "y": y, "id": 0}, {"x": at + apart, "y": y, "id": 1}]
        fingers.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else points}
        )

    touch("touchStart", 40)
    for apart in (50, 60, 80):
        touch("touchMove", apart)
    page.wait_for_function(f"(before) => Math.abs({ZOOM} / before - 2) < 0.1", arg=before)
    for at in (x - 20, x - 60):
        touch("touchMove", 80, at)
    touch("touchEnd", 0)
    assert page.locator("svg.map").get_attribute("viewBox") != shown
    assert page.evaluate("visualViewport.scale") == 1


def test_the_clock_of_the_user_is_in_the_turn_bar(visit: Callable[..., Visitor], url: str) -> None:
    page = phone_match(visit, url, clock={"kind": "bank", "ms": 600_000, "increment_ms": 5000})
    expect(page.locator(".turn-bar .clock")).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    expect(page.locator(".turn-bar .clock")).to_be_in_viewport()
    page.locator(MOVES).first.tap()
    confirm_if_asked(page)
    expect(page.locator(".turn-bar .clock")).to_have_count(1)
