"""Several browsers in one match, and a service that becomes unreachable."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, Route, expect

from tests.client.service import Service as Process
from tests.web.accessibility import faults
from tests.web.browser import Visitor, visiting
from tests.web.matches import ApiPlayer, confirm_if_asked
from tests.web.test_playing import MOVES


def create_match(visitor: Visitor, title: str, others: str) -> str:
    """Create a match with the form: seat 2 as given, seat 3 for a bot; return the address of the match."""
    page = visitor.open("#/new")
    page.get_by_role("radio", name=title).check()
    for place in (2, 3):
        page.get_by_role("combobox", name=f"Seat {place}").select_option(
            others if place == 2 else "bot:greedy"
        )
    page.get_by_role("button", name="Create the match").click()
    expect(page).to_have_url(re.compile("#/match/"))
    return page.url


def record_answers(visitor: Visitor) -> list[str]:
    """Return a list to which every further answer of the service to a browser is added."""
    texts: list[str] = []
    visitor.page.on("response", lambda answer: texts.append(_body(answer)) if "/v1/" in answer.url else None)
    return texts


def _body(answer: Response) -> str:
    kind = answer.headers.get("content-type", "")
    return "" if kind.startswith("text/event-stream") else answer.text()


def test_two_players_and_a_spectator_see_a_match_and_nobody_sees_the_hand_of_another(
    visit: Callable[..., Visitor],
) -> None:
    ada, ben, watcher = visit(), visit(), visit()
    address = create_match(ada, "Settlers of Europe", "open")
    hash_part = "#" + address.partition("#")[2]
    received = {name: record_answers(one) for name, one in (("ben", ben), ("watcher", watcher))}
    for one in (ben, watcher):
        one.open(hash_part)
    ben.page.get_by_role("button", name=re.compile("^Take this seat")).click()
    for one in (ada, ben, watcher):
        expect(one.page.locator(".table")).to_be_visible()
    hand = ada.page.evaluate(
        "fetch(`/v1/matches/${location.hash.split('/')[2]}`,"
        " {headers: {Authorization: `Bearer ${JSON.parse(localStorage['kontor.account']).token}`}})"
        ".then((a) => a.json())"
    )["view"]["players"][0]
    assert "resources" in hand
    play_one_move(page_to_act(ada.page, ben.page))
    for one in (ada, ben, watcher):
        expect(one.page.locator(".log li").last).to_be_visible()
    for texts in received.values():
        for view in seen_views(texts):
            assert "resources" not in view["players"][0]
    assert len(seen_views(received["watcher"])) > 0
    expect(watcher.page.locator(".move-buttons")).to_have_count(0)


def page_to_act(*pages: Page) -> Page:
    """Return the page of the player who is to act: who begins is random."""
    while True:
        for page in pages:
            if page.locator(MOVES).count():
                return page
        pages[0].wait_for_timeout(100)


def seen_views(texts: list[str]) -> list[dict[str, Any]]:
    """Return every view of the game in the answers."""
    answers = [json.loads(text) for text in texts if text.startswith("{")]
    return [one["view"] for one in answers if isinstance(one.get("view"), dict)]


def play_one_move(page: Page) -> None:
    """Wait for this player's turn, and make the first move."""
    page.locator(MOVES).first.click()
    confirm_if_asked(page)


def test_a_page_resumes_without_a_gap_after_the_service_was_killed_and_restarted(
    browser: Browser, tmp_path: Path
) -> None:
    with Process(tmp_path).running() as service, visiting(browser, service.url) as visitor:
        visitor.expected = ["Failed to load resource", "ERR_"]
        page = visitor.open()
        page.get_by_role("button", name="Play against bots The Speicherstadt").click()
        page.wait_for_selector(MOVES)
        play_one_move(page)
        page.wait_for_selector(MOVES)
        service.kill()
        expect(page.locator("#main").get_by_text("The connection is lost.")).to_be_visible()
        service.start()
        service.wait_until_ready()
        expect(page.locator("#main").get_by_text("The connection is lost.")).to_have_count(0)
        play_one_move(page)
        page.wait_for_selector(MOVES)
        versions = page.locator(".log li").count()
        page.reload()
        expect(page.locator(".log li")).to_have_count(versions)


