"""Strangers' requests by the thousand, the same ones in every run; `make fuzz` sends more."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.fuzz import Report


@pytest.fixture(scope="module")
def report() -> "Report":
    """One run of all phases: examples, edges of every schema, random requests, walks along the links."""
    from tests.fuzz import Report, fuzz, fuzzed_app  # schemathesis is slow to import

    made = Report()
    with fuzzed_app(made) as (app, kontor):
        fuzz(app, kontor, made, examples=1, requests=4_000, moves=3, seed=1)
    print(made)  # noqa: T201  # the counts belong to the record of the run
    return made


def test_no_request_breaks_the_contract(report: "Report") -> None:
    assert not report.failures, "\n\n".join(f"{name}\n{failure}" for name, failure in report.failures.items())


def test_no_request_breaks_the_service(report: "Report") -> None:
    assert [status for status in report.statuses if status >= "500"] == []


def test_four_thousand_requests_were_sent(report: "Report") -> None:
    assert report.requests >= 4_000, str(report)


def test_every_kind_of_answer_was_seen(report: "Report") -> None:
    assert report.statuses.keys() >= {
        "200",
        "201",
        "204",
        "400",
        "401",
        "403",
        "404",
        "405",
        "409",
        "412",
        "415",
        "422",
    }


def test_matches_were_played_meanwhile(report: "Report") -> None:
    assert report.moves >= 3, str(report)


def test_every_operation_is_fuzzed() -> None:
    from schemathesis.config import SchemathesisConfig

    from tests.api.contract import operations
    from tests.fuzz import Report, fuzzed_app, schema_of

    with fuzzed_app(Report()) as (app, _):
        schema = schema_of(app, SchemathesisConfig())
        fuzzed = [found.ok().definition.raw["operationId"] for found in schema.get_all_operations()]
    assert sorted(fuzzed) == sorted(operation["operationId"] for *_, operation in operations())
