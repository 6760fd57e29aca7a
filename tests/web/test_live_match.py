"""A page while a match goes on: names, focus, previews, log, live region, a missing key; files and rules."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer, confirm_each_move, confirm_if_asked
from tests.web.test_playing import MOVES

AT_END = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight <= 40"
GROW = """(list) => {
  list.style.maxHeight = '4rem';
  list.scrollTop = list.scrollHeight;
  for (let count = 0; count < 40; count++) list.append(list.lastElementChild.cloneNode(true));
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""The list grows before the event of its scrolling comes."""


def of_two(url: str, game: str = "speicherstadt", **wish: object) -> tuple[ApiPlayer, ApiPlayer, str]:
    """Return two players and a match in which the second seat is free."""
    ada, ben = (ApiPlayer(url).register(name) for name in ("Ada", "Ben"))
    bots = [{"type": "bot", "bot": "random"}] if game == "europe" else []
    return ada, ben, ada.create_and_join(game, {"type": "open"}, *bots, **wish)


def test_the_creator_sees_the_name_of_whoever_joins_even_if_it_is_the_creators_turn_at_once(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben, match = of_two(url, options={"first_seat": 0})
    page = ada.open_page(visit(), f"#/match/{match}")
    ben.join(match, 1)
    expect(page.locator(".table .player").nth(1)).to_contain_text("Ben")
    expect(page.get_by_text("free seat")).to_have_count(0)


def test_after_a_confirmed_move_the_focus_is_on_the_line_that_says_whose_turn_it_is(
    visit: Callable[..., Visitor], url: str
) -> None:
    for game in ("europe", "speicherstadt"):
        player = ApiPlayer(url).register("Ada")
        page = player.open_page(confirm_each_move(visit()), f"#/match/{player.create_and_join(game)}")
        for _ in range(2):
            page.locator(MOVES).first.focus()
            page.keyboard.press("Enter")
            expect(page.locator("#confirm")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator(".confirm")).to_have_count(0)
            expect(page.locator(MOVES).first).to_be_enabled()
            expect(page.locator(".status-line")).to_be_focused()


def test_a_chosen_move_is_tried_again_when_the_position_changes(
    visit: Callable[..., Visitor], url: str
) -> None:
    player = ApiPlayer(url).register("Ada")
    match = player.create_and_join("speicherstadt", options={"first_seat": 0})
    page = player.open_page(visit(), f"#/match/{match}")
    page.locator(MOVES).first.click()
    effects = page.locator(".consequences")
    expect(effects).to_contain_text("Ada opens the line")
    move = player.get(f"/v1/matches/{match}")["legal_moves"][0]
    player.post(f"/v1/matches/{match}/moves", move)  # in another tab; then the bots, and Ada again
    expect(effects).to_contain_text("in line")
    expect(effects).not_to_contain_text("opens the line")
    expect(page.locator("#confirm")).to_be_focused()


def test_the_log_follows_although_it_grows_while_it_scrolls_until_the_user_scrolls_up(
    visit: Callable[..., Visitor], url: str
) -> None:
    player = ApiPlayer(url).register("Ada")
    page = player.open_page(visit(), f"#/match/{player.create_and_join('speicherstadt')}")
    log = page.locator("#log-lines")
    log.evaluate(GROW)
    play(page)
    page.wait_for_function(f"({AT_END})(document.getElementById('log-lines'))")
    log.evaluate("(list) => { list.scrollTop = 0; }")
    expect(log).to_have_attribute("data-up", "yes")
    play(page)
    assert log.evaluate("(list) => list.scrollTop") == 0


def play(page: Page) -> None:
    """Make the first move, and wait for the next turn."""
    version = page.locator(".table").get_attribute("data-version")
    page.locator(MOVES).first.click()
    confirm_if_asked(page)
    expect(page.locator(f".table:not([data-version='{version}'])")).to_be_visible()
    page.wait_for_selector(MOVES)


def test_the_live_region_says_nothing_of_an_earlier_page(visitor: Visitor, finished: dict[str, str]) -> None:
    page = visitor.open(f"#/match/{finished['speicherstadt']}/check")
    expect(page.locator("#said")).to_have_text("Everything that can be checked here is right.")
    page.get_by_role("link", name="Players").first.click()
    visitor.wait_for_heading()
    expect(page.locator("#said")).to_be_empty()


def test_a_file_that_is_no_export_is_called_that_and_is_not_offered_for_saving(visitor: Visitor) -> None:
    page = visitor.open("#/check")
    for content, sentence in (
        (b"hello", "not an export of a match"),
        (b'{"id": 7}\n', "not an export of a match"),
        (b"", "The file is empty."),
        (b'{"complete":true,"format":"kontor.export.1"', "the file is truncated"),
    ):
        file = {"name": "notes.txt", "mimeType": "text/plain", "buffer": content}
        page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        expect(page.locator(".verdict")).to_contain_text(sentence)
        expect(page.get_by_role("link", name="Save the file")).to_have_count(0)


def test_lists_within_the_rules_stay_lists(visitor: Visitor) -> None:
    page = visitor.open("#/rules/speicherstadt/S-19")
    rule = page.locator("li").filter(has=page.locator("#rule-S-19"))
    expect(rule.locator("li")).to_have_count(6)
    expect(rule.locator("li").first).to_have_text(re.compile("^put a cube on an open place"))
    expect(rule.locator("p")).to_contain_text([re.compile("^The cubes may come from the quay")])


def test_a_browser_without_the_key_of_the_seat_says_so_before_the_first_move(
    visit: Callable[..., Visitor], url: str
) -> None:
    visitor = visit()
    page = visitor.open()
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()
    page.wait_for_selector(MOVES)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.evaluate(
        "indexedDB.databases().then(() => new Promise((done) => {"
        " const asked = indexedDB.open('kontor', 1);"
        " asked.onsuccess = () => { const keys = asked.result.transaction('keys', 'readwrite');"
        " keys.objectStore('keys').clear(); keys.oncomplete = done; }; }))"
    )
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("a signing key that is not in this browser")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_board_and_the_cards_for_sale_keep_their_places(
    visit: Callable[..., Visitor], url: str, width: int
) -> None:
    player = ApiPlayer(url).register("Ada")
    match = player.create_and_join("speicherstadt")
    page = player.open_page(
        visit(viewport={"width": width, "height": 900}, reduced_motion="reduce"), f"#/match/{match}"
    )
    tops, heights, cards = set(), set(), 0
    for _ in range(12):
        page.wait_for_selector(MOVES)
        tops.add(page.evaluate("document.querySelector('.board').getBoundingClientRect().top + scrollY"))
        heights.add(page.evaluate("document.querySelector('.turn-bar').offsetHeight"))
        view = player.get(f"/v1/matches/{match}")["view"]
        if view["phase"] in ("demand", "purchase"):
            expect(page.locator(".row .lot")).to_have_count(4)
            cards += view["phase"] == "purchase"
            expect(page.locator(".row .lot.sold")).to_have_count(4 - len(view["row"]))
        play(page)
    assert (len(tops), len(heights), cards > 0) == (1, 1, True)