def test_bad_addresses_and_a_missing_or_revoked_token_show_a_message_and_a_way_to_continue(
    visit: Callable[..., Visitor], ada: ApiPlayer
) -> None:
    visitor = visit()
    visitor.expected = ["Failed to load resource"]
    for kind in ("match", "tournament", "player"):
        page = visitor.open(f"#/{kind}/00000000-0000-0000-0000-000000000000")
        expect(page.locator("#main").get_by_text("This does not exist")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link").first).to_be_visible()
    page = visitor.open(f"#/match/{ada.create_and_join('speicherstadt')}")
    expect(page.get_by_text("If one of the seats is yours")).to_be_visible()
    page.get_by_role("link", name="Use another account").click()
    page.get_by_role("button", name="Create a guest account").click()
    expect(page.locator("#main").get_by_text("Welcome!")).to_be_visible()
    page.evaluate(
        "fetch('/v1/me', {method: 'DELETE',"
        " headers: {Authorization: `Bearer ${JSON.parse(localStorage['kontor.account']).token}`}})"
    )
    page.wait_for_function(
        "fetch('/v1/me',"
        " {headers: {Authorization: `Bearer ${JSON.parse(localStorage['kontor.account']).token}`}})"
        ".then((answer) => answer.status === 401)"
    )
    page = visitor.open("#/lobby")
    expect(page.locator("#main").get_by_text("Your account is no longer known here")).to_be_visible()
    page.get_by_role("button", name="Continue with a new account").click()
    expect(page.get_by_role("heading", name="Play. Watch. Check.")).to_be_visible()


def test_a_private_link_lets_a_friend_in_and_a_wrong_one_shows_a_message(
    visit: Callable[..., Visitor],
) -> None:
    ada, ben, eve = visit(), visit(), visit()
    page = ada.open("#/new")
    page.get_by_role("radio", name="The Speicherstadt").check()
    page.get_by_role("combobox", name="Seat 2").select_option("open")
    page.get_by_role("combobox", name="Seat 3").select_option("bot:greedy")
    page.get_by_label("Private").check()
    page.get_by_role("button", name="Create the match").click()
    link = page.get_by_label("Private link").input_value()
    bare, _, key = link.partition("?key=")
    eve.expected = ["Failed to load resource"]
    for address in (bare, f"{bare}?key={'x' * 24}", f"{bare}?key=nonsense"):
        page = eve.open(address.removeprefix(f"{eve.url}/"))
        expect(
            page.locator("#main").get_by_text("A private match opens only for its players")
        ).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link", name="Matches")).to_be_visible()
    assert len(key) == 24
    page = ben.open(link.removeprefix(f"{ben.url}/"))
    page.get_by_role("button", name=re.compile("^Accept")).click()
    for one in (ada, ben):
        expect(one.page.locator(".table")).to_be_visible()


def test_a_friend_who_was_invited_declines_and_a_rematch_rotates_the_seats(
    visit: Callable[..., Visitor],
) -> None:
    ada, ben = visit(), visit()
    names = []
    for one in (ada, ben):
        one.open("#/account").get_by_role("button", name="Create a guest account").click()
        names.append(one.page.get_by_role("heading", level=1))
        expect(names[-1]).to_contain_text("Guest")
    guest, number = names[1].inner_text(), ben.page.locator("#main code").inner_text()
    create_against(ada, guest, number)
    page = ada.page
    friend = ben.open("#/lobby")
    choice = friend.get_by_role("radiogroup", name="Who may invite you")
    with friend.expect_response("**/v1/me/invitations"):
        choice.get_by_role("radio", name="Players I have played with").check()
    expect(friend.get_by_text("Running matches: 0 of")).to_be_visible()
    friend = ben.open("#/lobby?show=turn")
    friend.get_by_role("button", name=re.compile("^Decline")).click()
    expect(friend.get_by_text("No match is waiting for you at the moment.")).to_be_visible()
    ben.open("#/lobby")
    with friend.expect_response("**/v1/me/invitations"):
        expect(choice.get_by_role("radio", name="Players I have played with")).to_be_checked()
        choice.get_by_role("radio", name="Everyone").check()
    friend = ben.open("#/lobby?show=turn")
    page.get_by_role("button", name=re.compile("^Abort the match")).click()
    create_against(ada, guest, number)
    friend.get_by_role("link", name=re.compile("^View")).click()
    name = page.locator(".who a").inner_text()
    expect(friend.locator(".setup .note")).to_have_text(f"{name} invites you to The Speicherstadt.")
    expect(friend.locator(".conditions li").first).to_have_text("no clock")
    friend.get_by_role("button", name=re.compile("^Accept")).click()
    expect(page.locator(".table")).to_be_visible()
    friend.once("dialog", lambda dialog: dialog.accept())
    friend.locator("details.more summary", has_text="More").click()
    friend.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_contain_text("You have won!")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".setup .player").first).to_contain_text(guest)
    friend.get_by_role("button", name="Rematch").click()
    expect(friend).to_have_url(page.url)
    expect(friend.locator(".table")).to_be_visible()


def create_against(visitor: Visitor, guest: str, number: str) -> None:
    """Create a match of two against a player whose number is known."""
    page = visitor.open("#/new?game=speicherstadt")
    page.get_by_role("button", name="Remove a seat").click()
    page.get_by_role("combobox", name="Seat 2").select_option("invited")
    page.get_by_label("Whom to invite").fill(number)
    page.get_by_role("button", name=guest).click()
    page.get_by_role("button", name="Create the match").click()
    expect(page.locator(".setup")).to_be_visible()


