"""An operator who cheats against the page in tournaments and in matches that a seek found."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from tests.client.dishonest_service import modes
from tests.client.dishonest_service.cheating_operator import Operator
from tests.support.waiting import wait_until
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_dishonest_service import (
    DEALT,
    SWAPPED,
    cheated,
    never_from_the_cache,
    operator,
    play_one_move,
    stop,
)
from tests.web.test_players import resign, seek

__all__ = ["cheated", "operator"]
GAME = "speicherstadt"
TERMS: dict[str, Any] = {
    "title": "Cup", "game": GAME, "seats": 2, "least_seats": 2, "points": [2, 0], "format": "swiss",
    "rounds": 1, "rotated": True, "correction_ms": 0,
}  # fmt: skip


# Tournaments


class Cup:
    """A tournament with rotated deals: the player of the page and another one, who contributes nothing."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.organiser = ApiPlayer(operator.url).register("Olga")
        self.path = f"/v1/tournaments/{self.organiser.post('/v1/tournaments', TERMS)['id']}"
        self.do("opening")
        self.friend = self.organiser.register("Ben")

    @property
    def address(self) -> str:
        """The page of the tournament."""
        return f"#/tournament/{self.path.rpartition('/')[2]}"

    def do(self, what: str, body: Any = None) -> None:
        """Carry out a command of the organiser."""
        self.organiser.post(f"{self.path}/{what}", body)

    def status(self) -> str:
        """What the service says about the tournament."""
        return str(self.organiser.get(self.path)["status"])

    def work(self) -> None:
        """Let the service open matches and record results."""
        self.operator.kontor.tournament_worker().step_all()

    def open_match(self) -> str:
        """The id of the next match; with rotated deals both are open at once."""
        self.work()
        found = self.organiser.get("/v1/matches?status=open")["matches"]
        return str(found[0]["id"])


def enter(visitor: Visitor, cup: Cup) -> Page:
    """Enter a tournament with the page."""
    page = visitor.open(cup.address)
    page.get_by_role("button", name="Enter the tournament").click()
    return page


def start(page: Page, cup: Cup) -> None:
    """Start; the page opens its contribution by itself."""
    expect(page.locator(MAIN).get_by_text("You have entered.")).to_be_visible()
    cup.friend.post(f"{cup.path}/entrants")
    cup.do("start")
    wait_until(lambda: cup.status() == "running")


def play_next(page: Page, cup: Cup, after_move: Callable[[str], None] = lambda _: None) -> str:
    """Play a match of the tournament: one move, if it is the player's turn, and then resign."""
    match = cup.open_match()
    page.goto(f"{cup.operator.url}/#/match/{match}")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    cup.friend.post(f"/v1/matches/{match}/seats", {"contribution": "0c" * 32})
    expect(page.locator(".turn-bar")).to_be_visible()
    if page.locator(".my-turn").count():
        play_one_move(page)
        expect(page.locator(".my-turn")).to_have_count(0)
        after_move(match)
    resign(page)
    return match


def finish(page: Page, cup: Cup) -> None:
    """Sign the standings, and look at the tournament."""

    def over() -> bool:
        cup.work()
        return cup.status() == "provisional"

    wait_until(over)
    cup.do("sign-off")
    page.goto(f"{cup.operator.url}/{cup.address}")


def replace_the_move(operator: Operator, match: str, player: str) -> None:
    """Replace the first move of a player by another one."""
    call = Call(Caller(player, bot=False, scopes=frozenset({"play"}), token=""))
    operator.ignore_signatures()
    _, moves = operator.take_back_moves(match, player)
    other = next(one for one in operator.legal_moves(call, match) if one not in moves)
    operator.kontor.matches.play(call, match, [other])


MAIN = "#main"
CONTRADICTED = "The record of this tournament or of one of your matches in it is wrong"
COMPARED = "Your browser has compared the whole record with what it kept"


def test_an_honest_tournament_passes(operator: Operator, cheated: Visitor) -> None:
    cup = Cup(operator)
    page = enter(cheated, cup)
    start(page, cup)
    matches = [play_next(page, cup) for _ in range(2)]
    finish(page, cup)
    expect(page.locator(MAIN)).to_contain_text(COMPARED)
    for match in matches:
        page.goto(f"{operator.url}/#/match/{match}")
        expect(page.locator(".result")).to_contain_text(COMPARED)
    page.goto(f"{operator.url}/{cup.address}/check")
    expect(page.locator(".findings.proved")).to_contain_text("Your entry and your contribution are those")


def test_the_commitment_of_a_tournament_is_compared_with_the_one_before_the_entry(
    operator: Operator, cheated: Visitor
) -> None:
    modes.other_commitment(operator)
    page = enter(cheated, Cup(operator))
    stop(page, SWAPPED)


