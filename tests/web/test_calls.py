"""What waits for the user is said on every page: turns, invitations, rematches, tables of tournaments."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_live_match import of_two
from tests.web.test_tournaments import Cup


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
