"""Forgeries that break a rule: those of the verifier's own tests."""

from tests.service.trust.forgeries.case import Case, Forgery, Group, case_with_another_file
from tests.service.trust.forgeries.tables import honest
from tests.service.trust.test_verifier_signed_forgeries import FORGERIES
from tests.support.forging import Change, forge


def _forgery(name: str, change: Change) -> Forgery:
    def make(signing: bool) -> Case:
        table = honest(signing)
        return case_with_another_file(table, forge(table.export(), change))

    return Forgery(name, make, "alone")


RULES = Group("Facts that the rules do not give", [_forgery(name, change) for name, change, _ in FORGERIES])
