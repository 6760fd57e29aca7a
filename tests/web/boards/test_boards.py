"""The boards in a browser: every legal move can be reached, and all texts and states are accessible."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from kontor_games.domain.games import installed_games
from tests.web.accessibility import faults
from tests.web.boards.harness import ROOT, harness
from tests.web.boards.positions import MATCHES, Position, page_data, sampled
from tests.web.browser import Visitor, visiting

GAMES = tuple(MATCHES)
LANGUAGES = ("en", "de", "fr", "it", "es")
PHONE = {"width": 360, "height": 740}
REACH = (Path(__file__).parent / "reach.js").read_text(encoding="utf-8")

Shown = dict[str, list[Position]]


@pytest.fixture(scope="module")
def positions() -> Shown:
    return {game: sampled(game) for game in GAMES}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with harness() as found:
        yield found


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    with visiting(browser, address.rstrip("/")) as one:
        one.page.goto(address)
        one.page.wait_for_function("() => Boolean(window.show)")
        yield one


def show(page: Page, game: str, position: Position, language: str = "en", **settings: Any) -> str:
    """Show a position; return the prompt that says what the player can do."""
    key = f"{game} {position['data_set']} {language}"
    if not page.evaluate("(key) => key in window.known", key):
        data = page_data(game, position["data_set"], language)
        page.evaluate("([key, data]) => { window.known[key] = data; }", [key, data])
    prompt: str = page.evaluate("(args) => window.show(...args)", [game, language, position, key, settings])
    return prompt


def one_of_each(positions: list[Position]) -> list[Position]:
    """Return one position of each phase."""
    return list({position["view"]["phase"]: position for position in positions}.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_move_occurs_in_the_samples(positions: Shown, game: str) -> None:
    seen = {entry["move"]["type"] for position in positions[game] for entry in position["moves"]}
    assert seen == set(installed_games()[game].rules().move_codec.types)


def first_and_last(position: Position, tried: set[tuple[str, str]]) -> list[int]:
    """Return the first and last move of each kind that was not yet tried in this phase."""
    kinds = dict[str, list[int]]()
    for entry in position["moves"]:
        kinds.setdefault(entry["move"]["type"], []).append(entry["index"])
    phase = position["view"]["phase"]
    fresh = [kind for kind in kinds if (phase, kind) not in tried]
    tried.update((phase, kind) for kind in fresh)
    return sorted({place for kind in fresh for place in (kinds[kind][0], kinds[kind][-1])})


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_can_be_reached_by_clicks(visitor: Visitor, positions: Shown, game: str) -> None:
    lost, tried = list[Any](), set[tuple[str, str]]()
    for position in positions[game]:
        if indexes := first_and_last(position, tried):
            show(visitor.page, game, position)
            visitor.page.evaluate(f"{REACH}; null")
            unreached = visitor.page.evaluate("indexes => unreached(indexes)", indexes)
            lost += [position["moves"][index]["move"] for index in unreached]
    assert lost == []
    assert {kind for _, kind in tried} == set(installed_games()[game].rules().move_codec.types)


@pytest.mark.parametrize("game", GAMES)
def test_spectators_can_choose_nothing(visitor: Visitor, positions: Shown, game: str) -> None:
    for position in one_of_each(positions[game]):
        show(visitor.page, game, position, interactive=False)
        assert visitor.page.locator("[data-moves], [data-open], [data-target]").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_chosen_move_is_marked(visitor: Visitor, positions: Shown, game: str) -> None:
    for position in one_of_each(positions[game]):
        listed = [entry for entry in position["moves"] if "schema" not in entry["move"]]
        if not listed:
            continue
        show(visitor.page, game, position)
        visitor.page.evaluate("(index) => { calls.chosen = index; repaint(); }", listed[0]["index"])
        marked = visitor.page.evaluate(
            "() => [...document.querySelectorAll('[aria-pressed=\"true\"]')]"
            ".flatMap((one) => (one.dataset.moves ?? '').split(' '))"
        )
        assert str(listed[0]["index"]) in marked, position["view"]["phase"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_accessibility_violations_are_found(
    browser: Browser, address: str, tools: Path, positions: Shown, game: str, scheme: str
) -> None:
    size = PHONE if scheme == "dark" else {"width": 1200, "height": 900}
    with visiting(browser, address.rstrip("/"), color_scheme=scheme, viewport=size) as visitor:
        page = visitor.page
        page.goto(address)
        shown = one_of_each(positions[game])
        # The colours are the same in all phases; everything else is checked in the light scheme.
        for position in shown[-2:] if scheme == "dark" else shown:
            show(page, game, position)
            assert faults(page, tools) == [], position["view"]["phase"]
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", GAMES)
def test_every_string_exists_in_every_language(visitor: Visitor, positions: Shown, game: str) -> None:
    folder = ROOT / "web" / "games" / game / "i18n"
    strings = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in LANGUAGES}
    assert [list(found) for found in strings.values()] == [list(strings["en"])] * len(LANGUAGES)
    prompts = [show(visitor.page, game, position) for position in positions[game] if position["moves"]]
    show(visitor.page, game, positions[game][-1])
    assert visitor.page.evaluate("() => window.missing") == []
    assert "" not in prompts


MOVING = (
    "() => document.getAnimations().filter(({ effect }) => effect?.target?.dataset?.piece)"
    ".map(({ effect }) => effect.target.dataset.piece)"
)
"""The pieces that are in motion."""
MARKED = "() => [...document.querySelectorAll('[data-fresh]')].map(({ dataset }) => dataset.piece)"
"""The pieces that are marked as new."""


def with_worker_sent(view: Any) -> Any:
    """The view after seat 0 has put a worker on the first card."""
    row = [{**view["row"][0], "line": [*view["row"][0]["line"], 0]}, *view["row"][1:]]
    seats = [{**view["seats"][0], "workers": view["seats"][0]["workers"] - 1}, *view["seats"][1:]]
    return {**view, "row": row, "seats": seats}


def with_robber_moved(view: Any) -> Any:
    """The view after the robber has moved to a hex with a number."""
    return {**view, "robber": next(at for at in view["numbers"] if at != view["robber"])}


@pytest.mark.parametrize(
    ("game", "phase", "changed", "piece"),
    [
        ("speicherstadt", "demand", with_worker_sent, "worker 0"),
        ("europe", "robber", with_robber_moved, "robber"),
    ],
)
@pytest.mark.parametrize("still", [False, True])
def test_changes_are_marked_and_animated_unless_reduced_motion_is_set(
    visitor: Visitor, positions: Shown, game: str, phase: str, changed: Any, piece: str, still: bool
) -> None:
    before = next(one for one in positions[game] if one["view"]["phase"] == phase)
    after = {**before, "view": changed(before["view"]), "previous": before["view"]}
    show(visitor.page, game, before)
    show(visitor.page, game, after, reducedMotion=still, since=before["view"])
    assert visitor.page.evaluate(MOVING) == ([] if still else [piece])
    assert visitor.page.evaluate(MARKED) == [piece]


def test_a_piece_and_its_destination_are_chosen_by_keys_alone(visitor: Visitor, positions: Shown) -> None:
    kinds = ("move_merchant", "move_caravan")
    position = next(
        one
        for one in positions["europe"]
        if one["view"]["phase"] == "action" and any(entry["move"]["type"] in kinds for entry in one["moves"])
    )
    page = visitor.page
    show(page, "europe", position)
    page.locator(".own-piece").first.focus()
    page.keyboard.press("Enter")
    led = page.evaluate("() => document.activeElement.dataset.moves")
    assert page.locator(".own-piece[aria-pressed='true']").count() == 1
    page.keyboard.press("Enter")
    chosen = page.evaluate("() => calls.chosen")
    assert str(chosen) in led.split(" ")
    assert position["moves"][chosen]["move"]["type"] in kinds


def test_arrow_keys_move_between_places_and_enter_chooses_one(visitor: Visitor, positions: Shown) -> None:
    position = next(one for one in positions["europe"] if one["view"]["phase"] == "robber")
    show(visitor.page, "europe", position)
    assert visitor.page.locator(".map [tabindex='0']").count() == 1
    visitor.page.locator(".map [tabindex='0']").focus()
    first = visitor.page.evaluate("() => document.activeElement.dataset.moves")
    visitor.page.keyboard.press("ArrowDown")
    second = visitor.page.evaluate("() => document.activeElement.dataset.moves")
    visitor.page.keyboard.press("Enter")
    assert first != second
    assert visitor.page.evaluate("() => String(calls.chosen)") == second


def test_an_offer_is_put_together_with_steppers(visitor: Visitor, positions: Shown, tools: Path) -> None:
    position = next(
        one
        for one in positions["europe"]
        if one["you"] == one["view"]["active"]
        and one["view"]["players"][one["you"]].get("gold")
        and any(entry["move"]["type"] == "offer_trade" for entry in one["moves"])
    )
    page = visitor.page
    show(page, "europe", position)
    page.get_by_role("button", name="Offer a trade").click()
    page.get_by_role("group", name="You give").get_by_role("button", name="More Gold").click()
    page.get_by_role("group", name="You get").get_by_role("button", name="More Salt").click()
    assert faults(page, tools) == []
    page.get_by_role("button", name="Make this offer").click()
    offer = {"type": "offer_trade", "give": {"gold": 1}, "want": {"salt": 1}, "to": []}
    assert page.evaluate("() => calls.proposed") == offer
