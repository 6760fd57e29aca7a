"""The clocks in the pages of both players are those of the service, over whole matches of each kind."""

import re
from collections.abc import Callable
from math import ceil
from typing import Any, get_type_hints

import pytest
from playwright.sync_api import Page, expect

from kontor_games.domain.clock import ClockSettings
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer, confirm_each_move
from tests.web.test_playing import MOVES

CLOCKS = {
    "per_move": {"kind": "per_move", "ms": 600_000},
    "bank": {"kind": "bank", "ms": 600_000, "increment_ms": 5_000},
}
TURNS = 5
LATE_MS = 60_000
"""How long an answer may be on its way: much less than the wait that the test pretends."""
WAIT_MS = 180_000
PRETEND = "window.waited = 0; const now = Date.now; Date.now = () => now() + window.waited;"
SHOWN = f"""(version) => document.querySelector('.result') ? []
  : Number(document.querySelector('.table').dataset.version) >= version
  && !document.querySelector('{MOVES}[disabled]')
  && [...document.querySelectorAll('.player .clock')].map((one) => one.innerText)"""


def test_every_kind_of_clock_is_tried() -> None:
    kinds = set(get_type_hints(ClockSettings)["kind"].__args__)
    assert kinds - {"none"} == set(CLOCKS)


def milliseconds(shown: str) -> int:
    """Read a clock; anything but a single time is a fault."""
    found = re.fullmatch(r"(\d+):(\d\d)", shown)
    assert found, shown
    return (int(found[1]) * 60 + int(found[2])) * 1000


def whole(ms: int) -> int:
    """A duration as a clock shows it: in full seconds."""
    return ceil(ms / 1000) * 1000


def compare(page: Page, player: ApiPlayer, match: str) -> None:
    """Compare the clocks of a page with those that the service reports before and after."""
    path = f"/v1/matches/{match}"
    before = player.get(path)
    shown = page.wait_for_function(SHOWN, arg=before["version"]).json_value()
    after = player.get(path)
    if after["status"] != "running" or after["version"] != before["version"]:
        return
    for text, first, last in zip(shown, before["clock"]["seats"], after["clock"]["seats"], strict=True):
        late = LATE_MS if first["deadline"] else 0
        assert whole(last["remaining_ms"]) <= milliseconds(text) <= whole(first["remaining_ms"]) + late


def select_and_cancel(page: Page) -> None:
    """Let time pass, select a move and cancel it: the clock goes on from where it was."""
    mine = page.locator(".player.acting .clock")
    page.evaluate(f"window.waited += {WAIT_MS}")
    expect(mine).to_have_text(re.compile("^[67]:"))
    page.locator(MOVES).first.click()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(mine).to_have_text(re.compile("^[67]:"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".confirm")).to_have_count(0)
    expect(mine).to_have_text(re.compile("^[67]:"))
    page.evaluate("window.waited = 0")


@pytest.mark.parametrize("kind", CLOCKS)
def test_the_clocks_of_both_players_are_those_of_the_service(
    visit: Callable[..., Visitor], url: str, kind: str
) -> None:
    players = [ApiPlayer(url).register(name) for name in ("Ada", "Ben")]
    ids = [one.get("/v1/me")["id"] for one in players]
    match = players[0].create_and_join(
        "europe",
        {"type": "invited", "player": ids[1]},
        {"type": "bot", "bot": "random"},
        clock=CLOCKS[kind],
        options={"turn_limit": TURNS},
    )
    visitors = [visit(reduced_motion="reduce"), visit(reduced_motion="reduce")]
    pages = []
    for player, visitor in zip(players, map(confirm_each_move, visitors), strict=True):
        visitor.context.add_init_script(PRETEND)
        pages.append(player.open_page(visitor, f"#/match/{match}"))
    players[1].join(match, 1)
    path, decisions, tried = f"/v1/matches/{match}", 0, set()
    while (position := players[0].get(path))["status"] == "running":
        for player, page in zip(players, pages, strict=True):
            compare(page, player, match)
        for seat in set(position["to_act"]) & {0, 1}:
            if seat not in tried:
                select_and_cancel(pages[seat])
                tried.add(seat)
        decisions += sum(move_if_possible(player, match) for player in players)
    for page in pages:
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator(".clock, .player .turn, .on-turn")).to_have_count(0)
    assert (tried, decisions > TURNS) == ({0, 1}, True)


def move_if_possible(player: ApiPlayer, match: str) -> bool:
    """Make the first listed move of a player who may move; a kind of move with a schema is left out."""
    moves: list[dict[str, Any]] = player.get(f"/v1/matches/{match}")["legal_moves"]
    listed = [move for move in moves if "schema" not in move]
    if listed:
        ends = [move for move in listed if move["type"] == "end_turn"]
        player.post(f"/v1/matches/{match}/moves", (ends or listed)[0])
    return bool(listed)
