"""An operator who cheats against the page: it stops, or says what is wrong when the match is over."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, expect

from kontor_client.ed25519 import to_base64
from kontor_games.domain.commands import Join
from kontor_games.domain.player_signatures import signed_text
from kontor_games.service.errors import UnavailableError
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.store.match_cache import CachedMatch
from tests.client.dishonest_service.cheating_operator import Operator, run_operated_service
from tests.support.node import ROOT
from tests.web.browser import Visitor, visiting
from tests.web.matches import ApiPlayer, confirm_each_move

GAME = "speicherstadt"
MOVES, MAIN = ".move-buttons button", "#main"


@pytest.fixture
def operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operator]:
    with run_operated_service(tmp_path, monkeypatch) as running:
        yield running


@pytest.fixture
def cheated(browser: Browser, operator: Operator) -> Iterator[Visitor]:
    """A browser profile whose service cheats."""
    with visiting(browser, operator.url) as visitor:
        confirm_each_move(visitor)
        visitor.expected = ["Failed to load resource"]
        yield visitor


# What the operator does


def any_other(_: bytes) -> bool:
    return True


def grind(operator: Operator) -> None:
    """Exchange the secret once the contribution is known."""
    operator.grind(any_other)
    swap = operator._before_joining

    def swap_once(log: CachedMatch, joining: Join) -> None:
        operator.before_joining(lambda *_: None)
        swap(log.name, joining)

    operator.before_joining(swap_once)


def grind_and_hide(operator: Operator) -> None:
    grind(operator)
    operator.hide_swapped_commitments()


def never_from_the_cache(operator: Operator) -> None:
    """Send every match in full: the exchanged one has the version of the first."""
    show = operator.kontor.queries.show

    def show_in_full(*given: Any, is_known: Any = None, **more: Any) -> Any:
        return show(*given, is_known=is_known and (lambda *_: False), **more)

    operator.patch.setattr(operator.kontor.queries, "show", show_in_full)


def refuse_the_first_attempt(operator: Operator) -> None:
    """Exchange the secret when the first contribution arrives, and be busy until the player tries again."""
    attempts: list[Join] = []
    swap = operator._before_joining

    def refuse(log: CachedMatch, joining: Join) -> None:
        operator.before_joining(refuse)
        attempts.append(joining)
        if len(attempts) == 1:
            swap(log.name, joining)
            raise UnavailableError("Please try again.")

    operator.before_joining(refuse)


def grind_and_refuse(operator: Operator) -> None:
    grind(operator)
    refuse_the_first_attempt(operator)
    never_from_the_cache(operator)


def grind_refuse_and_hide(operator: Operator) -> None:
    grind_and_refuse(operator)
    shown: dict[str, Any] = {}

    def show_the_first(seen: Any, chance: Any) -> Any:
        first = shown.setdefault(seen.id, chance)
        signed = first.signed if chance.signed else None
        return msgspec.structs.replace(chance, commitment=first.commitment, signed=signed)

    operator.change_chance(show_the_first)


def record_own_key(operator: Operator) -> None:
    """Put the operator's key at the player's seat, and sign every command of the player with it."""
    pair, honest = Ed25519PrivateKey.generate(), operator.kontor.matches._handler.draft
    public = to_base64(pair.public_key().public_bytes_raw())

    def draft(log: CachedMatch, call: Any, command: Any, *rest: Any) -> Any:
        if getattr(command, "signature", None) is not None:
            command = replace(command, signature=None)
            if isinstance(command, Join):
                command = replace(command, key=public)
            text = signed_text(log.name, log.state.rules, log.state.version, log.heads[-1], call.by, command)
            command = replace(command, signature=to_base64(pair.sign(text)))
        return honest(log, call, command, *rest)

    operator.patch.setattr(operator.kontor.matches._handler, "draft", draft)


def record_own_key_and_hide(operator: Operator) -> None:
    """Show the player's own key in all answers."""
    record_own_key(operator)
    presenter = operator.kontor.matches._presenter
    honest = presenter.details

    def details(seen: Any) -> Any:
        answer = honest(seen)
        own = next((join.key for join in operator.joined if join.key), None)
        seats = tuple(msgspec.structs.replace(one, key=own if one.key else None) for one in answer.seats)
        return msgspec.structs.replace(answer, seats=seats)

    operator.patch.setattr(presenter, "details", details)


def make_other_moves(operator: Operator) -> None:
    """Play the first legal move in place of the player's."""
    record_own_key_and_hide(operator)
    operator.on_moves(lambda play, call, match, _: play(call, match, [operator.legal_moves(call, match)[0]]))


def record_another_contribution(operator: Operator) -> None:
    record_own_key_and_hide(operator)
    honest = operator.kontor.matches._handler.draft

    def draft(log: CachedMatch, call: Any, command: Any, *rest: Any) -> Any:
        if isinstance(command, Join):
            command = replace(command, contribution="0" * 64)
        return honest(log, call, command, *rest)

    operator.patch.setattr(operator.kontor.matches._handler, "draft", draft)


