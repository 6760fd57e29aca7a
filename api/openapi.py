"""The OpenAPI document, collected from the routes. `python -m kontor_games.api openapi.yaml` writes it."""

import json
import re
from collections.abc import Iterable
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import msgspec
import yaml
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]
from msgspec import Struct

from kontor_games.api import answers, problems
from kontor_games.api.answers import answer_schemas
from kontor_games.api.contract import LIMIT_HEADERS, REPLY_HEADERS, header_references
from kontor_games.api.request import IF_MATCH, REQUEST_ID
from kontor_games.api.schemas.fields import CURSOR, KEY, MATCH_KEY, SIGNATURE, describe_default
from kontor_games.api.schemas.moves import MatchMoves, MatchMovesList, Move, Moves

_DOCS = files("kontor_games.api.docs")
_DESCRIPTION = _DOCS.joinpath("introduction.md").read_text(encoding="utf-8")
_BEARER = "A token from `POST /v1/players` or `POST /v1/tokens`."
COMPONENTS: dict[str, dict[str, Any]] = json.loads(_DOCS.joinpath("components.json").read_bytes())
"""Headers of responses, parameters in headers, and problems by status; patterns are added from the code."""
_PATTERNS = {
    "Request-Id": REQUEST_ID,
    "Idempotency-Key": KEY,
    "Idempotency-Key-Secret": KEY.replace("{1,", "{16,"),
    "If-Match": f"({IF_MATCH})",
    "Kontor-Signature": SIGNATURE,
    "Match-Key": MATCH_KEY,
    "Last-Event-Cursor": CURSOR,
}
for _name, _pattern in _PATTERNS.items():
    for _kind in ("headers", "parameters"):
        if _name in COMPONENTS[_kind]:
            COMPONENTS[_kind][_name]["schema"]["pattern"] = f"^{_pattern}$"
_PROBLEM_HEADERS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


class Contract(Api):  # type: ignore[misc]  # flask-smorest has no types
    """flask-smorest's Api, without an error response of its own."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def contract_of(app: Flask) -> Contract:
    """Create the OpenAPI document of an app, with its components; registering routes adds the paths."""
    app.config.update(API_TITLE="Kontor API", API_VERSION="v1", OPENAPI_VERSION="3.1.0")
    options = {
        "info": {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": "/"}],
    }
    contract = Contract(app, spec_kwargs=options)
    components = contract.spec.components
    bearer = {"type": "http", "scheme": "bearer", "description": _BEARER}
    components.security_scheme("bearer", bearer)
    components.schema("Move", Move)
    components.schema("MoveList", Moves)
    components.schema("MatchMoves", MatchMoves)
    components.schema("MatchMovesList", MatchMovesList)
    for name, header in COMPONENTS["headers"].items():
        components.header(name, header)
    for name, parameter in COMPONENTS["parameters"].items():
        components.parameter(name, "header", parameter)
    for status, title in COMPONENTS["problems"].items():
        components.response(f"Problem{status}", _problem(int(status), title))
    return contract


def _problem(status: int, title: str) -> dict[str, Any]:
    headers = header_references(*REPLY_HEADERS, *LIMIT_HEADERS, *_PROBLEM_HEADERS.get(status, ()))
    return {
        "description": title + ".",
        "headers": headers,
        "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


class Description:
    """The OpenAPI document of an application, made when it is first read."""

    def __init__(self, contract: Contract, answers: Iterable[type[Struct]]) -> None:
        self._contract, self._answers = contract, answers

    @cached_property
    def document(self) -> dict[str, Any]:
        """The document as plain data."""
        return document_of(self._contract, self._answers)

    @cached_property
    def json(self) -> bytes:
        """The document as JSON, indented for readers."""
        return json.dumps(self.document, indent=1).encode()

    @cached_property
    def yaml(self) -> bytes:
        return write_yaml(self.document).encode()


def document_of(contract: Contract, shown: Iterable[type[Struct]]) -> dict[str, Any]:
    """The whole document, with the schemas of answers, examples and the list of problems."""
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(contract.spec.to_dict()))
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        for described in schema.get("properties", {}).values():
            describe_default(described)
    schemas |= answer_schemas([*shown, answers.Problem])
    _drop_unused_schemas(document)
    _write_for_generators(document)
    _add_examples(document)
    document["x-problems"] = problems.all_problems()
    # In the order in which a reader needs it.
    document["info"] = {"title": "", "version": "", **document["info"]}
    return {"openapi": "", "info": {}, "servers": [], "tags": [], **document}


def _write_for_generators(node: Any) -> None:
    """Give every integer 64 bits, since generated clients use 32; drop null as the default of parameters."""
    if isinstance(node, list):
        for item in node:
            _write_for_generators(item)
    elif isinstance(node, dict):
        kind = node.get("type")
        if kind == "integer" or (isinstance(kind, list) and "integer" in kind):
            node["format"] = "int64"
        if "default" in node and node["default"] is None:
            del node["default"]
        for inner in node.values():
            _write_for_generators(inner)


def _drop_unused_schemas(document: dict[str, Any]) -> None:
    """Remove unreferenced schemas, such as those of flask-smorest."""
    components = document["components"]
    known, components["schemas"] = components["schemas"], {}
    used, found = set[str](), _referred_to(document)
    while found:
        used |= found
        found = {name for one in found for name in _referred_to(known[one])} - used
    components["schemas"] = {name: schema for name, schema in known.items() if name in used}


def _referred_to(part: Any) -> set[str]:
    """The names of the schemas that a part of the document refers to."""
    text = msgspec.json.encode(part).decode()
    return set(re.findall(r'"#/components/schemas/([A-Za-z0-9_.-]+)"', text))


def _add_examples(document: dict[str, Any]) -> None:
    """Add recorded requests and responses to their operations as examples."""
    recorded = examples()
    for operations in document["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and (known := recorded.get(operation.get("operationId", ""))):
                _add_example(operation, known)


def _add_example(operation: dict[str, Any], known: dict[str, Any]) -> None:
    if "request" in known:
        operation["requestBody"]["content"]["application/json"]["example"] = known["request"]
    for status, body in known.get("answers", {}).items():
        for kind, media in operation["responses"][status]["content"].items():
            if isinstance(body, str) or (kind.endswith("json") and kind != "application/x-ndjson"):
                media.setdefault("example", body)


@cache
def examples() -> dict[str, Any]:
    """Return real requests and responses, recorded by `python -m tests.api.record`, by operation id."""
    folder = files("kontor_games.api").joinpath("examples")
    return {
        file.name.removesuffix(".json"): msgspec.json.decode(file.read_bytes()) for file in folder.iterdir()
    }


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as block scalars."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def write_yaml(document: dict[str, Any]) -> str:
    """Return the document as YAML, in the form of the committed openapi.yaml."""
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=140)
