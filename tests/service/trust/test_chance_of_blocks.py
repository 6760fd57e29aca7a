"""Matches of a block share a deal: statistics of chance count the draws of one match of each block."""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from kontor_games.api import create_app
from kontor_games.service.kontor import Kontor
from kontor_games.service.tournaments.report_figures import report_figures
from kontor_games.service.tournaments.report_page import report_page
from kontor_games.service.trust.audit_report import DrawCounts
from kontor_games.service.trust.audits import AuditTarget, audit_match
from tests.service.tournaments.cup import Cup
from tests.support.auditing import audit_all

ONCE = "In a tournament, matches of a block share a deal; only the first of each block is counted here."


def draws_of(service: Kontor, matches: Iterable[str]) -> DrawCounts:
    """The draws of some matches, each counted."""
    counts = DrawCounts()
    for match in matches:
        counts.update(audit_match(service.store, AuditTarget(UUID(match), "fair")).counts)
    return counts


def audit_everything_that_ended(service: Kontor) -> None:
    while service.audits.audit_ended():
        pass


def test_every_statistic_of_chance_counts_one_match_of_each_block(service: Kontor) -> None:
    cup = Cup(service, 4, rounds=2, rotated=True).start()
    cup.play_on()
    blocks: dict[tuple[int, int], list[str]] = {}
    for match, slot in cup.state.slots.items():
        blocks.setdefault(slot[:2], []).append(match)
    assert [len(block) for block in blocks.values()] == [2] * 4
    assert all(draws_of(service, [one]) == draws_of(service, [other]) for one, other in blocks.values())
    expected = draws_of(service, (block[0] for block in blocks.values()))
    assert expected.total() > 0

    audit = audit_all(service)
    assert (audit.matches, audit.repeated_deals, audit.counts["fair"]) == (8, 4, expected)

    audit_everything_that_ended(service)
    fairness = service.audits.fairness()
    assert (fairness.matches, fairness.repeated_deals, fairness.counts["fair"]) == (8, 4, expected)
    anonymous = create_app(service).test_client()
    shown = anonymous.get("/v1/fairness", headers={"Accept": "application/json"}).json
    assert shown is not None
    assert (shown["repeated_deals"], shown["random_values"]) == (4, expected.total())
    assert ONCE in anonymous.get("/v1/fairness", headers={"Accept": "text/html"}).text

    figures = report_figures(service.tournament_exports.export(cup.id), {})
    assert (figures.chance.repeated_deals, figures.chance.counts["fair"]) == (4, expected)
    assert ONCE in report_page(figures, (True, ""), "now")


def test_a_match_is_audited_once_its_block_is_over_so_that_its_draws_are_counted(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1, rotated=True).start()
    cup.worker.step_all()
    first, second = cup.open_matches()
    cup.play_match(first)
    cup.worker.step_all()
    assert service.audits.audit_ended() == 1
    assert service.audits.audit_ended() == 0, "it waits"
    assert service.audits.fairness().matches == 0
    cup.play_match(second)
    cup.worker.step_all()
    audit_everything_that_ended(service)
    found = service.audits.fairness()
    assert (found.matches, found.repeated_deals, found.counts["fair"]) == (
        2,
        1,
        draws_of(service, [first]),
    )


def test_without_rotation_every_match_of_a_tournament_counts(service: Kontor) -> None:
    cup = Cup(service, 4, rounds=2).start()
    cup.play_on()
    audit_everything_that_ended(service)
    found, matches = service.audits.fairness(), list(cup.state.slots)
    assert (found.repeated_deals, found.counts["fair"]) == (0, Counter(draws_of(service, matches)))
