"""Audits all matches of a database one after the other, like `kontor audit --all`."""

from collections.abc import Iterable

from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.audit_report import AuditReport
from kontor_games.service.trust.audits import AuditTarget, audit_match


def audit_all(
    kontor: Kontor, targets: Iterable[AuditTarget] | None = None, *, recompute_bots: bool = False
) -> AuditReport:
    report = AuditReport()
    for target in kontor.audits.all_matches() if targets is None else targets:
        found = audit_match(kontor.store, target, recompute_bots=recompute_bots)
        report.add(found.match, found.game, found.facts, found.problem, found.counts, found.deal)
    return report


def problems_of(report: AuditReport) -> list[tuple[str | None, str]]:
    """The matches with problems, and the problems as English sentences."""
    return [(match, str(problem)) for match, problem in report.problems]
