"""An account is recovered in another browser by its phrase, with the key that signs its moves."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor

LEAVE = "Forget this account in this browser"


def test_a_phrase_brings_the_account_and_its_key_to_an_empty_browser(
    visit: Callable[..., Visitor], tools: Path
) -> None:
    page = visit().open("#/account")
    page.get_by_role("button", name="Create a guest account").click()
    page.get_by_role("button", name=LEAVE).click()
    expect(page.locator("#main").get_by_role("alert")).to_contain_text("This account can’t be recovered")
    page.get_by_role("button", name="Make a recovery phrase").last.click()
    shown = page.get_by_label("Your recovery phrase, shown only now")
    expect(shown).to_be_visible()
    assert faults(page, tools) == []
    phrase, mine = shown.input_value(), page.evaluate("localStorage['kontor.account']")
    key = page.evaluate("localStorage['kontor.key']")
    assert (len(phrase.replace("-", "")), key is not None) == (24, True)
    page.get_by_role("button", name=LEAVE).click()
    expect(page.get_by_role("button", name="Create a guest account")).to_be_visible()
    other = visit().open("#/account")
    other.get_by_label("Code of another device").fill(phrase.lower())
    other.get_by_role("button", name="Use it here").click()
    expect(other.get_by_text("This account has a recovery phrase since")).to_be_visible()
    expect(other.locator("#main").get_by_text("You are now using this account.")).to_be_visible()
    assert json.loads(other.evaluate("localStorage['kontor.account']"))["id"] == json.loads(mine)["id"]
    assert other.evaluate("localStorage['kontor.key']") == key


def test_a_wrong_phrase_recovers_nothing(visitor: Visitor) -> None:
    visitor.expected = ["Failed to load resource"]
    page = visitor.open("#/account")
    page.get_by_label("Code of another device").fill("ABCD-" * 5 + "ABCD")
    page.get_by_role("button", name="Use it here").click()
    expect(
        page.locator("#main").get_by_text("No account of this service has this recovery phrase.")
    ).to_be_visible()


def test_players_without_a_phrase_are_reminded_before_rated_matches(visitor: Visitor) -> None:
    page = visitor.open("#/account")
    page.get_by_role("button", name="Create a guest account").click()
    expect(page.locator("#main").get_by_text("Welcome!")).to_be_visible()
    page = visitor.open("#/seek")
    expect(page.locator(".note").get_by_role("link", name="Make a recovery phrase")).to_be_visible()
