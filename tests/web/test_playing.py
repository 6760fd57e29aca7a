"""Whole matches played in a browser, by clicks alone and by keys alone."""

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, TimeoutError, expect  # noqa: A004  # playwright's own

from kontor_games.domain.games import installed_games
from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ASKED_OR_SENT, ApiPlayer, confirm_if_asked

GAMES = sorted(installed_games())
MOVES = ".move-buttons button:not([disabled])"
OVER = ".result"
NOW = (
    f"() => document.querySelector('{OVER}') ? 'over' "
    f": document.querySelector('{MOVES}') ? 'to move' : 'waiting'"
)
SHORT = {"europe": {"options": {"turn_limit": 24}}}
"""Options that shorten a match of a long game."""
PATIENCE_S = 3600
"""The longest time for all matches together."""
MOVE_TIMEOUT_MS, MOST_MISSED_MOVES = 15_000, 100
"""How long to wait for a move that may have disappeared from the page; how many moves may be missed."""


def start_bot_match(visitor: Visitor, game: str) -> Page:
    """Open the page, and start a match against house bots."""
    page = visitor.open()
    title = installed_games()[game].titles["en"]
    page.get_by_role("button", name=f"Play against bots {title}").click()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    return page


def test_a_level_is_chosen_by_name_and_plays_under_it(visitor: Visitor, tools: Path) -> None:
    page = visitor.open()
    level = page.get_by_role("combobox", name="Opponents The Speicherstadt")
    expect(level.locator("option")).to_have_text(
        ["Beginner", "Casual", "Strong", "Expert", "Master", "Grandmaster", "Champion"]
    )
    expect(level).to_have_value("greedy")
    level.select_option("Strong")
    expect(level).to_have_accessible_description(re.compile("Looks ahead"))
    assert faults(page, tools) == []
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()
    expect(page.locator(".players .name")).to_contain_text(["Guest", "Strong 1", "Strong 2"])
    page.locator(MOVES).first.click()
    confirm_if_asked(page)
    told = page.locator(".log")
    expect(told).to_contain_text("Strong 1 ")
    expect(told).not_to_contain_text("search:1")


def test_the_form_of_a_match_names_the_levels_and_describes_the_chosen_one(
    visitor: Visitor, tools: Path
) -> None:
    page = visitor.open("#/new?game=speicherstadt")
    seat = page.get_by_role("combobox", name="Seat 2")
    for level, sentence in (("Beginner", "at random"), ("Expert", "Like Strong")):
        seat.select_option(f"House bot: {level}")
        expect(seat).to_have_accessible_description(re.compile(sentence))
    assert faults(page, tools) == []
    seat.select_option("Open to anyone")
    expect(seat).to_have_accessible_description("")


class BrowserPlayer(ABC):
    """Plays a match in a browser, always with the first move; several players are stepped in turn."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.page = visitor.page
        self.made = 0
        self.missed = 0
        self.start(visitor, game)

    def start(self, visitor: Visitor, game: str) -> None:
        """Start a match of a game against house bots; one of a long game is shortened."""
        if game in SHORT:
            player = ApiPlayer(visitor.url).register("Short")
            player.open_page(visitor, f"#/match/{player.create_and_join(game, **SHORT[game])}")
            return
        visitor.open()
        self.start_on_the_first_page(f"Play against bots {installed_games()[game].titles['en']}")

    @abstractmethod
    def start_on_the_first_page(self, button: str) -> None:
        """Press a button of the first page."""

    @abstractmethod
    def act(self) -> bool:
        """Make the first move; return whether it was still available."""

    def step(self) -> bool:
        """Make a move if one is possible now; return whether the match is over."""
        now = self.page.evaluate(NOW)
        if now == "waiting":
            self.page.wait_for_timeout(20)
        if now == "to move":
            made = self.act()
            self.made += made
            self.missed += not made
            assert self.missed < MOST_MISSED_MOVES, "no move can be made"
        return bool(now == "over")


class MousePlayer(BrowserPlayer):
    """Uses the mouse; switches the confirmation of moves off after the first one."""

    def start_on_the_first_page(self, button: str) -> None:
        self.page.get_by_role("button", name=button).click()

    def act(self) -> bool:
        try:
            self.page.locator(MOVES).first.click(timeout=MOVE_TIMEOUT_MS)
        except TimeoutError:
            return False
        if self.made == 0:
            confirm_if_asked(self.page)
            self.page.locator("details.more summary", has_text="More").click()
            self.page.get_by_label("Confirm moves").select_option("none")
        return True


class KeyboardPlayer(BrowserPlayer):
    """Uses the keyboard, also to confirm moves."""

    def start_on_the_first_page(self, button: str) -> None:
        assert self.tab_to(f"document.activeElement.innerText.replace(/\\s+/g, ' ').trim() === '{button}'")
        self.page.keyboard.press("Enter")

    def act(self) -> bool:
        if not self.tab_to("document.activeElement.closest('.move-buttons') !== null"):
            return False
        self.page.keyboard.press("Enter")
        try:
            asked = self.page.wait_for_function(ASKED_OR_SENT, timeout=MOVE_TIMEOUT_MS).json_value()
            if asked != "sent":
                self.page.wait_for_selector("#confirm:focus:not([disabled])", timeout=MOVE_TIMEOUT_MS)
                self.page.keyboard.press("Enter")
                self.page.wait_for_selector("#confirm", state="detached", timeout=MOVE_TIMEOUT_MS)
        except TimeoutError:
            self.page.keyboard.press("Escape")
            return False
        return True

    def tab_to(self, condition: str) -> bool:
        """Press the tab key until the condition holds; return whether it holds."""
        for _ in range(80):
            if self.page.evaluate(condition):
                return True
            self.page.keyboard.press("Tab")
        return False


class TouchPlayer(MousePlayer):
    """Uses the touch screen of a phone: the board where the move is on it, otherwise the list."""

    tapped_board = 0
    tapped_at = ""

    def act(self) -> bool:
        version = self.page.locator(".table").get_attribute("data-version") or ""
        place = None if version == self.tapped_at else self.page.evaluate(ON_BOARD)
        if place is None:
            place = self.page.evaluate(IN_LIST)
        if place is None:
            return False
        if place["board"]:  # a tool or piece may only be taken in hand: then the move is chosen from the list
            self.tapped_at = version
            self.tapped_board += 1
        self.page.touchscreen.tap(place["x"], place["y"])
        if self.made == 0:
            confirm_if_asked(self.page)
            self.page.locator("details.more summary", has_text="More").tap()
            self.page.get_by_label("Confirm moves").select_option("none")
        return True


ON_SCREEN = """
  const onScreen = (one) => {
    if (!one) return null;
    one.scrollIntoView({ block: "center" });
    const { x, y, width, height } = one.getBoundingClientRect();
    const [left, top] = [x + width / 2, y + height / 2];
    const hit = document.elementFromPoint(left, top);
    return hit && one.contains(hit) ? { x: left, y: top } : null;
  };
