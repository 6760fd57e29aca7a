"""Players talk in phrases, block and report each other; administrators read the reports."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Route, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer


def test_a_phrase_is_read_by_the_others_who_can_mute_it(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    ben = ada.register("Ben")
    match = ada.create_and_join("speicherstadt", {"type": "open"})
    ben.join(match, 1)
    own = ada.open_page(visit(), f"#/match/{match}")
    other = ben.open_page(visit(), f"#/match/{match}")
    own.get_by_text("Say something").click()
    own.get_by_role("button", name="Good luck!").click()
    for page in (own, other):
        expect(page.locator(".talk [role=log] li")).to_have_text(re.compile("Good luck!$"))
    other.get_by_text("Say something").click()
    assert faults(other, tools) == []
    other.get_by_label("Show what is said").uncheck()
    expect(other.locator(".talk [role=log]")).to_have_count(0)


def test_a_player_is_blocked_reported_and_unblocked(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    ben = ada.register("Ben").get("/v1/me")["id"]
    eve = ada.register("Eve")
    visitor = visit()
    page = eve.open_page(visitor, f"#/player/{ben}")
    page.get_by_text("Block or report").click()
    page.get_by_label("What is wrong?").select_option("An offensive name")
    page.get_by_role("button", name="Report to the administrators").click()
    expect(page.locator("#main").get_by_text("Thank you.")).to_be_visible()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    assert faults(page, tools) == []
    page = visitor.open("#/account")
    expect(page.get_by_role("heading", name="Blocked players")).to_be_visible()
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_role("heading", name="Blocked players")).to_have_count(0)
    assert eve.get("/v1/me/blocks")["players"] == []


def test_an_administrator_reads_and_closes_reports_with_a_token(visitor: Visitor, tools: Path) -> None:
    report: dict[str, Any] = {
        "id": "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11",
        "reporter": None,
        "match": None,
        "outcome": None,
        "reported": {"id": "a", "name": "Ben", "bot": False},
        "reason": "stalling",
        "text": "<b>an hour</b>",
        "at": "2026-11-01T12:00:00Z",
    }
    asked: list[tuple[str, str | None, str | None]] = []

    def answer(route: Route) -> None:
        request = route.request
        asked.append((request.method, request.headers.get("authorization"), request.post_data))
        closed = any(method == "PUT" for method, *_ in asked)
        if request.method == "PUT":
            route.fulfill(status=204)
        else:
            route.fulfill(json={"reports": [] if closed else [report]})

    visitor.page.route(re.compile("/v1/reports"), answer)
    page = visitor.open("#/reports")
    page.get_by_label("Token with the scope admin").fill("kontor_x")
    page.get_by_role("button", name="Show open reports").click()
    expect(page.locator("blockquote")).to_have_text("<b>an hour</b>")
    assert faults(page, tools) == []
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("There is no open report.")).to_be_visible()
    assert asked[1] == ("PUT", "Bearer kontor_x", '{"outcome":"dismissed"}')