def test_a_browser_that_blocks_storage_can_play(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        "Object.defineProperty(window, 'localStorage',"
        " {get() { throw new DOMException('blocked', 'SecurityError'); }});"
        "Object.defineProperty(window, 'indexedDB',"
        " {get() { throw new DOMException('blocked', 'SecurityError'); }});"
    )
    page = visitor.open()
    expect(page.get_by_text("Your browser blocks storage.")).to_be_visible()
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()
    page.wait_for_selector(MOVES)
    play_one_move(page)


def test_an_unreachable_service_at_the_first_load_shows_a_message_and_a_way_to_continue(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit(locale="de-DE", reduced_motion="reduce")
    visitor.expected = ["Failed to load resource", "ERR_FAILED", "Failed to fetch"]
    visitor.context.route(re.compile("/v1/games$"), lambda route: route.abort())
    page = visitor.open("#/new")
    expect(page.get_by_text("Der Dienst antwortet nicht.")).to_be_visible()
    visitor.context.route(re.compile("/i18n/"), lambda route: route.abort())
    page.reload()
    expect(page.locator("main.starting").get_by_text("Der Dienst antwortet nicht.")).to_be_visible()
    visitor.context.unroute_all()
    page.get_by_role("button", name="Neu laden").click()
    expect(page.get_by_role("heading", name="Neue Partie")).to_be_visible()
    visitor.context.route(re.compile("/app.js$"), lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()


def test_a_page_that_is_older_than_the_service_says_so(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.expected = ["Failed to load resource", "MIME type", "dynamically imported"]
    visitor.context.route(
        re.compile("/web/[0-9a-f]+/pages/lobby.js"), lambda route: route.fulfill(status=404, json={})
    )
    visitor.context.route(
        re.compile("/$"),
        lambda route: (
            route.fulfill(json={"page_build": "other"})
            if route.request.resource_type == "fetch"
            else route.continue_()
        ),
    )
    page = visitor.open("#/lobby")
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    expect(page.get_by_text("The service has been upgraded since you opened this page.")).to_be_visible()
    expect(page.get_by_role("button", name="Reload").first).to_be_visible()


def test_every_page_says_that_it_is_my_turn_or_that_somebody_invites_me(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    visitor, ben = visit(), ada.register("Ben")
    page = ben.open_page(visitor, "#/players")
    match = ben.create_and_join("speicherstadt")
    banner = page.locator(".banner.call")
    expect(banner).to_contain_text("It is your turn in The Speicherstadt.")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("header.site .count")).to_have_text("1")
    assert faults(page, tools) == []
    banner.get_by_role("link", name="Play").click()
    expect(page).to_have_url(re.compile(match))
    expect(banner).to_have_count(0)
    ben.post(f"/v1/matches/{match}/resignation")
    invited = {"type": "invited", "player": ben.get("/v1/me")["id"]}
    ada.post("/v1/matches", {"game": "europe", "seats": [{"type": "open"}, invited, {"type": "open"}]})
    page = visitor.open("#/tournaments")
    expect(banner).to_contain_text("You are invited to Settlers of Europe.")
    banner.get_by_role("link", name="View").click()
    expect(page.get_by_role("button", name=re.compile("^Accept")).first).to_be_visible()


def test_the_creator_gives_a_declined_seat_to_a_bot_and_the_match_begins(
    visit: Callable[..., Visitor], ada: ApiPlayer, tools: Path
) -> None:
    visitor, ben = visit(), ada.register("Ben")
    page = ben.open_page(visitor, "#/account")
    me = ben.get("/v1/me")["id"]
    seats = [{"type": "invited", "player": one} for one in (me, ada.get("/v1/me")["id"])]
    match = ben.post("/v1/matches", {"game": "speicherstadt", "seats": seats, "private": True})["id"]
    page = visitor.open(f"#/match/{match}")
    page.get_by_role("button", name=re.compile("^Accept")).click()
    page.get_by_text("Give to a bot Seat 2").click()
    assert faults(page, tools) == []
    page.locator("details[open]").get_by_role("button", name="Casual").click()
    expect(page.locator(".table")).to_be_visible()


def test_a_turn_that_comes_while_the_board_is_still_loading_is_shown(
    visit: Callable[..., Visitor], ada: ApiPlayer, url: str
) -> None:
    ben, visitor = ApiPlayer(url).register("Ben"), visit()
    match = ada.create_and_join("speicherstadt", {"type": "open"}, options={"first_seat": 0})
    ben.join(match, 1)
    moved: list[Any] = []

    def move_first(route: Route) -> None:
        if not moved:
            moved.append(
                ada.post(f"/v1/matches/{match}/moves", ada.get(f"/v1/matches/{match}")["legal_moves"][0])
            )
            time.sleep(1)  # the page receives the move before it has loaded the board
        route.continue_()

    visitor.page.route(re.compile(r"/games/speicherstadt/board\.js"), move_first)
    page = ben.open_page(visitor, f"#/match/{match}")
    expect(page.locator(".table")).to_be_visible()
    expect(page.locator(".log li").last).to_contain_text("Ada opens the line")
    assert len(moved) == 1
