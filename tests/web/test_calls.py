"""What waits for the user is said on every page: turns, invitations, rematches, tables of tournaments."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_live_match import of_two
from tests.web.test_tournaments import Cup

HEARD = """
window.heard = { tones: 0, notices: [], badges: [] };
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) { window.heard.tones++; return start.call(this, at); };
window.Notification = class extends Notification {
  static permission = "granted"; // a browser without a screen denies it, whatever it has just answered
  constructor(title, options) { super(title, options); window.heard.notices.push([title, options.body]); }
};
navigator.setAppBadge = (count) => Promise.resolve(window.heard.badges.push(count));
navigator.clearAppBadge = () => Promise.resolve(window.heard.badges.push(0));
"""
"""Notes what the page does beside what it shows."""
HIDE = "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })"


def alert_page(visit: Callable[..., Visitor], player: ApiPlayer, address: str) -> Page:
    """Open the page in a browser that allows notifications and notes what is heard."""
    visitor = visit(permissions=["notifications"])
    visitor.context.add_init_script(HEARD)
    return player.open_page(visitor, address)


def test_every_page_says_that_a_rematch_is_offered(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    ada, ben, match = of_two(url)
    ben.join(match, 1)
    ben.post(f"/v1/matches/{match}/resignation")
    page = ada.open_page(visit(), "#/players")
    again = ben.post(f"/v1/matches/{match}/rematch")["id"]
    ben.join(again, 0)
    banner = page.locator(".banner.call")
    expect(banner).to_contain_text("Ben wants a rematch in The Speicherstadt.")
    assert faults(page, tools) == []
    banner.get_by_role("link", name="View").click()
    page.get_by_role("button", name=re.compile("^Accept")).click()
    expect(page.locator(".table")).to_be_visible()


def test_a_player_is_called_to_the_table_of_a_tournament_and_finds_the_way_back(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    cup = Cup(ApiPlayer(url).register("Organiser"), "Cup of calls")
    ada, _ = cup.enter("Ada", "Ben")
    page = ada.open_page(visit(), "#/players")
    cup.do("start")
    cup.pair_round()
    banner = page.locator(".banner.call")
    expect(banner).to_contain_text("Your table in Cup of calls is ready.")
    expect(banner.locator(".clock")).to_have_text(re.compile(r"^(9:[0-5]\d|10:00)$"))
    assert faults(page, tools) == []
    banner.get_by_role("link", name="Play").click()
    expect(page.locator(".crumbs")).to_have_text(re.compile(r"Cup of calls\s+round 1"))
    assert faults(page, tools) == []
    page.locator(".crumbs a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cup of calls")


def test_a_device_is_silent_until_its_user_switches_sound_and_notifications_on(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    ada, ben = (ApiPlayer(url).register(name) for name in ("Ada", "Ben"))
    page = alert_page(visit, ada, "#/account")
    assert page.evaluate("heard") == {"tones": 0, "notices": [], "badges": []}
    page.get_by_label("Sounds").check()
    page.wait_for_function("() => heard.tones === 2")
    page.get_by_label("Notifications").check()
    page.wait_for_function("() => JSON.parse(localStorage['kontor.settings']).notices")
    assert faults(page, tools) == []
    page.evaluate(HIDE)
    made = ben.post(
        "/v1/matches",
        {
            "game": "speicherstadt",
            "seats": [{"type": "me"}, {"type": "invited", "player": ada.get("/v1/me")["id"]}],
        },
    )
    page.wait_for_function("() => heard.notices.length === 1")
    assert page.evaluate("heard") == {
        "tones": 5,
        "notices": [["Kontor", "You are invited to The Speicherstadt."]],
        "badges": [1],
    }
    ada.post(f"/v1/matches/{made['id']}/decline")
    page.wait_for_function("() => heard.badges.at(-1) === 0")


def test_the_moves_of_others_and_the_end_are_heard_in_the_match(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben, match = of_two(url)
    ben.join(match, 1)
    page = alert_page(visit, ada, "#/account")
    page.get_by_label("Sounds").check()
    page.wait_for_function("() => heard.tones === 2")
    page.evaluate(f"location.hash = '#/match/{match}'")
    expect(page.locator(".table")).to_be_visible()
    ben.post(f"/v1/matches/{match}/resignation")
    page.wait_for_function("() => heard.tones === 6")


def test_who_invites_is_told_that_the_invitation_was_declined_until_they_have_looked(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben = (ApiPlayer(url).register(name) for name in ("Ada", "Ben"))
    invited = {"type": "invited", "player": ben.get("/v1/me")["id"]}
    match = ada.post("/v1/matches", {"game": "speicherstadt", "seats": [{"type": "me"}, invited]})["id"]
    page = ada.open_page(visit(), "#/players")
    page.wait_for_function("() => localStorage['kontor.invited']")
    ben.post(f"/v1/matches/{match}/decline")
    banner = page.locator(".banner.call")
    expect(banner).to_contain_text("Ben has declined your invitation to The Speicherstadt.")
    banner.get_by_role("link", name="View").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Speicherstadt")
    page.evaluate("location.hash = '#/players'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    expect(banner).to_have_count(0)
