"""Every page: in every language, on a phone, in both colour schemes, and with axe-core."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.accessibility import COLOURS, faults
from tests.web.browser import Visitor
from tests.web.matches import PATIENCE_S, ApiPlayer

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
GREETINGS = {
    "en-GB": "Play. Watch. Check.",
    "de-AT": "Spielen. Zusehen. Prüfen.",
    "fr-FR": "Jouer. Regarder. Vérifier.",
    "it-IT": "Gioca. Guarda. Verifica.",
    "es-ES": "Juega. Mira. Comprueba.",
}
SMALL = """
[...document.querySelectorAll("button, .button, select, \
input:not([type=checkbox]):not([type=radio]):not(.unseen), summary, nav a, .pill, .field.check")]
  .filter((one) => one.checkVisibility() && !one.closest(".unseen") && !(one instanceof SVGElement))
  .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([text]) => text)
"""
FULL = """
async () => {
  const app = document.querySelector("script[type=module]").src;
  const { get, set } = await import(app.replace("app.js", "lib/store.js"));
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    try {
      for (;;) localStorage.setItem(`filler ${Math.random()}`, "x".repeat(size));
    } catch {}
  }
  set("kept", { number: 1 });
  set("kept", { number: 2 });
  return get("kept");
}
"""
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def addresses(finished: dict[str, str]) -> list[str]:
    match = finished["speicherstadt"]
    return [
        "#/",
        "#/lobby",
        "#/new",
        "#/account",
        "#/check",
        "#/tournaments",
        "#/tournaments/new",
        "#/players",
        "#/seek",
        "#/rules/speicherstadt",
        "#/rules/europe/E-12",
        "#/nowhere",
        f"#/match/{match}",
        f"#/match/{match}/replay?at=60",
        f"#/match/{match}/check",
        f"#/match/{finished['europe']}/replay?at=120",
    ]


def open_and_wait(visitor: Visitor, address: str) -> Page:
    page = visitor.open(address)
    if address.endswith("/check") and "match" in address:
        expect(page.locator(".verdict")).to_be_visible()
    if "replay" in address:
        expect(page.locator(".slider")).to_be_visible()
    return page


def test_axe_finds_no_violations_on_any_page_in_light_and_dark(
    visit: Callable[..., Visitor], tools: Path, finished: dict[str, str]
) -> None:
    visitor, found = visit(color_scheme="light", reduced_motion="reduce"), {}
    for address in addresses(finished):
        page = open_and_wait(visitor, address)
        found[address] = faults(page, tools)
        page.emulate_media(color_scheme="dark")
        found[f"{address} in the dark"] = faults(page, tools, COLOURS)
        page.emulate_media(color_scheme="light")
    assert {address: one for address, one in found.items() if one} == {}


def report_of(ada: ApiPlayer) -> str:
    """Return the fairness report as HTML; it lists every match that was audited."""
    return httpx.get(f"{ada.url}/v1/fairness", headers={"Accept": "text/html"}, timeout=PATIENCE_S).text


def test_the_documents_beside_the_page_have_its_style_and_link_to_each_other(
    visit: Callable[..., Visitor], tools: Path, finished: dict[str, str], ada: ApiPlayer
) -> None:
    until = time.monotonic() + PATIENCE_S
    while not all(match in report_of(ada) for match in finished.values()):
        assert time.monotonic() < until
        time.sleep(1)
    visitor = visit(**PHONE)
    ground = "getComputedStyle(document.body).backgroundColor"
    page = visitor.open()
    expected = page.evaluate(ground)
    page.get_by_role("link", name="Fairness report").click()
    expect(page.get_by_role("heading", name="What to look at")).to_be_visible()
    expect(
        page.get_by_role("img", name=re.compile("Counts as shares of the expected counts")).first
    ).to_be_visible()
    assert (page.evaluate(ground), page.evaluate(WIDER), faults(page, tools)) == (expected, False, [])
    page.get_by_role("link", name="API", exact=True).click()
    expect(page.locator("#register_player")).to_be_visible()
    page.get_by_label("Find an operation").fill("export tournament")
    expect(page.locator("#register_player")).to_be_hidden()
    assert (page.evaluate(ground), page.evaluate(WIDER), faults(page, tools)) == (expected, False, [])
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API für Programme")
    assert (page.evaluate(WIDER), faults(page, tools)) == (False, [])
    page.get_by_role("link", name="Fairness", exact=True).click()
    expect(page.get_by_role("heading", name="Worauf zu achten ist")).to_be_visible()
    assert (page.evaluate(WIDER), faults(page, tools)) == (False, [])
    page.get_by_role("link", name="English").click()
    page.locator(f'a[href$="{finished["europe"]}/check"]').click()
    expect(page.locator(".verdict")).to_contain_text("Everything that can be checked here is right.")


def test_a_phone_shows_every_page_without_scrolling_sideways_and_with_targets_for_fingers(
    visit: Callable[..., Visitor], tools: Path, finished: dict[str, str]
) -> None:
    visitor = visit(**PHONE)
    for address in addresses(finished):
        page = open_and_wait(visitor, address)
        assert not page.evaluate(WIDER), address
        assert page.evaluate(SMALL) == [], address


@pytest.mark.parametrize("locale", GREETINGS)
def test_the_page_is_in_the_language_of_the_browser(
    visit: Callable[..., Visitor], finished: dict[str, str], locale: str
) -> None:
    visitor = visit(locale=locale)
    page = visitor.open()
    expect(page.get_by_role("heading", level=1)).to_have_text(GREETINGS[locale])
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    for address in addresses(finished)[1:]:
        open_and_wait(visitor, address)
        assert page.evaluate(
            r"/\b[a-z]+\.[a-z_]+\b/.exec(document.querySelector('main').innerText)"
        ) is None or address.startswith("#/rules"), address


def test_a_language_is_chosen_and_remembered(visitor: Visitor) -> None:
    page = visitor.open("#/lobby")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Partien")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Partien")


def test_forced_colours_and_the_themes_leave_everything_readable(
    visit: Callable[..., Visitor], finished: dict[str, str], tools: Path
) -> None:
    visitor = visit(forced_colors="active", reduced_motion="reduce")
    page = open_and_wait(visitor, f"#/match/{finished['speicherstadt']}/replay?at=60")
    expect(page.locator(".player .badge").first).to_have_text("A")
    page.emulate_media(forced_colors="none")
    for name in ("light", "dark"):
        page.get_by_role("button", name="Colours:").click()
        assert page.evaluate("document.documentElement.dataset.theme") == name
        assert faults(page, tools, COLOURS) == []


PAUSES = """() => {
  const { setTimeout } = window;
  window.pauses = [];
  window.setTimeout = (act, ms) => { pauses.push(ms); return setTimeout(act, ms); };
}"""
"""Records the delays of all further timers of the page."""


def test_a_link_to_a_rule_scrolls_to_it_and_focuses_it(visitor: Visitor) -> None:
    page = visitor.open("#/rules/speicherstadt/S-14")
    expect(page.locator("#rule-S-14")).to_be_focused()
    expect(page.locator("#rule-S-14")).to_be_in_viewport()


def test_the_replay_goes_through_a_match_by_slider_keys_and_jumps(
    visitor: Visitor, finished: dict[str, str], ada: ApiPlayer
) -> None:
    match = finished["speicherstadt"]
    page = visitor.open(f"#/match/{match}/replay")
    slider = page.get_by_label("Position", exact=True)
    expect(slider).to_be_visible()
    start = int(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(start + 1))
    page.keyboard.press("End")
    expect(page.locator(".player .place")).to_have_count(3)
    page.get_by_label("Seen by").select_option("1")
    expect(page).to_have_url(re.compile("eyes=1"))
    page.get_by_role("button", name="To the beginning").click()
    expect(slider).to_have_value("0")
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".where")).to_contain_text("round 2")
    page.locator("#follower").select_option("2")
    page.get_by_role("button", name="Next decision of").click()
    follower = page.locator(".players .player").nth(2)
    expect(follower).to_have_class(re.compile("acting"))
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator(".caption")).to_contain_text("Casual 3")
    page.evaluate(PAUSES)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => pauses.filter((ms) => ms === 162.5).length >= 2")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Copy the link to this position").click()
    expect(page.get_by_role("button", name="The link has been copied.")).to_be_visible()
    shown, address = page.locator(".where").inner_text(), page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(".where")).to_have_text(shown)
    page.get_by_label("Round").select_option("5")
    expect(page.locator(".where")).to_contain_text("round 5")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".move-buttons button").first).to_be_visible()


def test_the_replay_does_not_change_the_address_of_the_next_page(
    visitor: Visitor, finished: dict[str, str]
) -> None:
    page = visitor.open(f"#/match/{finished['speicherstadt']}/replay")
    slider = page.get_by_label("Position", exact=True)
    expect(slider).to_be_visible()
    page.evaluate(
        """() => {
          const set = window.setTimeout, { later } = Object.assign(window, { later: [] });
          window.setTimeout = (run, ms, ...more) => ms === 300 ? later.push(run) : set(run, ms, ...more);
        }"""
    )
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => later.length === 1")
    page.evaluate("() => { location.hash = '#/rules/speicherstadt'; later[0](); }")
    expect(page).to_have_url(re.compile("#/rules/speicherstadt$"))


def test_a_valid_file_is_accepted_and_a_forged_one_refused_without_requests_to_the_service(
    visitor: Visitor, finished: dict[str, str], ada: ApiPlayer, tmp_path: Path
) -> None:
    content = ada.export(finished["speicherstadt"])
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(content.replace(b'"price":2', b'"price":1', 1))
    sound = tmp_path / "sound.ndjson"
    sound.write_bytes(content)
    page = visitor.open("#/check")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("input[type=file]").set_input_files(sound)
    expect(page.locator(".verdict")).to_contain_text("Everything that can be checked here is right.")
    expect(page.locator(".findings.open")).to_contain_text("kontor verify")
    page.locator("input[type=file]").set_input_files(forged)
    expect(page.locator(".verdict")).to_contain_text("not a valid record")
    expect(page.locator(".verdict")).to_contain_text("line")
    assert [one for one in asked if "/v1/" in one or "well-known" in one] == []


def test_a_replay_of_three_thousand_facts_is_dragged_from_end_to_end(
    visitor: Visitor, ada: ApiPlayer
) -> None:
    wish = {"options": {"board": "expert"}, "seed": "long"}
    match = ada.play_bot_match("europe", bot="random", seats=4, **wish)
    assert ada.get(f"/v1/matches/{match}")["version"] > 3000
    page = visitor.open(f"#/match/{match}/replay")
    expect(page.locator(".graph")).to_be_visible()  # all positions are loaded
    expect(page.locator(".graph").get_by_text("Points", exact=True)).to_be_visible()
    slider = page.get_by_label("Position", exact=True)
    last = int(slider.get_attribute("max") or 0)
    page.evaluate(
        "window.seen = new Set();"
        "new MutationObserver(() => seen.add(document.querySelector('.where').textContent))"
        ".observe(document.querySelector('.where'), {childList: true, characterData: true, subtree: true})"
    )
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=200)
    page.mouse.up()
    expect(slider).to_have_value(str(last))
    expect(page.locator(".player .place")).to_have_count(4)
    assert page.evaluate("seen.size") > 120
    assert last > 1000


def test_values_are_kept_until_the_tab_is_closed_if_the_storage_is_full(visitor: Visitor) -> None:
    assert visitor.open().evaluate(FULL) == {"number": 2}
