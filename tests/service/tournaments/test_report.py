"""The report on a tournament: its figures follow from the export, and its page and charts hold together."""

from xml.etree import ElementTree

from kontor_games.service.kontor import Kontor
from kontor_games.service.tournaments.report_charts import bars_chart, intervals_chart, lines_chart
from kontor_games.service.tournaments.report_figures import report_figures
from kontor_games.service.tournaments.report_page import report_page
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.service.tournaments.test_exports import final_cup


def test_the_figures_follow_from_the_export(service: Kontor, clock: SettableClock) -> None:
    cup = final_cup(service, clock)
    found = report_figures(service.tournament_exports.export(cup.id), {cup.players[0].id: "Zoé <b>"})
    state = cup.state
    assert [line["entrant"] for line in found.standings] == [one.entrant for one in state.standings()]
    assert found.met.total() == sum(len(one.entrants) * (len(one.entrants) - 1) for one in state.finishes)
    assert found.beaten.total() == found.met.total(), "each meeting is shared out between the two"
    assert sum(one.no_shows for one in found.entrants.values()) == 1
    assert [one.what.split()[0] for one in found.incidents] == ["A", "An"], (
        "a match played again, and a ruling"
    )
    assert len(found.ratings) == len(state.rounds)
    assert {matches for matches, _, _ in found.seats} == {len(state.finishes)}
    page = report_page(found, (True, "Verified."), "now")
    assert "Zoé &lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<svg") == page.count('role="img"') + page.count('aria-hidden="true"')


def test_a_running_tournament_has_a_report_too(service: Kontor) -> None:
    cup = Cup(service, 4, rounds=2).start()
    cup.worker.step_all()
    found = report_figures(service.tournament_exports.export(cup.id), {})
    page = report_page(found, (None, "Not over."), "now")
    assert "The tournament is running" in page
    assert "too few blocks" in page


def test_every_chart_is_well_formed_and_names_its_axes() -> None:
    charts = (
        intervals_chart([("Ann & <Co>", -1.0, 0.0, 2.0), ("Ben", 0.0, 0.0, 0.0)], "strength"),
        bars_chart([("Ann", 0.0), ("Ben", 12.5)], "seconds"),
        lines_chart({"Ann": [25.0, 26.5], "Ben": [25.0]}, "round", "rating"),
    )
    for drawn in charts:
        svg = ElementTree.fromstring(drawn)  # noqa: S314  # our own
        assert svg.attrib["role"] == "img"
        assert svg.attrib["aria-label"]
        words = [text.text for text in svg.findall("text")]
        assert {"strength", "seconds", "round"} & set(words), words
