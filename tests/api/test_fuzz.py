"""Fuzz test of the API with random requests, the same in every run; `make fuzz` sends more."""

from typing import TYPE_CHECKING

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.untraced]

if TYPE_CHECKING:
    from tests.fuzz import Report


@pytest.fixture(scope="module")
def report() -> "Report":
    """The report of one run with all phases: examples, schema boundaries, random requests, links."""
    from tests.fuzz import Report, fuzz, fuzzed_app  # schemathesis is slow to import

    made = Report()
    with fuzzed_app(made) as (app, kontor):
        fuzz(app, kontor, made, examples=1, requests=1_500, moves=3, seed=1)
    print(made)  # noqa: T201  # the counts belong in the output of the run
    return made


def test_no_request_breaks_the_contract(report: "Report") -> None:
    assert not report.failures, "\n\n".join(f"{name}\n{failure}" for name, failure in report.failures.items())


def test_no_request_causes_a_server_error(report: "Report") -> None:
    assert [status for status in report.statuses if status >= "500"] == []


def test_fifteen_hundred_requests_were_sent(report: "Report") -> None:
    assert report.requests >= 1_500, str(report)


def test_every_expected_status_occurs(report: "Report") -> None:
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


def test_moves_are_accepted_during_the_run(report: "Report") -> None:
    assert report.moves >= 3, str(report)


def test_every_operation_is_fuzzed() -> None:
    from schemathesis.config import SchemathesisConfig

    from tests.api.contract import operations
    from tests.fuzz import Report, fuzzed_app, schema_of

    with fuzzed_app(Report()) as (app, _):
        schema = schema_of(app, SchemathesisConfig())
        fuzzed = [found.ok().definition.raw["operationId"] for found in schema.get_all_operations()]
    assert sorted(fuzzed) == sorted(operation["operationId"] for *_, operation in operations())
