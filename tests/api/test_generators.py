"""The contract avoids what generators of clients cannot translate; `make clients` compiles their results."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.contract import contract, operations, resolved

ANSWERS_LATER = {"get_analysis"}
"""Operations that say first, with the status 202, that their answer is being made."""
EVERY = [pytest.param(operation, id=operation["operationId"]) for _, _, _, operation in operations()]
TIMES = re.compile(r"^(at|due|deadline|expires|server_time|valid_from|correction_until|.*_at)$")
"""The names of fields that hold a time."""


def schemas_in(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a part of the contract, with its path; examples are data, not schemas."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from schemas_in(item, f"{path}/{index}")
    elif isinstance(node, dict):
        if isinstance(node.get("type"), str | list):
            yield path, node
        for name, inner in node.items():
            if name not in ("example", "examples", "x-problems"):
                yield from schemas_in(inner, f"{path}/{name}")


def is_integer(schema: dict[str, Any]) -> bool:
    """Whether a schema describes an integer, or an integer or null."""
    kind = schema["type"]
    return kind == "integer" or (isinstance(kind, list) and "integer" in kind)


def test_every_integer_has_64_bits() -> None:
    integers = [(path, schema) for path, schema in schemas_in(contract()) if is_integer(schema)]
    assert len(integers) > 150
    assert [path for path, schema in integers if schema.get("format") != "int64"] == []


def test_no_schema_has_the_name_of_a_constructor_in_go() -> None:
    assert [name for name in contract()["components"]["schemas"] if name.startswith("New")] == []


@pytest.mark.parametrize("operation", EVERY)
def test_no_link_has_an_object_as_its_request_body(operation: dict[str, Any]) -> None:
    links = [
        link for given in operation["responses"].values() for link in resolved(given).get("links", {}).items()
    ]
    assert [name for name, link in links if not isinstance(link.get("requestBody", ""), str)] == []


@pytest.mark.parametrize("operation", EVERY)
def test_no_parameter_has_null_as_its_default(operation: dict[str, Any]) -> None:
    parameters = map(resolved, operation.get("parameters", ()))
    assert [one["name"] for one in parameters if one["schema"].get("default", "") is None] == []


@pytest.mark.parametrize("operation", EVERY)
def test_an_operation_has_one_successful_answer(operation: dict[str, Any]) -> None:
    answers = [resolved(given) for status, given in operation["responses"].items() if status.startswith("2")]
    shapes = [answer["content"] for answer in answers if "content" in answer]
    assert len(shapes) <= (2 if operation["operationId"] in ANSWERS_LATER else 1)


def test_every_time_says_its_form() -> None:
    times = [
        (f"{name}.{field}", shape)
        for name, schema in contract()["components"]["schemas"].items()
        for field, shape in schema.get("properties", {}).items()
        if TIMES.match(field) or shape.get("format") == "date-time"
    ]
    assert len(times) > 40
    for name, shape in times:
        assert TIMES.match(name.partition(".")[2]) or name.endswith("_until"), f"add {name} to TIMES"
        if is_integer(shape):
            assert "in milliseconds since 1970" in shape["description"], name
        else:
            assert shape["format"] == "date-time", name
