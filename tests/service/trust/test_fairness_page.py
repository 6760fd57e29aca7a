"""The report of an audit as a page: all counts can be drawn, and all texts are escaped."""

from collections import Counter
from xml.etree import ElementTree

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.statistics import Bar
from kontor_games.service.documents.charts import counts_chart
from kontor_games.service.documents.pages import policy_of, style_of
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.trust.audit_report import AuditReport, DrawCounts
from kontor_games.service.trust.fairness_page import fairness_page, format_p_value


def counted(sides: int, rolls: int, *, loaded: bool = False) -> DrawCounts:
    chance = Seeded(seed_from("page"))
    rolled = (chance.draws("dice", index).below(sides + loaded) for index in range(rolls))
    return Counter(("dice", sides, min(value, sides - 1)) for value in rolled)


def report(counts: DrawCounts, problem: str | None = None) -> AuditReport:
    made = AuditReport()
    made.add("a-match", "fair-<b>", 17, problem, counts)
    return made


@pytest.mark.parametrize(
    "counts", [Counter({("s", bound, 0): n}) for bound in (1, 2, 3, 7, 13, 52) for n in (1, 40)], ids=str
)
def test_whatever_was_counted_can_be_drawn(counts: DrawCounts) -> None:
    page = fairness_page(report(counts), "Fairness", "now")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")


def test_several_small_bounds_can_be_drawn() -> None:
    counts: DrawCounts = Counter({("s", 2, 0): 3, ("s", 3, 2): 4})
    assert "<svg" in fairness_page(report(counts), "Fairness", "now")


def test_the_picture_is_well_formed_and_shows_what_to_expect() -> None:
    drawn = ElementTree.fromstring(  # noqa: S314  # our own
        counts_chart([Bar("1", 5, 10.0), Bar("2 & <3", 15, 10.0)], texts_in("en"))
    )
    rects = drawn.findall("rect")
    heights = [float(rect.attrib["height"]) for rect in rects]
    assert heights[1] == pytest.approx(3 * heights[0], abs=0.2)
    assert [rect.findtext("title") for rect in rects] == ["1: 5, expected 10.0", "2 & <3: 15, expected 10.0"]
    assert [line.attrib["class"] for line in drawn.findall("line")] == ["axis", "axis", "level"]
    assert [text.text for text in drawn.findall("text")] == [
        "0%", "100%", "of expected", "1", "2 & <3", "value drawn",
    ]  # fmt: skip


def test_the_page_lists_the_matches_and_says_what_to_look_at() -> None:
    offline = fairness_page(report(counted(6, 20)), "Audit", "now")
    assert "What to look at" in offline
    assert "<td><code>a-match</code></td>" in offline
    assert "href=" not in offline
    online = fairness_page(report(counted(6, 20)), "Fairness", "now", "/v1/fairness")
    assert '<a href="/#/match/a-match/check">check it yourself</a>' in online
    assert '<a href="/v1/fairness?language=en" aria-current="page">Fairness</a>' in online


def test_fair_dice_are_called_fair_with_a_number_and_loaded_ones_are_not() -> None:
    assert "There is no evidence of unfairness." in fairness_page(report(counted(6, 3000)), "Fairness", "now")
    assert "This is unlikely to be chance alone" in fairness_page(
        report(counted(6, 3000, loaded=True)), "Fairness", "now"
    )


def test_nothing_is_claimed_from_too_few_values() -> None:
    page = fairness_page(report(counted(6, 20)), "Fairness", "now")
    assert "There are not enough values for a test yet." in page
    assert "20 values · too few values for a test" in page


def test_an_anomaly_is_shown_first_and_escaped() -> None:
    page = fairness_page(report(Counter(), "says <script>alert(1)</script>"), "Fairness", "now")
    assert "One problem was found; 0 of 1 matches are correct." in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "fair-&lt;b&gt;" in page


def test_the_page_contains_its_content_security_policy() -> None:
    page = fairness_page(AuditReport(), "Fairness", "now")
    assert policy_of(style_of()).replace("'", "&#39;") in page
    assert "unsafe" not in page


def test_small_p_values_are_not_rounded_to_nothing() -> None:
    assert [format_p_value(p) for p in (1.0, 0.0456, 0.001, 0.0000123)] == [
        "1.000",
        "0.046",
        "0.001",
        "1.2e-05",
    ]
