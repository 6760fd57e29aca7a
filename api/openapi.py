"""The contract as a document: collected from the routes, completed with what they share. `python -m kontor_games.api openapi.yaml` writes it."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]

from kontor_games.api import problems
from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import LIMIT_HEADERS, REPLY_HEADERS
from kontor_games.api.middleware import REQUEST_ID
from kontor_games.api.request import IF_MATCH, KEY
from kontor_games.api.request_schemas import CURSOR, Move, Moves

_DESCRIPTION = """\
Board games that people and programs play with each other over HTTP, provably fair.

**Begin** with `POST /v1/players`, which gives a token; send it as `Authorization: Bearer <token>`. Announce a match with
`POST /v1/matches` against house bots, then send one of `legal_moves` to `POST /v1/matches/{match_id}/moves` until `status` is `finished`.

**Versions.** A match's `version` counts its facts. It is the ETag; `If-Match` makes sure that you decide on what you saw.

**Retries.** Send an `Idempotency-Key` with every POST: the same request under the same key is carried out once, and answered alike,
with `Idempotency-Replayed: true`. Another request under the same key is refused (422).

**Problems** are RFC 9457 `application/problem+json` with a stable `code`. New codes, statuses of matches and kinds of facts may be
added at any time; clients must live with values they don't know. Unknown fields and parameters in requests are refused.

**Limits** are per token and minute, told by `RateLimit` and `RateLimit-Policy`; on 429 `Retry-After` says when to come back.

**Times** are RFC 3339 in UTC, durations are milliseconds, ids are opaque.

**Browsers.** Web pages of other origins may call where the operator allows their origin (CORS, setting `KONTOR_CORS_ORIGINS`).
"""
_TITLES = {
    400: "The request can't be read",
    401: "It needs a token, and a valid one",
    403: "The token, or the player, may not do this",
    404: "There is no such thing, or none that you may know of",
    406: "There is no media type here that you accept",
    409: "Refused now; `code` and `rule` say why",
    412: "The match has moved on; `current_version` says where to",
    413: "The body is too large",
    415: "The body must be JSON",
    422: "Some values can't be used; `errors` says which and why",
    429: "Too many calls; come back after `Retry-After`",
    503: "The database can't be reached; come back after `Retry-After`",
}
_PROBLEM_HEADERS = {401: ("WWW-Authenticate",), 412: ("ETag",), 429: ("Retry-After", *LIMIT_HEADERS), 503: ("Retry-After",)}


def _header(description: str, required: bool = False, **schema: Any) -> dict[str, Any]:  # noqa: FBT001, FBT002
    return {"description": description, "required": required, "schema": {"type": "string", **schema}}


HEADERS = {
    "Request-Id": _header("The id of the request: yours, or a new one.", required=True, pattern=f"^{REQUEST_ID}$"),
    "Server-Time": _header("The time when the answer was made.", required=True, format="date-time"),
    "RateLimit": _header('What is left of the limit: `"class";r=calls;t=seconds`.'),
    "RateLimit-Policy": _header('The limit: `"class";q=calls;w=seconds`.'),
    "ETag": _header("The version, in quotes."),
    "Location": _header("Where the new thing is.", required=True, format="uri-reference"),
    "Content-Disposition": _header("The name of the file.", required=True),
    "Content-Language": _header("The language of the answer: titles, rules and words.", required=True),
    "Idempotency-Replayed": _header("`true` where this is the first answer again.", enum=["true"]),
    "Retry-After": _header("Seconds to wait.", required=True, pattern="^[0-9]+$"),
    "WWW-Authenticate": _header("How to say who you are.", required=True),
}


def _parameter(description: str, **schema: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string", **schema}}


PARAMETERS = {
    "Request-Id": _parameter("Your own id for this request, sent back and logged.", pattern=f"^{REQUEST_ID}$"),
    "Idempotency-Key": _parameter("Makes a retry safe: one key for one request, new for the next.", pattern=f"^{KEY}$"),
    "Idempotency-Key-Secret": _parameter(
        "Makes a retry safe within a day. Hard to guess, since whoever knows key and body is given the token: a UUID will do.",
        pattern=f"^{KEY.replace('{1,', '{16,')}$",
    ),
    "If-Match": _parameter('The version that you decided on, such as `"17"`.', pattern=f"^({IF_MATCH})$"),
    "If-None-Match": _parameter("The ETag that you have.", examples=['"17"']),
    "Last-Event-ID": _parameter("The last version that you saw; takes the place of `after`.", pattern="^[0-9]{1,15}$"),
    "Last-Event-Cursor": _parameter("The last cursor that you saw; takes the place of `after`.", pattern=f"^{CURSOR}$"),
    "Accept-Language": _parameter(
        "The language you prefer, such as `de` or `fr-CH`: en, de, fr, it or es. If it is not there, the answer is in English.",
        examples=["de"],
    ),
}
_NAMES = {"Idempotency-Key-Secret": "Idempotency-Key", "Last-Event-Cursor": "Last-Event-ID"}
"""Two forms of one header, each a component of its own."""


class Contract(Api):  # type: ignore[misc]  # flask-smorest has no types
    """flask-smorest's Api, with errors left to `problems` and nothing served by itself."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        problems.register(self._app)


