"""The sums of an audit: matches, problems, returned time, and the draws of each deal once."""

from collections import Counter

from kontor_games.service.trust.audit_report import AuditedMatch, AuditReport, DrawCounts


def draws(count: int) -> DrawCounts:
    return Counter({("dice", 6, 1): count})


def test_matches_and_problems_are_counted() -> None:
    report = AuditReport()
    report.add("m1", "fair", 10, None, draws(3))
    report.add("m2", "fair", 5, "rewritten", draws(4))
    report.add("m3", "other", 1, None, draws(1))
    assert (report.facts, report.games, report.broken) == (16, {"fair": 2, "other": 1}, 1)
    assert (report.matches, report.problems) == (3, [("m2", "rewritten")])
    assert list(report.listed)[1:] == [
        AuditedMatch("m2", "fair", 5, sound=False), AuditedMatch("m3", "other", 1, sound=True),
    ]  # fmt: skip


def test_the_draws_of_one_deal_are_counted_once() -> None:
    report = AuditReport()
    for match, deal in (("m1", "a"), ("m2", "a"), ("m3", "b"), ("m4", None), ("m5", None)):
        report.add(match, "fair", 1, None, draws(1), deal)
    assert (report.counts, report.repeated_deals) == ({"fair": draws(4)}, 1)


def test_time_that_was_given_back_is_added_up() -> None:
    report = AuditReport()
    for ms in (1, 0, 500):
        report.add_returned(ms)
    assert (report.returned, report.returned_ms) == (2, 501)
