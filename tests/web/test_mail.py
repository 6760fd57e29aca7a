"""The links in e-mails, and the setting on the page Account."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Route, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer

CODE = "5d6d0a06-3f0c-4a2b-9a6e-0c9d1b7f3e21"


def test_an_address_is_set_and_removed_where_the_service_sends_mail(
    visitor: Visitor, ada: ApiPlayer, tools: Path
) -> None:
    stored: list[dict[str, Any]] = []

    def answer(route: Route) -> None:
        request = route.request
        if request.method == "PUT":
            stored.append(dict(request.post_data_json or {}))
        if request.method == "DELETE":
            stored.clear()
        if request.method == "GET":
            address = stored[0]["address"] if stored else None
            route.fulfill(json={"offered": True, "address": address, "confirmed": False})
        else:
            route.fulfill(status=204)

    visitor.page.route(re.compile("/v1/me/mail-address"), answer)
    page = ada.register("Mona").open_page(visitor, "#/account")
    page.get_by_label("E-mail address").fill("mona@example.org")
    assert faults(page, tools) == []
    page.get_by_role("button", name="Send me e-mail").click()
    expect(page.get_by_text("We have sent a link to mona@example.org.")).to_be_visible()
    assert stored == [{"address": "mona@example.org", "language": "en"}]
    page.get_by_role("button", name="No more e-mail").click()
    expect(page.get_by_label("E-mail address")).to_be_visible()


def test_a_link_does_nothing_before_a_click(visitor: Visitor, tools: Path) -> None:
    asked: list[tuple[str, str | None]] = []

    def answer(route: Route) -> None:
        asked.append((route.request.url.partition("/v1/")[2], route.request.post_data))
        route.fulfill(status=204)

    visitor.page.route(re.compile("/v1/mail-"), answer)
    page = visitor.open(f"#/mail?confirm={CODE}")
    expect(page.get_by_role("button", name="Confirm the address")).to_be_visible()
    assert asked == []
    page.get_by_role("button", name="Confirm the address").click()
    expect(page.locator("#main").get_by_text("The address is confirmed.")).to_be_visible()
    assert faults(page, tools) == []
    page = visitor.open(f"#/mail?stop={CODE}")
    page.get_by_role("button", name="Stop e-mail").click()
    expect(page.locator("#main").get_by_text("No more e-mail is sent to you.")).to_be_visible()
    assert asked == [("mail-confirmations", f'{{"code":"{CODE}"}}'), (f"mail-stops/{CODE}", "{}")]


def test_the_service_sends_no_mail_unless_the_operator_has_set_it_up(
    visitor: Visitor, ada: ApiPlayer
) -> None:
    page = ada.register("Nora").open_page(visitor, "#/account")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_have_count(0)
