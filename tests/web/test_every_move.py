"""Every kind of move of every game, made with a key in the browser; the kinds come from the rules."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kontor_games.domain.games import installed_games
from tests.support.every_move import Situation, set_up, situations
from tests.support.serving import served
from tests.web.browser import visiting
from tests.web.matches import ApiPlayer

GAMES = sorted(installed_games())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('every-move')}/kontor.db"


@pytest.fixture(scope="module")
def own_url(database: str) -> Iterator[str]:
    """The URL of a service in whose database positions can be set up."""
    with served(database, workers=1) as server:
        yield f"http://127.0.0.1:{server.port}"


def choose_listed(page: Page, legal: list[Any], situation: Situation) -> None:
    page.locator(f'.move-buttons [data-move="{legal.index(situation.stored)}"]').click()


def offer(page: Page, legal: list[Any], situation: Situation) -> None:
    is_counter = situation.stored["type"] == "counter_offer"
    page.get_by_role("button", name="Counter" if is_counter else "Offer a trade").first.click()
    for button in ("Less", "More"):  # a counter-offer starts with the terms of the offer
        for side, name in (("give", "You give"), ("want", "You get")):
            for stepper in page.get_by_role("group", name=name, exact=True).locator(".stepper").all():
                term = str(stepper.get_attribute("aria-label"))
                count = situation.stored[side].get(term.lower(), 0)
                step(stepper, f"{button} {term}", count)
    page.locator("dialog [data-open]").click()


def step(stepper: Locator, button: str, count: int) -> None:
    """Press a button of a stepper until it shows a count, or a number beyond it in the other direction."""
    change = 1 if button.startswith("More") else -1
    shown = int(stepper.locator("output").inner_text())
    while (count - shown) * change > 0:
        stepper.get_by_role("button", name=button).click()
        shown += change
        expect(stepper.locator("output")).to_have_text(str(shown))


def discard(page: Page, legal: list[Any], situation: Situation) -> None:
    for term, count in situation.stored["cards"].items():
        for _ in range(count):
            page.get_by_role("button", name=f"More {term.title()}").click()
    page.get_by_role("button", name=re.compile("Give these back")).click()


OPEN = {"offer_trade": offer, "counter_offer": offer, "discard_cards": discard}
"""How moves that cannot be listed are put together."""


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_move_is_made_and_signed_in_the_page(
    game: str, browser: Browser, database: str, own_url: str
) -> None:
    found = list(situations(game).values())
    player = ApiPlayer(own_url).register("Pia")
    others = [ApiPlayer(own_url).register(f"Silent {number}") for number in range(4)]
    ids = [one.get("/v1/me")["id"] for one in others]
    matches = set_up(database, found, player.get("/v1/me")["id"], ids)
    with visiting(browser, own_url, reduced_motion="reduce") as visitor:
        page = player.open_page(visitor, "#/lobby")
        for match, situation in zip(matches, found, strict=True):
            people = others[: len(situation.created.seats) - 1]
            for other in people:
                other.post(f"/v1/matches/{match}/seats")
            page = visitor.open(f"#/match/{match}")
            page.get_by_role("button", name=re.compile("^Accept")).click()
            expect(page.locator(".move-buttons")).to_be_visible()
            before = player.get(f"/v1/matches/{match}")
            kind = situation.stored["type"]
            OPEN.get(kind, choose_listed)(page, before["legal_moves"], situation)
            confirm = page.locator("#confirm:not([disabled])")
            expect(
                confirm.or_(page.locator(f'.table:not([data-version="{before["version"]}"])')).first
            ).to_be_visible()
            if confirm.is_visible():  # a move that costs nothing is sent at once
                confirm.click()
            page.wait_for_selector("#confirm", state="detached")
            expect(page.locator("[role=alert]")).to_have_count(0)
            after = player.get(f"/v1/matches/{match}")
            assert after["version"] > before["version"], kind
            assert after["seats"][situation.seat]["key"], "the browser signs"