@pytest.mark.parametrize("next_visit", [False, True], ids=["at the end", "on the next visit"])
def test_another_entry_than_the_page_sent_is_noticed(
    operator: Operator, cheated: Visitor, next_visit: bool
) -> None:
    """The player does not sign; otherwise no verifier accepts the file."""
    modes.replaced_entries(operator)
    cup = Cup(operator)
    cheated.page.add_init_script("localStorage['kontor.unsigned'] = 'true'")
    page = enter(cheated, cup)
    expect(page.locator(MAIN).get_by_text("You have entered.")).to_be_visible()
    cup.do("cancellation", {"why": "rain"})
    if next_visit:
        page.goto(f"{operator.url}/#/lobby")
        page.reload()
    alert = page.get_by_role("alert").filter(has_text=CONTRADICTED)
    alert.get_by_role("link", name="Check the tournament").first.click()
    expect(page.locator(".findings.wrong")).to_contain_text("what this browser stored when you entered")


DEALS: dict[str, Callable[[Operator], object]] = {
    "all deals chosen": modes.own_deals,
    "a deal exchanged": modes.exchange_a_deal,
    "a deal exchanged and hidden": modes.exchange_a_deal_and_hide_it,
}


@pytest.mark.parametrize("cheat", DEALS.values(), ids=DEALS)
def test_a_rotated_tournament_with_another_deal_is_noticed_at_its_end(
    operator: Operator, cheated: Visitor, cheat: Callable[[Operator], object]
) -> None:
    cheat(operator)
    cup = Cup(operator)
    page = enter(cheated, cup)
    start(page, cup)
    for _ in range(2):
        play_next(page, cup)
    finish(page, cup)
    expect(page.get_by_role("alert").filter(has_text=CONTRADICTED)).to_be_visible()


def test_a_match_of_a_block_is_compared_again_when_its_secret_is_revealed(
    operator: Operator, cheated: Visitor
) -> None:
    """Until then its record is incomplete. The file of the tournament is right, as far as verifiers know."""
    cup = Cup(operator)
    cheated.page.add_init_script("localStorage['kontor.unsigned'] = 'true'")
    page = enter(cheated, cup)
    start(page, cup)
    player = str(page.evaluate("JSON.parse(localStorage['kontor.account']).id"))
    replaced: list[str] = []

    def replace_it(match: str) -> None:
        replace_the_move(operator, match, player)
        replaced.append(match)

    for _ in range(2):
        play_next(page, cup, replace_it)
    finish(page, cup)
    expect(page.get_by_role("alert").filter(has_text=CONTRADICTED)).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="Check the tournament").click()
    expect(page.locator(".verdict")).to_contain_text("Everything that can be checked here is right.")
    page.goto(f"{operator.url}/#/match/{replaced[0]}/check")
    expect(page.locator(".verdict.alert, .findings.wrong")).to_contain_text("the service has signed another")


# Matches that a seek found


class Mode(NamedTuple):
    """A manipulation, and what the page says: at once, or when the match is over."""

    cheat: Callable[[Operator], None]
    at_once: str | None = None
    later: str | None = None


OTHER_TERMS = "The service has created a match with other terms than you requested."
SEEKS = {
    "a secret exchanged": Mode(modes.exchange_the_secret, SWAPPED),
    "a secret exchanged and hidden": Mode(modes.exchange_the_secret_and_hide_it, None, DEALT),
    "an open seed, hidden": Mode(modes.add_an_open_seed, None, DEALT),
    "a deal fixed by a tournament": Mode(modes.fix_the_deal, OTHER_TERMS),
    "no signed commitment": Mode(modes.sign_no_commitment, "has not signed its commitment to a secret"),
    "another clock": Mode(modes.find_another_clock, OTHER_TERMS),
    "not rated": Mode(modes.find_an_unrated_match, OTHER_TERMS),
}


@pytest.mark.parametrize("mode", SEEKS.values(), ids=SEEKS)
def test_the_page_of_a_seeker_notices_what_the_operator_does(
    operator: Operator, cheated: Visitor, mode: Mode
) -> None:
    mode.cheat(operator)
    never_from_the_cache(operator)
    cheated.page.add_init_script("localStorage['kontor.unsigned'] = 'true'")
    page = seek(cheated)
    ben = ApiPlayer(operator.url).register("Ben")
    wanted = {"kind": "bank", "ms": 600_000, "increment_ms": 5000}
    sought = ben.post("/v1/seeks", {"game": GAME, "seats": 2, "rated": True, "clock": wanted})

    def offered() -> bool:
        operator.kontor.matchmaker().step()
        return bool(ben.get("/v1/seeks?mine=true")["seeks"][0]["match"])

    wait_until(offered)
    if mode.at_once:
        stop(page, mode.at_once)
        return
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    match = next(one for one in ben.get("/v1/seeks?mine=true")["seeks"] if one["id"] == sought["id"])["match"]
    ben.post(f"/v1/matches/{match}/seats", {"contribution": "0c" * 32})
    expect(page.locator(".turn-bar")).to_be_visible()
    resign(page)
    alert = page.get_by_role("alert").filter(has_text="contradicts what your browser kept")
    alert.get_by_role("link", name="Check this match").click()
    expect(page.locator(".findings.wrong").filter(has_text=mode.later)).to_be_visible()