"""
ON_BOARD = f"""() => {{ {ON_SCREEN}
  for (const one of document.querySelectorAll('.board [data-target][data-moves~="0"]')) {{
    const place = onScreen(one);
    if (place) return {{ ...place, board: true }};
  }}
  return null;
}}"""
"""Where on the board the first move can be touched."""
IN_LIST = f"""() => {{ {ON_SCREEN}
  const place = onScreen(document.querySelector("{MOVES}"));
  return place && {{ ...place, board: false }};
}}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_whole_matches_of_each_game_are_played_by_clicks_by_keys_and_by_touch(
    visit: Callable[..., Visitor],
) -> None:
    kinds: tuple[type[MousePlayer | KeyboardPlayer], ...] = (MousePlayer, KeyboardPlayer)
    players: list[MousePlayer | KeyboardPlayer]
    players = [kind(visit(reduced_motion="reduce"), game) for game in GAMES for kind in kinds]
    phones = [TouchPlayer(visit(reduced_motion="reduce", **PHONE), game) for game in GAMES]
    players += phones
    playing = list(players)
    until = time.monotonic() + PATIENCE_S
    while playing:
        assert time.monotonic() < until
        playing = [player for player in playing if not player.step()]
    for player in players:
        expect(player.page.locator(OVER)).to_contain_text(re.compile("won|share the first place"))
        expect(player.page.locator(".player .place")).to_have_count(3)
        assert player.made > 10
    assert all(phone.tapped_board > 10 for phone in phones)


def test_arrow_keys_select_a_move_and_escape_cancels_it(visitor: Visitor) -> None:
    page = start_bot_match(visitor, "speicherstadt")
    page.wait_for_selector(MOVES)
    first, second = (page.locator(MOVES).nth(place) for place in (0, 1))
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(second).to_be_focused()
    assert page.locator(f"{MOVES}[tabindex='0']").count() == 1
    page.keyboard.press("End")
    expect(page.locator(MOVES).last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    expect(page.locator(".confirm")).to_have_count(0)


def test_events_are_announced_in_the_live_region(visitor: Visitor) -> None:
    page = start_bot_match(visitor, "speicherstadt")
    page.wait_for_selector(MOVES)
    page.locator(MOVES).first.click()
    confirm_if_asked(page)
    expect(page.locator("#said")).not_to_be_empty()
    expect(page.locator("#said")).to_contain_text("It is your turn.")


def test_goods_gold_and_cards_of_everyone_are_beside_the_names(
    visitor: Visitor, ada: ApiPlayer, finished: dict[str, str]
) -> None:
    match = finished["europe"]
    page = visitor.open(f"#/match/{match}")
    for seat, one in enumerate(ada.get(f"/v1/matches/{match}")["view"]["players"]):
        goods = one["goods"]
        expect(page.locator(".info-side .player .standing").nth(seat)).to_have_text(
            re.compile(
                rf"{goods['delivered']}/{sum(goods.values())}\s.*gold {one['gold']}\s"
                rf".*resource cards {one['hand_size']}\s.*development cards {one['card_count']}"
            )
        )


def test_a_match_among_friends_is_private_and_closed_to_programs_of_strangers(
    visitor: Visitor, visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    page = visitor.open()
    page.get_by_role("link", name="Play with friends The Speicherstadt").click()
    page.get_by_role("radio", name="2", exact=True).check()
    assert faults(page, tools) == []
    page.get_by_role("button", name="Get the link").click()
    link = page.get_by_label("Private link: only people with this link can play or watch").input_value()
    friend = visit().open(link[link.index("#") :])
    expect(friend.locator(".note")).to_contain_text(re.compile("Guest .* invites you"))
    friend.get_by_role("button", name="Accept").click()
    expect(page.locator(".table")).to_be_visible()
    made = ApiPlayer(ada.url, json.loads(page.evaluate("localStorage['kontor.account']"))["token"])
    match = made.get(f"/v1/matches/{page.url.rpartition('/')[2]}")
    assert (match["private"], match["meet_bots"]) == (True, False)
