"""The report on a tournament: its figures follow from the export, its page and charts are well-formed."""

import re
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.documents.charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.kontor import Kontor
from kontor_games.service.tournaments.report_figures import ReportFigures, report_figures
from kontor_games.service.tournaments.report_page import report_page
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.service.trust.test_tournament_check import final_cup


@pytest.mark.slow
def test_the_figures_follow_from_the_export(service: Kontor, clock: SettableClock) -> None:
    cup = final_cup(service, clock)
    found = report_figures(service.tournament_exports.export(cup.id), {cup.players[0].id: "Zoé <b>"})
    state = cup.state
    assert [line["entrant"] for line in found.standings] == [one.entrant for one in state.standings()]
    assert found.met.total() == sum(len(one.entrants) * (len(one.entrants) - 1) for one in state.finishes)
    assert found.beaten.total() == found.met.total(), "each meeting counts once for both entrants together"
    assert sum(one.no_shows for one in found.entrants.values()) == 1
    assert [one.type for one in found.decisions] == ["match_voided", "no_show_recorded", "result_ruled"]
    assert len(found.ratings) == len(state.rounds)
    assert {matches for matches, _, _ in found.seats} == {len(state.finishes)}
    page = report_page(found, (True, "Verified."), "now")
    assert "Fact" in page
    assert "void; it was played again" in page
    ruling = found.decisions[-1]
    assert ruling.slot
    assert f"decided match {ruling.match} of round {ruling.slot[0]}, table" in page
    assert "One ruling, no protests, one no-show, one match decided by a walkover." in page
    assert all(str(planned.match) in page for planned in state.planned.values())
    assert "(absent)" in page
    assert "<td></td>" not in page
    assert '<td class="number"></td>' not in page
    assert found.id in page
    assert "Zoé &lt;b&gt;" in page
    assert "<b>" not in page
    for language in LANGUAGES:
        assert_translated(language, found)
    assert page.count("<svg") == page.count('role="img"') + page.count('aria-hidden="true"')


def assert_translated(language: str, found: ReportFigures) -> None:
    """Check that the whole report is in a language."""
    found.refused = {1: {"wrong_phase": 1200}}
    page, texts = report_page(found, (True, ""), "", language), texts_in(language)
    assert f'<html lang="{language}">' in page
    headings = [unescape(text) for text in re.findall("<h2>(.*?)</h2>", page)]
    parts = ("standings", "crosstable", "rounds", "ratings", "times", "incidents", "refusals", "seats")
    assert headings == [*(texts(f"report.{part}") for part in parts), texts("fairness.chance")]
    assert f'<td class="number">{texts.number(1200)}</td>' in page
    assert texts("report.counts", rulings=1, protests=0, no_shows=1, walkovers=1) in unescape(page)
    assert "report." not in page, "a text is missing"


def test_a_running_tournament_has_a_report_too(service: Kontor) -> None:
    cup = Cup(service, 4, rounds=2).start()
    cup.worker.step_all()
    found = report_figures(service.tournament_exports.export(cup.id), {})
    page = report_page(found, (None, "Not over."), "now")
    assert "State of the tournament: Running." in page
    assert "too few blocks" in page


def test_labels_of_a_chart_are_apart_and_inside() -> None:
    lines = {f"Player {number}": [25.0, 25.0 + number / 100] for number in range(12)}
    svg = ElementTree.fromstring(lines_chart(lines, "round", "rating", texts_in("en")))  # noqa: S314
    labels = [text for text in svg.findall("text") if (text.text or "").startswith("Player")]
    heights = sorted(float(text.attrib["y"]) for text in labels)
    assert len(heights) == 12
    assert all(after - before >= 12 for before, after in pairwise(heights))
    assert 0 < heights[0] < heights[-1] < 300


def test_every_chart_is_well_formed_and_names_its_axes() -> None:
    texts = texts_in("en")
    charts = (
        intervals_chart([("Ann & <Co>", -1.0, 0.0, 2.0), ("Ben", 0.0, 0.0, 0.0)], "strength", texts),
        bars_chart([("Ann", 0.0), ("Ben", 12.5)], "seconds", texts),
        lines_chart({"Ann": [25.0, 26.5], "Ben": [25.0]}, "round", "rating", texts),
    )
    for drawn in charts:
        svg = ElementTree.fromstring(drawn)  # noqa: S314  # our own
        assert svg.attrib["role"] == "img"
        assert svg.attrib["aria-label"]
        words = [text.text for text in svg.findall("text")]
        assert {"strength", "seconds", "round"} & set(words), words
