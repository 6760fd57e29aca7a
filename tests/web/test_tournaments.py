"""A tournament in the page: list, entry, live tables and standings, agreement, check of its signed file."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from kontor_games.service.tournaments.intervals import MIN_BLOCKS
from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import PATIENCE_S, ApiPlayer
from tests.web.test_pages import PHONE, SMALL, WIDER

TERMS: dict[str, Any] = {
    "game": "speicherstadt", "seats": 2, "least_seats": 2, "points": [2, 0], "format": "swiss", "rounds": 2,
    "automatic": False, "correction_ms": 60_000, "no_show_ms": 600_000,
}  # fmt: skip


class Cup:
    """A tournament that its organiser runs through the API; all results are decided by rulings."""

    def __init__(self, organiser: ApiPlayer, title: str, rounds: int = 2) -> None:
        self.organiser = organiser
        self.id = organiser.post("/v1/tournaments", {"title": title, **TERMS, "rounds": rounds})["id"]
        self.path = f"/v1/tournaments/{self.id}"
        self.address = f"#/tournament/{self.id}"
        self.do("opening")

    def do(self, what: str, body: Any = None) -> None:
        """Carry out a command of the organiser."""
        self.organiser.post(f"{self.path}/{what}", body)

    def enter(self, *names: str) -> list[ApiPlayer]:
        """Register players, and let them enter."""
        players = [self.organiser.register(name) for name in names]
        for player in players:
            player.post(f"{self.path}/entrants")  # only the page contributes, and opens by itself
        return players

    def pair_round(self) -> list[dict[str, Any]]:
        """Pair the next round and wait until its matches are open; return them."""
        self.do("rounds")
        number, until = self.organiser.get(self.path)["round"], time.monotonic() + PATIENCE_S
        while True:
            tables = self.organiser.get(f"{self.path}/rounds/{number}")["tables"]
            matches = [match for table in tables for match in table["matches"]]
            if all(match["match"] for match in matches):
                return matches
            assert time.monotonic() < until
            time.sleep(0.1)

    def decide(self, matches: list[dict[str, Any]]) -> None:
        """Decide each match in favour of the player who entered first."""
        for match in matches:
            first, second = match["entrants"]
            places = [1, 2] if first < second else [2, 1]
            self.do("rulings", {"match": match["match"], "places": places, "why": "by strength"})


def pick_player(part: Page | Locator, label: str, wanted: str) -> None:
    """Choose a player by name or number, with the keyboard."""
    field = part.get_by_label(label, exact=True).first
    field.fill(wanted)
    field.page.get_by_role("group", name="Players found").get_by_role("button").first.press("Enter")


@contextmanager
def without_reload(visitor: Visitor, cup: Cup) -> Iterator[None]:
    """Open the page of a tournament, and check that it is not reloaded during the block."""
    visitor.open(cup.address)
    loads: list[str] = []
    visitor.page.on("framenavigated", lambda frame: loads.append(frame.url))
    yield
    assert loads == []


def intervals_of(cup: Cup) -> list[str]:
    """Return the intervals of the standings, in the form that the page shows."""
    lines = cup.organiser.get(f"{cup.path}/standings")["lines"]
    return [f"{round(line['low'], 2):g} to {round(line['high'], 2):g}" for line in lines]


def test_a_player_enters_a_tournament_follows_it_live_and_agrees_with_its_standings(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path, tmp_path: Path
) -> None:
    cup = Cup(ada, "Autumn Cup", rounds=MIN_BLOCKS)
    others = cup.enter("Ben", "Chloe", "Dmitri")
    visitor = visit()
    page = visitor.open("#/tournaments")
    page.get_by_role("link", name="View and enter Autumn Cup").click()
    with without_reload(visitor, cup):
        page.get_by_role("button", name="Enter the tournament").click()
        expect(page.locator("#main").get_by_text("You have entered.")).to_be_visible()
        expect(page.locator(".entrants li")).to_have_count(4)
        assert faults(page, tools) == []
        cup.do("start")
        expect(page.locator(".status-line")).to_have_text("Started. The first round is about to be paired.")
        matches = cup.pair_round()
        expect(page.locator(".table-cards > li")).to_have_count(2)
        for label in ("Play", "Watch"):  # at my own table, and at the other one
            expect(page.locator(".tables").get_by_role("link", name=re.compile(f"^{label} "))).to_have_count(
                1
            )
        cup.decide(matches)
        expect(page.locator(".standings tbody tr").first).to_contain_text("2")
        expect(page.locator(".interval")).to_have_count(0)
        for _ in range(2, MIN_BLOCKS + 1):
            cup.decide(cup.pair_round())
        expect(page.locator(".status-line")).to_have_text("Round 5 of 5: all results are in.")
        expect(page.locator(".standings tbody tr").first).to_contain_text("Ben")
        expect(page.locator(".interval")).to_contain_text(intervals_of(cup))
        page.get_by_text("Crosstable").click()
        expect(page.locator(".crosstable tbody tr").first).to_contain_text("1 : 0")
        expect(page.locator(".decisions li")).to_have_count(2 * MIN_BLOCKS)
        cup.do("provisional-standings")
        page.get_by_role("button", name="Agree with the standings").click()
        expect(page.get_by_text("1 of 4 entrants has agreed")).to_be_visible()
        page.get_by_role("button", name="Protest").click()
        page.get_by_label("What is wrong with the standings?").fill("Table 2 was noisy.")
        assert faults(page, tools) == []
        page.get_by_role("button", name="Send the protest").click()
        expect(page.locator("section").get_by_text("Table 2 was noisy.")).to_be_visible()
        for one in others:
            one.post(f"{cup.path}/acknowledgements")
        cup.do("sign-off", {"despite_protests": True})
        expect(page.locator(".status-line")).to_have_text("Final standings, signed (edition 1).")
    page.get_by_role("link", name="Check the tournament").click()
    expect(page.locator(".verdict")).to_contain_text("Everything that can be checked here is right.")
    expect(page.locator(".findings.proved")).to_contain_text("committed before the first entry")
    expect(page.locator(".findings.proved")).to_contain_text("receipts stored in this browser agree")
    assert faults(page, tools) == []
    forged = tmp_path / "forged.ndjson"
    content = httpx.get(f"{visitor.url}{cup.path}/export").content
    assert content.count(b"by strength") > 0
    forged.write_bytes(content.replace(b"by strength", b"by lottery!", 1))
    page = visitor.open("#/check")
    page.locator("input[type=file]").set_input_files(forged)
    expect(page.locator(".verdict")).to_contain_text("This file is not a valid record.")
    phone = visit(**PHONE)
    for address in ("#/tournaments", cup.address):
        page = phone.open(address)
        assert (page.evaluate(WIDER), page.evaluate(SMALL)) == (False, []), address


def test_an_organiser_runs_a_tournament_from_its_announcement_to_the_signed_standings(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    organiser, entrant = visit(), visit()
    ben, zoe = ada.register("Ben of the north"), ada.register("Zoe of the south")
    guest = entrant.open("#/account")
    guest.get_by_role("button", name="Create a guest account").click()
    invited = guest.locator("code").inner_text()
    page = organiser.open("#/tournaments/new")
    page.get_by_label("Title").fill("Kontor Open")
    page.get_by_role("radio", name="The Speicherstadt").check()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_label("Rounds").fill("1")
    page.get_by_label("Pair the next round automatically").uncheck()
    page.get_by_label("Same deal from every seat").check()
    page.get_by_label("Only invited players").check()
    for name in ("Ben of the north", invited):
        pick_player(page, "Invite: name or player number", name)
    page.get_by_text("Points and tie-breaks").click()
    page.get_by_label("Place 1").fill("7")
    page.get_by_role("button", name="Move up: Share of scores").press("Enter")
    page.get_by_role("button", name="Remove lot").click()
    page.get_by_label("Add a tie-break").select_option("Against tied entrants")
    page.get_by_text("Pairs that must not meet").click()
    page.get_by_role("button", name="Add a group").click()
    for name in ("Ben of the north", "Zoe of the south"):
        pick_player(page, "Group 1: name or player number", name)
    pick_player(page.get_by_role("group", name="Arbiters"), "Name or player number", "Zoe of the south")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Minutes for protests").fill("0")
    assert faults(page, tools) == []
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("button", name="Open for entries").click()
    expect(page.locator(".status-line")).to_have_text("Entry is open.")
    named = page.locator(".terms .whole")
    expect(named.filter(has_text="Arbiters")).to_contain_text("Zoe of the south")
    expect(named.filter(has_text="Invited")).to_contain_text(re.compile("Ben of the north, Guest"))
    expect(named.filter(has_text="Never at the same table")).to_contain_text(
        "Ben of the north, Zoe of the south"
    )
    address = "#" + page.url.partition("#")[2]
    path = f"/v1/tournaments/{address.rpartition('/')[2]}"
    terms, known = ada.get(path)["terms"], [one.get("/v1/me")["id"] for one in (ben, zoe)]
    assert (terms["open_entry"], terms["invited"]) == (False, [known[0], invited])
    assert (terms["forbidden"], terms["arbiters"]) == ([known], [known[1]])
    assert (terms["points"], terms["tie_breaks"]) == ([7, 0], ["score_share", "wins", "opponents", "direct"])
    ben.post(f"{path}/entrants")
    other = entrant.open(address)
    other.get_by_role("button", name="Enter the tournament").click()
    expect(page.locator(".entrants li")).to_have_count(2)
    page.get_by_role("button", name="Start the tournament").click()
    page.get_by_role("button", name="Pair the next round").click()
    expect(page.get_by_role("button", name=re.compile("^Decide the result"))).to_have_count(2)
    expect(page.get_by_role("link", name=re.compile("^Watch"))).to_have_count(2)
    other.locator(".tables").get_by_role("link", name=re.compile("^Play ")).first.click()
    other.get_by_role("button", name=re.compile("^Accept")).click()  # a deal that the tournament fixes
    expect(other.locator(".setup .player").filter(has_text="you")).to_be_visible()
    match = other.url.rpartition("/")[2]
    seats = ada.get(f"/v1/matches/{match}")["seats"]
    ben.join(match, next(seat["seat"] for seat in seats if not seat["player"]))
    ben.post(f"/v1/matches/{match}/resignation")
    expect(other.locator(".result")).to_contain_text("You have won!")
    other.get_by_role("link", name="Check this match").click()
    expect(other.locator(".findings.open")).to_contain_text("the same deal is still being played")
    assert faults(page, tools) == []
    for number in range(2):
        page.get_by_role("button", name=re.compile("^Decide the result")).nth(number).click()
        page.get_by_label("Place of Ben of the north").select_option("1")
        page.get_by_label(re.compile("^Place of Guest")).select_option("2")
        page.get_by_label("Reason").fill("Nobody came.")
        assert number or faults(page, tools) == []
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator(".decisions li")).to_have_count(number + 1)
    page.get_by_role("button", name="Post provisional standings").click()
    page.get_by_role("button", name="Sign off the standings").click()
    expect(page.locator(".status-line")).to_have_text("Final standings, signed (edition 1).")
    expect(page.locator(".standings tbody tr").first).to_contain_text("Ben")
    other.get_by_role("button", name="Export and check again").click()
    expect(other.locator(".findings.open")).to_contain_text("Nobody’s contribution at this table counted")


def test_a_tournament_says_what_it_is_when_it_starts_and_has_a_link_to_copy(
    visitor: Visitor, ada: ApiPlayer, tools: Path
) -> None:
    about = {"description": "Everybody is welcome.", "starts_at": 1_900_000_000_000}
    made = ada.post("/v1/tournaments", {"title": "Spring cup", **TERMS, "rounds": 1, **about})
    page = visitor.open(f"#/tournament/{made['id']}")
    expect(page.get_by_text("Everybody is welcome.")).to_be_visible()
    expect(page.get_by_text("It is to start on")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#said")).not_to_be_empty()
    assert faults(page, tools) == []
    page = visitor.open("#/tournaments/new")
    page.get_by_label("Description (optional)").fill("Hello")
    assert faults(page, tools) == []
