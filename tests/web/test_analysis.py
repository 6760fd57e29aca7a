"""The replay says what would have been better: a bar beside the slider, the best move, large mistakes."""

import re
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import expect

from tests.web.accessibility import faults
from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer

WHOLE_MATCH_MS = 180_000
"""Processes start, and analyse a match, while the machine does other things."""


def test_the_replay_of_a_finished_match_is_analysed_on_request(
    visitor: Visitor, finished: Mapping[str, str], ada: ApiPlayer, tools: Path
) -> None:
    page = ada.register("Critic").open_page(visitor, f"#/match/{finished['speicherstadt']}/replay")
    page.get_by_role("button", name="What could have been better?").click()
    analysis = page.get_by_role("region", name="Analysis")
    expect(analysis).to_be_visible(timeout=WHOLE_MATCH_MS)
    expect(analysis.get_by_role("meter")).to_have_accessible_name(re.compile(r": .*\d\.\d points$"))
    following = page.get_by_role("button", name=re.compile("^Next large mistake of"))
    before = page.locator(".where").first.inner_text()
    following.click()
    expect(page.locator(".transport .where")).not_to_have_text(before)
    expect(analysis).to_contain_text("Better was “")
    expect(analysis).to_contain_text("judged only by what the player could know")
    assert faults(page, tools) == []
    page.get_by_role("button", name=re.compile("^Next large mistake of")).click()
    page.get_by_role("button", name=re.compile("^Previous large mistake of")).click()
    expect(analysis).to_contain_text("Better was “")


def test_the_end_of_a_match_leads_to_its_analysis(
    visitor: Visitor, finished: Mapping[str, str], ada: ApiPlayer
) -> None:
    page = ada.open_page(visitor, f"#/match/{finished['europe']}")
    page.get_by_role("link", name="What could have been better?").click()
    expect(page.get_by_text("The match is being analysed").or_(page.get_by_label("Analysis"))).to_be_visible()
