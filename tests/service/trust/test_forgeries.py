"""Every kind of forgery is detected by exactly the checks in docs/trust.md; honest matches pass all."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kontor_client import export_check as client_check
from kontor_client.service_keys import ServiceKeys
from kontor_games.domain import match_audit
from kontor_games.domain.house_bots import BotAudit
from kontor_games.service.trust import leaf_search
from kontor_games.service.trust.export_check import ExportCheck
from kontor_games.service.trust.witness import Witness
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust.forgeries import checks
from tests.service.trust.forgeries.case import Case, Forgery, case_with_one_history
from tests.service.trust.forgeries.checks import caught_by
from tests.service.trust.forgeries.tables import honest, sealed, with_bots, with_dealt_cards
from tests.service.trust.forgery_table import FORGERIES, PAGE, page_with, table
from tests.support.node import problems
from tests.support.operator_table import Table

pytestmark = pytest.mark.untraced

__all__ = ["the_fair_is_installed"]
ROOT = Path(__file__).parents[3]
TEXT = PAGE.read_text(encoding="utf-8")
HONEST = (honest, sealed, with_bots, with_dealt_cards)


def given(case: Case, _: bool) -> Case:
    """The same case, whether the players sign or not."""
    return case


def test_there_are_at_least_sixty_kinds_with_unique_names() -> None:
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES) >= 60


def test_each_forgery_is_caught_by_exactly_what_is_expected() -> None:
    found = {forgery.name: sorted(caught_by(forgery)) for forgery in FORGERIES}
    assert found == {forgery.name: sorted(forgery.caught.split()) for forgery in FORGERIES}


def test_forgeries_expected_to_be_caught_by_a_signature_are_refused_because_of_it() -> None:
    reasons = [found["signature"] for found in map(caught_by, FORGERIES) if "signature" in found]
    assert len(reasons) > 30
    assert [problem for problem in reasons if "sign" not in problem] == []


@pytest.mark.e2e
def test_the_table_in_the_page_is_up_to_date() -> None:
    assert page_with(table()) == TEXT, "run python -m tests.service.trust.forgery_table"


@pytest.mark.e2e
@pytest.mark.parametrize("match", HONEST, ids=lambda match: match.__name__)
def test_what_an_honest_service_shows_passes_every_check(
    match: Callable[[bool], Table], tmp_path: Path
) -> None:
    for case in (case_with_one_history(match(False)), case_with_one_history(match(True))):
        assert caught_by(Forgery("none", partial(given, case), "")) == {}
        assert problems(tmp_path, [case.shown.content]) == [None]


WEAKENED: list[tuple[object, str, str]] = [
    (ExportCheck, "check_receipts", "another legal move of the reader"),
    (ExportCheck, "check_log", "another legal move of the reader"),
    (ExportCheck, "_check_leaf", "two moves in the other order"),
    (
        ExportCheck,
        "_check_reach",
        "the end replaced by time-outs, and an early leaf proven in place of the newest",
    ),
    (ExportCheck, "check_signature", "a retired key signs after its time"),
    (ExportCheck, "check_closing", "another result on the last line"),
    (ExportCheck, "_check_viewer", "the file of a running match for one seat, said to be for a spectator"),
    (match_audit, "check_signature", "a move in another player's name"),
    (BotAudit, "check", "another legal move of a pinned bot"),
    (client_check, "_check_deal", "the secret swapped once the contributions were known"),
    (client_check, "_check_contribution", "the reader's contribution changed, and the answer never sent"),
    (client_check, "_check_receipts", "another move than the reader sent"),
    (client_check, "_check_commands", "the reader's account is said to be erased"),
    (ServiceKeys, "check", "receipts disowned by a backdated key"),
    (checks, "check_growth", "the leaf of another match removed"),
    (leaf_search, "_compare", "leaves in another order"),
    (Witness, "_check_growth", "the log rolled back to before the match"),
    (checks, "require_witnesses", "two matches under one id, one for each player"),
]


@pytest.mark.parametrize(
    ("holder", "check", "name"), WEAKENED, ids=[f"{case[1]}, {case[2]}" for case in WEAKENED]
)
def test_without_one_of_the_checks_a_forgery_is_not_caught_as_it_should(
    holder: object, check: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [forgery] = [one for one in FORGERIES if one.name == name]
    monkeypatch.setattr(holder, check, lambda *_, **__: None)
    assert set(forgery.caught.split()) - set(caught_by.__wrapped__(forgery))


# --- the page itself ----------------------------------------------------------------------------------------

PROSE = TEXT.partition("## The forgeries")[0]


def test_every_row_that_the_page_cites_is_in_the_table() -> None:
    cited = re.findall(r"“([^”]+)”", " ".join(PROSE.split()))
    assert len(cited) > 20
    assert set(cited) - {forgery.name for forgery in FORGERIES} == set()


def test_every_test_that_the_page_cites_exists() -> None:
    cited = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PROSE)
    assert len(cited) > 5
    missing = [
        f"{file}::{name}" for file, name in cited if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []


def test_every_claim_of_the_page_cites_a_row_or_a_test() -> None:
    claims = re.findall(r"^- .*(?:\n  .*)*", PROSE, re.MULTILINE)
    claims += re.findall(r"^\| .*$(?!\n\|---)", PROSE, re.MULTILINE)
    assert len(claims) > 35
    assert [claim for claim in claims if "“" not in claim and "`tests/" not in claim] == []