def contract_of(app: Flask) -> Contract:
    """Binds the app to a document that its routes will fill."""
    app.config.update(API_TITLE="Kontor", API_VERSION="v1", OPENAPI_VERSION="3.1.0")
    options = {"info": {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}, "servers": [{"url": "/"}]}
    contract = Contract(app, spec_kwargs=options)
    components = contract.spec.components
    components.security_scheme(
        "bearer", {"type": "http", "scheme": "bearer", "description": "A token from `POST /v1/players` or `POST /v1/tokens`."}
    )
    components.schema("Problem", schema=schemas.Problem)
    components.schema("Move", Move)
    components.schema("MoveList", Moves)
    for name, header in HEADERS.items():
        components.header(name, header)
    for name, parameter in PARAMETERS.items():
        components.parameter(name, "header", {"name": _NAMES.get(name, name), **parameter})
    for status, title in _TITLES.items():
        components.response(f"Problem{status}", _problem(status, title))
    return contract


def _problem(status: int, title: str) -> dict[str, Any]:
    names = (*REPLY_HEADERS, *_PROBLEM_HEADERS.get(status, ()))
    return {
        "description": title + ".",
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names},
        "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def document_of(contract: Contract) -> dict[str, Any]:
    """The whole document, with examples and the list of problems."""
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(contract.spec.to_dict()))
    _add_examples(document)
    document["x-problems"] = problems.all_problems()
    return document


def _add_examples(document: dict[str, Any]) -> None:
    """Puts recorded exchanges into their operations, and recorded problems into theirs."""
    recorded = examples()
    for operations in document["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and (known := recorded.get(operation.get("operationId", ""))):
                _add_example(operation, known)


def _add_example(operation: dict[str, Any], known: dict[str, Any]) -> None:
    if "request" in known:
        operation["requestBody"]["content"]["application/json"]["example"] = known["request"]
    for status, body in known.get("answers", {}).items():
        for media in operation["responses"][status]["content"].values():
            media.setdefault("example", body)
    for parameter in operation.get("parameters", ()):
        if parameter.get("name") in known.get("parameters", {}):
            parameter["example"] = known["parameters"][parameter["name"]]


@cache
def examples() -> dict[str, Any]:
    """Real requests and answers, recorded by `python -m tests.api.record`."""
    recorded: dict[str, Any] = msgspec.json.decode(files("kontor_games.api").joinpath("examples.json").read_bytes())
    return recorded


def write_yaml(document: dict[str, Any]) -> str:
    """The document as it is committed."""
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=140)
