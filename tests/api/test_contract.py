"""The contract (openapi.yaml) matches the code, and is complete and valid."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from jsonschema import Draft202012Validator

from kontor_games.api import describe
from kontor_games.api.openapi import examples, write_yaml
from kontor_games.domain.data import read_json
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES
from kontor_games.service.documents.texts import texts_in
from tests.api.contract import contract, operations, resolved, violations

pytestmark = pytest.mark.untraced

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"
MAY_BE_MISSING = (
    "get_checkpoint",
    "prove_keys",
    "add_cosignatures",
    "prove_consistency",
    "confirm_mail_address",
)
"""Operations that can answer 404 although their path has no parameters."""
EVERY = [
    pytest.param(method, path, operation, id=operation["operationId"])
    for method, path, _, operation in operations()
]


def test_the_committed_contract_is_the_one_that_the_code_generates() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == write_yaml(describe()), (
        "regenerate it: kontor openapi openapi.yaml"
    )


def test_every_route_is_in_the_contract_and_every_operation_has_a_route(app: Flask) -> None:
    routed = {
        (
            method.lower(),
            re.sub(r"<(?:id|game|name|level|number|tile):([a-z_]+)>", r"{\1}", rule.rule),
        )
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    other_protocol = {("post", "/mcp")}  # its errors are JSON-RPC objects, and it describes itself
    assert routed == {(method, path) for method, path, _, _ in operations()} | other_protocol


def test_the_contract_is_openapi() -> None:
    document = contract()
    assert document["openapi"] == "3.1.0"
    assert document["info"]["title"] == "Kontor API"
    assert yaml.load(COMMITTED.read_text(encoding="utf-8"), yaml.CSafeLoader) == document
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", ["schemas", "parameters", "headers", "responses"])
def test_every_component_is_used(kind: str) -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    used = set(re.findall(rf"#/components/{kind}/([A-Za-z0-9_.-]+)", text))
    assert sorted(contract()["components"][kind]) == sorted(used)


def test_names_are_unique() -> None:
    names = [operation["operationId"] for _, _, _, operation in operations()]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(("method", "path", "operation"), EVERY)
def test_every_operation_has_a_summary(method: str, path: str, operation: dict[str, Any]) -> None:
    assert operation["summary"].endswith(".")
    assert operation["tags"]
    assert isinstance(operation["security"], list)
    for parameter in map(resolved, operation.get("parameters", ())):
        assert (
            parameter.get("description")
            or parameter["schema"].get("description")
            or parameter["in"] == "path"
        ), parameter["name"]
    if method == "post":
        assert "Idempotency-Key" in [resolved(parameter)["name"] for parameter in operation["parameters"]]


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {DEFAULT_LANGUAGE}))
def test_every_operation_and_every_group_is_translated(language: str) -> None:
    shown, tags_shown = texts_in(language).group("operation."), texts_in(language).group("tag.")
    summaries = {operation["operationId"]: operation["summary"] for _, _, _, operation in operations()}
    tags = {tag["name"]: tag["description"] for tag in contract()["tags"]}
    assert tags_shown.keys() == {f"{name}.{part}" for name in tags for part in ("title", "text")}
    assert shown.keys() == summaries.keys()
    for name, summary in summaries.items():
        assert shown[name].endswith(".")
        assert shown[name] != summary
        assert re.findall("`[^`]+`", shown[name]) == re.findall("`[^`]+`", summary), "code stays as it is"
    assert [name for name, text in tags.items() if tags_shown[f"{name}.text"] == text] == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_problem_has_a_title_in_every_language(language: str) -> None:
    titles = {code: f"{one['title']}." for code, one in contract()["x-problems"].items()}
    strings = read_json("kontor_games", f"web/i18n/{language}.json")
    shown = {
        key.removeprefix("refused."): text for key, text in strings.items() if key.startswith("refused.")
    }
    assert shown.keys() == titles.keys()
    if language == DEFAULT_LANGUAGE:
        assert shown == titles
    else:
        assert [code for code, text in shown.items() if text == titles[code] or not text.endswith(".")] == []


def _has_cursor(operation: dict[str, Any]) -> bool:
    """Whether the operation has a cursor, which can be invalid because it is from another service."""
    return operation["operationId"] == "list_my_events" or any(
        one.get("name") == "cursor" for one in operation["parameters"]
    )


@pytest.mark.parametrize(("method", "path", "operation"), EVERY)
def test_every_operation_documents_its_problems(method: str, path: str, operation: dict[str, Any]) -> None:
    statuses = set(operation["responses"])
    assert {"400", "406", "422"} <= statuses
    assert ("401" in statuses) == bool(operation["security"])
    may_be_missing = operation["operationId"] in MAY_BE_MISSING or _has_cursor(operation)
    assert ("404" in statuses) == ("{" in path or may_be_missing)
    assert ("requestBody" not in operation) or {"413", "415"} <= statuses
    for status in statuses:
        answer = resolved(operation["responses"][status])
        if status >= "400":
            assert list(answer["content"]) == ["application/problem+json"]
        assert {"Request-Id", "Server-Time"} <= answer["headers"].keys()


@pytest.mark.parametrize(("method", "path", "operation"), EVERY)
def test_examples_are_real_and_fit_their_schemas(method: str, path: str, operation: dict[str, Any]) -> None:
    shown = 0
    for status, given in operation["responses"].items():
        for kind, media in resolved(given).get("content", {}).items():
            if (
                status < "300"
                and kind == "application/json"
                and operation["operationId"] != "get_openapi_json"
            ):
                assert violations(media["schema"], media["example"]) == []
                shown += 1
    if "requestBody" in operation and operation["requestBody"]["required"]:
        media = operation["requestBody"]["content"]["application/json"]
        assert violations(media["schema"], media["example"]) == []
        shown += 1
    has_json = operation["operationId"] in examples()
    assert shown or not has_json or operation["responses"].keys() & {"204", "200"}


def test_links_lead_to_operations_and_their_parameters() -> None:
    by_name = {operation["operationId"]: (path, operation) for _, path, _, operation in operations()}
    followed = 0
    for _, _, _, operation in operations():
        for given in operation["responses"].values():
            for link in resolved(given).get("links", {}).values():
                path, target = by_name[link["operationId"]]
                named = {
                    resolved(parameter)["name"]
                    for parameter in [
                        *contract()["paths"][path].get("parameters", ()),
                        *target.get("parameters", ()),
                    ]
                }
                assert set(link["parameters"]) <= named, link
                followed += 1
    assert followed > 40


def test_secrets_are_in_no_example() -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    assert "kontor_x" in text
    assert text.count("kontor_") == text.count("kontor_x") + text.count("kontor_…") + text.count(
        "kontor_http"
    )
