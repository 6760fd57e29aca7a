"""Checks every answer in these tests against the contract: status, media type, headers and schema."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

from kontor_games.api import describe

if TYPE_CHECKING:

    class Answer(TestResponse):
        """A response whose JSON needs no check for None before each use."""

        json: Any
else:
    Answer = TestResponse


@cache
def contract() -> dict[str, Any]:
    """The OpenAPI document as the code generates it."""
    return describe()


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """The node itself, or the node that its `$ref` refers to."""
    if "$ref" not in node:
        return node
    place: Any = contract()
    for step in node["$ref"][2:].split("/"):
        place = place[step]
    return dict(place)


@cache
def _registry() -> Registry[Any]:
    resource = Resource.from_contents(contract(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:contract", resource)
    return registry


def violations(schema: dict[str, Any], value: Any) -> list[str]:
    """The errors of a value according to a schema of the contract."""
    if id(schema) not in _VALIDATORS:
        absolute, checker = _absolute(schema), FormatChecker()
        validator = Draft202012Validator(absolute, registry=_registry(), format_checker=checker)
        _VALIDATORS[id(schema)] = schema, validator
    _, validator = _VALIDATORS[id(schema)]
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


_VALIDATORS: dict[int, tuple[dict[str, Any], Draft202012Validator]] = {}
"""Validators by `id` of their schema, cached because building one takes longer than most checks.

The schema is stored too, so that its id is not used again."""


def _absolute(node: Any) -> Any:
    if isinstance(node, dict):
        return {k: "urn:contract" + v if k == "$ref" else _absolute(v) for k, v in node.items()}
    return [_absolute(item) for item in node] if isinstance(node, list) else node


@cache
def operations() -> list[tuple[str, str, re.Pattern[str], dict[str, Any]]]:
    """Method, path, pattern of the path, and operation, for all operations of the contract."""
    found = []
    for path, item in contract()["paths"].items():
        # The index of a tile is the one part of a path that can have slashes.
        pattern = re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path.replace("{place}", ".+")))
        found += [
            (method, path, pattern, operation)
            for method, operation in item.items()
            if isinstance(operation, dict)
        ]
    return found


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """The operation of a request; the path with the fewest parameters if several fit."""
    fitting = [
        (p, operation)
        for m, p, pattern, operation in operations()
        if m == method.lower() and pattern.fullmatch(path)
    ]
    return min(fitting, key=lambda found: found[0].count("{"))[1] if fitting else None


def contract_violations(method: str, path: str, response: TestResponse) -> list[str]:
    """All differences between an answer and the contract."""
    operation = operation_of(method, path)
    if operation is None:
        known = {404, 405} if method != "OPTIONS" else {204, 404, 405}
        return (
            []
            if response.status_code in known
            else [f"{method} {path} is not in the contract, but was answered with {response.status_code}"]
        )
    given = operation["responses"].get(str(response.status_code))
    if given is None:
        return [
            f"{operation['operationId']} does not document the status {response.status_code}: "
            f"{response.text[:300]}"
        ]
    answer = resolved(given)
    return _wrong_headers(answer, response) + _wrong_body(answer, response)


def _wrong_headers(answer: dict[str, Any], response: TestResponse) -> list[str]:
    found = []
    for name, reference in answer.get("headers", {}).items():
        header = resolved(reference)
        if name in response.headers:
            found += [f"{name}: {fault}" for fault in violations(header["schema"], response.headers[name])]
        elif header.get("required"):
            found.append(f"the header {name} is missing")
    return found


def _wrong_body(answer: dict[str, Any], response: TestResponse) -> list[str]:
    content = answer.get("content")
    if content is None:
        return [] if not response.data else ["there should be no body"]
    if response.mimetype not in content:
        return [f"{response.mimetype} is not documented"]
    return violations(content[response.mimetype]["schema"], response.json) if response.is_json else []


STREAMS = ("text/event-stream", "application/x-ndjson")


class CheckedClient(FlaskClient):
    """A test client that checks every answer against the contract, except streams."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Send a request and check its answer."""
        response = super().open(*args, **kwargs)
        if response.mimetype not in STREAMS:
            response.make_sequence()
            request = response.request
            assert not (wrong := contract_violations(request.method, request.path, response)), wrong
        return response
