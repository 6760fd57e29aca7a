"""An account on a second device: a one-time code brings it, with the keys that sign moves."""

import base64
import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser import Visitor
from tests.web.matches import confirm_if_asked


def test_an_account_moves_to_another_device_by_a_code_that_works_once(visit: Callable[..., Visitor]) -> None:
    first, second, third = visit(), visit(), visit()
    page = first.open("#/account")
    page.get_by_role("button", name="Create a guest account").click()
    expect(page.locator("#main").get_by_text("Welcome!")).to_be_visible()
    name = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("button", name="Make a code").click()
    code = page.get_by_label("One-time code").input_value()
    for one, works in ((second, True), (third, False)):
        one.expected = ["Failed to load resource"]
        other = one.open("#/account")
        other.get_by_label("Code of another device").fill(code)
        other.get_by_role("button", name="Use it here").click()
        sentence = (
            "You are now using this account."
            if works
            else "The code is wrong, was used already, or has expired."
        )
        expect(other.locator("#main").get_by_text(sentence)).to_be_visible()
    expect(second.page.get_by_role("heading", level=1)).to_have_text(name)


def bring_account(visitor: Visitor, code: str) -> Page:
    """Enter the code of another device."""
    page = visitor.open("#/account")
    page.get_by_label("Code of another device").fill(code)
    page.get_by_role("button", name="Use it here").click()
    return page


def make_code(page: Page, url: str) -> str:
    page.goto(f"{url}/#/account")
    page.reload()
    page.get_by_role("button", name="Make a code").click()
    return page.get_by_label("One-time code").input_value()


def make_first_move(page: Page) -> None:
    """Make the first of the listed moves; afterwards it is the turn of others, or of the player again."""
    table = page.locator(".table.my-turn")
    before = table.get_attribute("data-version")
    page.locator(".move-buttons button").first.click()
    confirm_if_asked(page)
    expect(page.locator(f'.table[data-version="{before}"]')).to_have_count(0)


def test_a_second_device_plays_on_in_a_signed_match_with_a_key_that_the_service_never_sees(
    visit: Callable[..., Visitor], url: str
) -> None:
    first, second = visit(), visit()
    sent: list[str] = []
    for one in (first, second):
        one.page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    page = first.open()
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()
    make_first_move(page)
    match = page.url
    code = make_code(page, url)
    assert re.fullmatch("([A-Z]{4}-){4}[A-Z]{4}", code)
    other = bring_account(second, code.lower().replace("-", " "))
    expect(other.locator("#main").get_by_text("You are now using this account.")).to_be_visible()
    other.goto(match)
    for device in (other, page):
        device.goto(match)
        make_first_move(device)
    expect(other.get_by_role("alert")).to_have_count(0)
    secret = code.replace("-", "")[8:]
    for text in sent:
        assert secret not in re.sub("[^A-Z]", "", text.upper())
    sealed = json.loads(next(text for text in sent if '{"sealed"' in text).partition("device-codes")[2])[
        "sealed"
    ]
    assert b"private_key" not in base64.b64decode(sealed)
    other.once("dialog", lambda dialog: dialog.accept())
    other.locator("details.more summary", has_text="More").click()
    other.get_by_role("button", name="Resign").click()
    for device in (other, page):
        expect(device.locator(".result")).to_contain_text("Your browser has compared the whole record")


def test_a_code_without_its_last_letters_brings_the_account_and_says_that_the_keys_are_missing(
    visit: Callable[..., Visitor], url: str
) -> None:
    first, second = visit(), visit()
    page = first.open()
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()
    make_first_move(page)
    match = page.url
    code = make_code(page, url)
    other = bring_account(second, code[:-1] + ("A" if code[-1] != "A" else "B"))
    expect(other.locator("#main").get_by_text("the last twelve letters are not right")).to_be_visible()
    other.goto(match)
    expect(other.get_by_role("alert")).to_contain_text("a signing key that is not in this browser")
    other = bring_account(second, make_code(page, url))
    expect(other.locator("#main").get_by_text("You are now using this account.")).to_be_visible()
    other.goto(match)
    make_first_move(other)
