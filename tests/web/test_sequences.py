"""Moves that are laid out, changed, and sent together: loading, and a turn of building."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_playing import MOVES

SEQUENCES = {
    "speicherstadt": ("put_on_contract", "sell_to_merchant", "store_cube", "keep_cube", "sell_two"),
    "europe": ("build_route", "buy_resource", "trade_with_supply", "hire_merchant", "move_caravan"),
}


def offered(moves: list[dict[str, Any]], types: tuple[str, ...]) -> list[dict[str, Any]]:
    return [move for move in moves if move["type"] in types and "schema" not in move]


def position_with_a_sequence(url: str, game: str) -> tuple[ApiPlayer, str, list[dict[str, Any]]]:
    """Play until two moves of a sequence are possible one after the other; return the two."""
    for _ in range(5):
        player = ApiPlayer(url).register("Ada")
        match = player.create_and_join(game)
        path = f"/v1/matches/{match}"
        for _ in range(150):
            now = player.get(path)
            if now["status"] != "running":
                break
            if not now["legal_moves"]:
                continue
            for first in offered(now["legal_moves"], SEQUENCES[game]):
                after = player.post(f"{path}/dry-runs", first)
                if seconds := offered(after.get("legal_moves", []), SEQUENCES[game]):
                    return player, match, [first, seconds[0]]
            player.post(f"{path}/moves", now["legal_moves"][0])
    raise AssertionError("no position with a sequence was found")


def click(page: Page, label: str) -> None:
    page.locator(".move-buttons").get_by_role("button", name=label, exact=True).click()


@pytest.mark.parametrize("game", sorted(SEQUENCES))
def test_moves_are_laid_out_changed_and_sent_with_one_request(
    visit: Callable[..., Visitor], url: str, tools: Path, game: str
) -> None:
    player, match, moves = position_with_a_sequence(url, game)
    path = f"/v1/matches/{match}"
    now = player.get(f"{path}?tell=en")
    page = player.open_page(visit(), f"#/match/{match}")
    sent: list[Any] = []
    page.on("request", lambda one: sent.append(one.post_data_json) if one.url.endswith("/moves") else None)
    page.on("request", lambda one: sent.append(one.post_data_json) if "/moves?" in one.url else None)
    labels = [now["labels"][now["legal_moves"].index(moves[0])]]
    after = player.post(f"{path}/dry-runs?tell=en", moves[0])
    labels.append(after["labels"][after["legal_moves"].index(moves[1])])
    page.wait_for_selector(MOVES)
    for label in labels:
        click(page, label)
        expect(page.locator("#confirm")).to_be_enabled()
        expect(page.locator(".board.laid-out, .sequence").first).to_be_visible()
    expect(page.locator(".sequence li > span:first-child")).to_have_text(labels)
    assert faults(page, tools) == []
    page.get_by_role("button", name=f"Take out: {labels[1]}").last.click()
    expect(page.locator(".sequence")).to_have_count(0)
    click(page, labels[1])
    expect(page.locator(".sequence li")).to_have_count(2)
    page.get_by_role("button", name="Take back the last one").click()
    expect(page.locator(".sequence")).to_have_count(0)
    assert (sent, player.get(path)["version"]) == ([], now["version"])
    click(page, labels[1])
    expect(page.locator(".sequence li")).to_have_count(2)
    expect(page.locator("#confirm")).to_be_enabled()
    page.locator("#confirm").click()
    expect(page.locator(".confirm")).to_have_count(0)
    assert sent == [{"moves": moves}]


def test_confirm_and_cancel_are_beside_the_chosen_piece(visit: Callable[..., Visitor], url: str) -> None:
    player = ApiPlayer(url).register("Ada")
    match = player.create_and_join("speicherstadt", options={"first_seat": 0})
    page = player.open_page(visit(), f"#/match/{match}")
    card = page.locator("button.card").nth(1)
    card.click()
    confirm = page.locator(".beside button.main")
    expect(confirm).to_be_visible()
    box, button = card.bounding_box(), confirm.bounding_box()
    assert box
    assert button
    assert box["y"] <= button["y"] + button["height"] <= box["y"] + box["height"] + button["height"]
    assert box["x"] - 150 < button["x"] < box["x"] + box["width"] + 30
    page.locator(".beside button").nth(1).click()
    expect(page.locator(".confirm")).to_have_count(0)
    card.click()
    confirm.click()
    expect(page.locator(".log")).to_contain_text("Ada opens the line")
