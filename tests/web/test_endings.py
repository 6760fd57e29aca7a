"""The end of a match: its result comes to the reader, with the reason, the rating and what to do next."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer
from tests.web.test_live_match import of_two


def test_the_result_with_reason_and_rating_comes_to_wherever_the_reader_is(
    visit: Callable[..., Visitor], url: str, tools: Path
) -> None:
    ada, ben, match = of_two(url, rated=True)
    ben.join(match, 1)
    page = ada.open_page(visit(), f"#/match/{match}")
    expect(page.locator(".turn-bar")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate("document.getElementById('language').focus({preventScroll: true})")
    ben.post(f"/v1/matches/{match}/resignation")
    result = page.locator(".result.news")
    expect(result).to_be_in_viewport(ratio=1)
    expect(result).to_contain_text("You have won!")
    expect(result.locator(".reason")).to_have_text("Ben resigns.")
    expect(page.locator("#language")).to_be_focused()
    expect(result.locator(".rating")).to_contain_text("Your first rating: ")
    expect(page.locator("#said")).to_contain_text("Your first rating: ")
    expect(result.get_by_role("link", name="Replay")).to_be_visible()
    expect(result.get_by_role("button", name="Rematch")).to_be_enabled()
    assert faults(page, tools) == []
    result.get_by_role("button", name="Close").click()
    expect(result).to_have_count(0)
    page.reload()
    expect(page.locator(".result:not(.news) .reason")).to_have_text("Ben resigns.")


def test_an_aborted_match_says_why(visit: Callable[..., Visitor], url: str) -> None:
    ada, ben, match = of_two(url, options={"first_seat": 0})
    ben.join(match, 1)
    ada.post(f"/v1/matches/{match}/moves", ada.get(f"/v1/matches/{match}")["legal_moves"][0])
    page = ada.open_page(visit(), f"#/match/{match}")
    expect(page.locator(".turn-bar")).to_be_visible()
    for player in (ada, ben):
        player.post(f"/v1/matches/{match}/abort")
    expect(page.locator(".result.news")).to_contain_text("The match was aborted.")
    expect(page.locator(".result .reason")).to_have_text("All its players agreed to that.")
    expect(page.locator("#said")).to_contain_text("All its players agreed to that.")


def test_a_match_played_to_its_end_says_how_it_was_won(
    visitor: Visitor, ada: ApiPlayer, finished: dict[str, str]
) -> None:
    for match in finished.values():
        after = ada.get(f"/v1/matches/{match}")["version"] - 50
        facts = ada.get(f"/v1/matches/{match}/events?tell=en&after={after}")["events"]
        (told,) = (one["text"] for one in facts if one["fact"]["type"] == "game_ended")
        page = visitor.open(f"#/match/{match}")
        expect(page.locator(".result .reason")).to_have_text(told.replace("greedy", "Casual"))