def sign_two_histories(operator: Operator) -> None:
    """Answer the second move with a receipt for another history up to the version of the first."""
    answers: list[Any] = []

    def play(honest: Callable[..., Any], *given: Any) -> Any:
        answer = honest(*given)
        answers.append(answer)
        if len(answers) == 1:
            return answer
        first, head = answers[0].receipt, "0" * 64
        receipt = operator.signer.receipt(first.match, first.version, head, first.at)
        position = msgspec.structs.replace(answer.position, version=first.version, head=head)
        return msgspec.structs.replace(answer, position=position, receipt=receipt)

    operator.on_moves(play)


# What the player does


def create(page: Page, operator: Operator) -> None:
    """Play against house bots with one click."""
    page.goto(operator.url)
    page.get_by_role("button", name="Play against bots The Speicherstadt").click()


def join(page: Page, operator: Operator) -> None:
    """Take the first seat of another player's match."""
    page.goto(f"{operator.url}/#/match/{open_match(operator)}")
    page.get_by_role("button", name=re.compile("^Take this seat")).first.click()


def join_twice(page: Page, operator: Operator) -> None:
    """Take the seat again after a refusal."""
    join(page, operator)
    expect(page.get_by_role("alert").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Take this seat")).first.click()


def open_match(operator: Operator) -> str:
    ada = ApiPlayer(operator.url).register("Ada")
    return str(ada.post("/v1/matches", {"game": GAME, "seats": [{"type": "open"}, {"type": "open"}]})["id"])


def play_and_resign(page: Page) -> None:
    """Wait for an opponent, make the last of the listed moves if it is the player's turn, and resign."""
    leave = page.get_by_role("button", name="Leave")
    expect(page.locator(".turn-bar").or_(leave)).to_be_visible()
    if leave.count():
        address, _, match = page.url.partition("/#/match/")
        opponent = ApiPlayer(address).register("Ben")
        free = [one["seat"] for one in opponent.get(f"/v1/matches/{match}")["seats"] if not one["player"]]
        opponent.join(match, *free)
    expect(page.locator(".turn-bar")).to_be_visible()
    if page.locator(".my-turn").count():
        play_one_move(page)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("details.more summary", has_text="More").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_be_visible()


def play_one_move(page: Page) -> None:
    """Make the last of the listed moves; if the position changes meanwhile, the page asks again."""
    expect(page.locator(".my-turn")).to_be_visible()
    page.locator(MOVES).last.click()
    page.wait_for_function(CONFIRM)


CONFIRM = """() => {
  document.querySelector("#confirm:enabled")?.click();
  return !document.querySelector(".confirm") || document.querySelector(".confirm .alert");
}"""


class Mode(NamedTuple):
    """A manipulation, and what the page says about it."""

    cheat: Callable[[Operator], None]
    enter: Callable[[Page, Operator], None]
    at_once: str | None = None
    """The sentence with which the page stops; otherwise the match is played."""
    later: str | None = None
    """What the check of the finished match says."""
    signs: bool = True
    """Whether the player signs: where not, the head that a signature covers reveals nothing."""


SWAPPED = "The service now shows another commitment or other terms than when you first wanted to join"
DEALT = "The commitment or the rules are not those that you were shown"
REWRITTEN = "the service has signed another history: a kept receipt names another hash here"
OTHER_KEY = "Your seat is recorded with a signing key that is not the one of this browser"
NOT_MINE = "is missing, or is not the one that you sent"
MODES = {
    "a ground secret, on joining": Mode(grind, join, SWAPPED, signs=False),
    "a ground secret, on creating": Mode(grind, create, SWAPPED, signs=False),
    "a ground secret, hidden, on joining": Mode(grind_and_hide, join, None, DEALT, signs=False),
    "a ground secret, hidden, on creating": Mode(grind_and_hide, create, None, REWRITTEN, signs=False),
    "a ground secret after a refusal": Mode(grind_and_refuse, join_twice, SWAPPED),
    "a ground secret after a refusal, hidden": Mode(grind_refuse_and_hide, join_twice, None, DEALT),
    "another key at the seat": Mode(record_own_key, join, OTHER_KEY),
    "another key at the seat, hidden": Mode(record_own_key_and_hide, join, None, OTHER_KEY),
    "other moves, signed with another key": Mode(make_other_moves, create, None, NOT_MINE),
    "another contribution, signed with another key": Mode(
        record_another_contribution, join, None, "Your contribution to the deal is missing or different"
    ),
}


def stop(page: Page, sentence: str) -> None:
    expect(page.locator(MAIN).get_by_text(sentence)).to_be_visible()


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_the_page_reports_what_the_operator_did(operator: Operator, cheated: Visitor, mode: Mode) -> None:
    mode.cheat(operator)
    page = cheated.page
    if not mode.signs:
        page.add_init_script("localStorage['kontor.unsigned'] = 'true'")
    mode.enter(page, operator)
    if mode.at_once:
        stop(page, mode.at_once)
        return
    play_and_resign(page)
    assert mode.later is not None
    alert = page.get_by_role("alert").filter(has_text="contradicts what your browser kept")
    alert.get_by_role("link", name="Check this match").click()
    expect(page.locator(".verdict.alert, .findings.wrong").filter(has_text=mode.later)).to_be_visible()


TERMS = {
    "public": {"private": False},
    "unsigned": {"signed": False},
    "open to programs": {"meet_bots": True},
    "practice": {"practice": True},
    "another clock": {"clock": {"kind": "per_move", "ms": 30_000, "increment_ms": 0}},
    "returned time": {"max_returned_ms": None},
    "other seats": {"seats": (SeatSpec("bot", bot="greedy"), SeatSpec("open"))},
}


@pytest.mark.parametrize("made", TERMS.values(), ids=TERMS)
def test_the_page_does_not_join_a_match_with_other_terms_than_it_requested(
    operator: Operator, cheated: Visitor, made: dict[str, Any]
) -> None:
    honest = operator.kontor.matches.create
    operator.patch.setattr(
        operator.kontor.matches, "create", lambda call, spec: honest(call, replace(spec, **made))
    )
    page = cheated.open("#/new?game=speicherstadt")
    page.get_by_role("button", name="Remove a seat").click()
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.get_by_label("Private").check()
    page.get_by_label("Programs may join").uncheck()
    page.get_by_label("Everybody signs").check()
    page.get_by_label("Clocks run during outages").check()
    page.get_by_role("button", name="Create the match").click()
    stop(page, "The service has created a match with other terms than you requested.")
    assert operator.joined == []


def test_two_receipts_for_one_version_are_both_kept_and_shown(operator: Operator, cheated: Visitor) -> None:
    sign_two_histories(operator)
    page = cheated.page
    create(page, operator)
    play_one_move(page)
    play_one_move(page)
    stop(page, "The service has signed two different histories of this match.")
    match = page.url.rpartition("/")[2]
    page.goto(f"{operator.url}/#/match/{match}/check")
    wrong = page.locator(".findings.wrong")
    expect(wrong).to_contain_text("The service has signed two histories up to version")
    expect(wrong).to_contain_text("0" * 16)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save your receipts").click()
    assert '"' + "0" * 64 + '"' in saved.value.path().read_text(encoding="utf-8")


@pytest.mark.parametrize("enter", [create, join], ids=["create", "join"])
def test_an_honest_service_passes(
    operator: Operator, cheated: Visitor, enter: Callable[[Page, Operator], None]
) -> None:
    page = cheated.page
    enter(page, operator)
    play_and_resign(page)
    expect(page.locator(".result")).to_contain_text("Your browser has compared the whole record")
    page.get_by_role("link", name="Check this match").click()
    expect(page.locator(".findings.proved")).to_contain_text("Your own contribution is part of the deal.")
    expect(page.locator(".findings.proved")).to_contain_text("the signing key of your seat and your commands")


def test_a_refused_attempt_is_repeated_with_the_same_contribution(
    operator: Operator, cheated: Visitor
) -> None:
    """A service that was only busy gets the contribution that it already knows, for the same commitment."""
    refuse_the_first_attempt(operator)
    page = cheated.page
    join(page, operator)
    play_and_resign(page)
    expect(page.locator(".result")).to_contain_text("Your browser has compared the whole record")
    first, second = (one.contribution for one in operator.joined if one.key)
    assert first == second


def test_the_browser_decides_the_published_signatures_as_every_verifier_must(visitor: Visitor) -> None:
    """Those of Wycheproof, and keys of small order."""
    vectors = json.loads((ROOT / "docs/vectors/ed25519.json").read_bytes())
    page = visitor.open()
    checked = page.evaluate(
        """async (vectors) => {
          const app = document.querySelector('script[type=module][src$="app.js"]').src;
          const [{ isSigned }, { checkSignatureVectors }] = await Promise.all(
            ["crypto", "vectors"].map((name) => import(new URL(`verifier/${name}.mjs`, app).href)));
          let count = 0;
          await checkSignatureVectors(vectors, (...given) => { count += 1; return isSigned(...given); });
          return count;
        }""",
        vectors,
    )
    assert checked == sum(map(len, vectors.values()))


def test_a_browser_without_ed25519_says_so_and_plays_without_signatures(
    visitor: Visitor, finished: dict[str, str]
) -> None:
    visitor.context.add_init_script(
        "for (const name of ['importKey', 'generateKey']) crypto.subtle[name] = null"
    )
    page = visitor.open(f"#/match/{finished['speicherstadt']}/check")
    sentence = "Signatures can't be checked or made here"
    expect(page.locator("main")).to_contain_text(sentence)
    page = visitor.open("#/")
    expect(page.locator("p.banner")).to_contain_text(sentence)
    page.get_by_role("button", name="Play against bots").first.click()
    expect(page.locator(".turn-bar")).to_be_visible()
