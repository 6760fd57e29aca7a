"""One decorator per operation: it documents the operation in openapi.yaml and enforces what it documents.

OpenAPI links between operations let clients and fuzzers follow them from a new match to its last move.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partialmethod
from typing import Any

from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema
from msgspec import Struct

from kontor_games.api.answers import REFERENCE
from kontor_games.api.render import JSON, NDJSON
from kontor_games.api.request import ANYONE, GUEST, PLAYER, ApiRequest, Cost, Responder, View
from kontor_games.api.schemas.fields import EmptyBody, has_required_field

_BODY_ID = "$response.body#/id"
_PATH_ID = "$request.path.match_id"
_SIZE = "$response.body#/checkpoints/0/size"


def _link(operation: str, description: str, **parameters: str) -> dict[str, Any]:
    return {"operationId": operation, "parameters": parameters, "description": description}


def _match_link(operation: str, description: str, match: str = _BODY_ID, **more: Any) -> dict[str, Any]:
    parameters = {"match_id": match, **more.pop("parameters", {})}
    return {"operationId": operation, "description": description, "parameters": parameters, **more}


_VERSION = {"version": "$response.body#/version"}
_FIRST_MOVE = {
    "requestBody": "$response.body#/legal_moves/0",
    "parameters": {"If-Match": "$response.header.ETag"},
}
"""The first legal move of the response, sent only if the match is still at the version of the response."""


def _match_links(match: str) -> dict[str, Any]:
    """Links to the operations that can follow a response which contains a match."""
    return {
        "view": _match_link("get_match", "View the match.", match),
        "view_at_version": _match_link(
            "get_match", "View the match at this version.", match, parameters=_VERSION
        ),
        "move": _match_link("play_moves", "Make the first legal move.", match, **_FIRST_MOVE),
        "dry_run": _match_link("dry_run_moves", "Try the first legal move.", match, **_FIRST_MOVE),
        "events": _match_link("list_events", "Read the facts of the match.", match),
        "positions": _match_link("list_positions", "Read the positions of the match.", match),
        "resign": _match_link("resign_match", "Resign from the match.", match),
        "abort": _match_link("abort_match", "Abort the match.", match),
        "export": _match_link("export_match", "Export the match as one verifiable file.", match),
    }


def _seating_links(match: str) -> dict[str, Any]:
    """Links to the operations that are possible before a match starts."""
    return {
        "join": _match_link("join_match", "Join the match.", match),
        "leave": _match_link("leave_match", "Leave the seat.", match),
        "start": _match_link("start_match", "Start the match.", match),
        "open": _match_link("open_contribution", "Open a sealed contribution.", match),
    }


LINKS: dict[str, dict[str, Any]] = {
    "register_player": {"view": _link("get_player", "View the player.", player_id=_BODY_ID)},
    "create_token": {"revoke": _link("revoke_token", "Revoke the token.", token_id=_BODY_ID)},
    "get_game": {
        "data_set": _link(
            "get_data_set",
            "View the first data set of the game.",
            game_id="$request.path.game_id",
            data_set="$response.body#/data_sets/0/name",
        )
    },
    "create_match": _seating_links(_BODY_ID) | _match_links(_BODY_ID),
    "branch_match": _match_links(_BODY_ID),
    "list_checkpoints": {
        "consistency": _link(
            "prove_consistency", "Prove that one tree extends another.", first=_SIZE, second=_SIZE
        ),
        "keys": _link("prove_keys", "Prove which keys are in the tree.", size=_SIZE),
    },
    "list_matches": {
        "view": _match_link("get_match", "View the newest match.", "$response.body#/matches/0/id"),
        "join": _match_link("join_match", "Join the newest match.", "$response.body#/matches/0/id"),
    },
    "get_match": _match_links(_BODY_ID),
    "join_match": _seating_links(_PATH_ID) | _match_links(_PATH_ID),
    "leave_match": {"join": _match_link("join_match", "Join the match again.", _PATH_ID)},
    "open_contribution": _match_links(_PATH_ID),
    "start_match": _match_links(_PATH_ID),
    "resign_match": {"view": _match_link("get_match", "View the match.", _PATH_ID)},
    "abort_match": {"view": _match_link("get_match", "View the match.", _PATH_ID)},
    "play_moves": _match_links(_PATH_ID),
    "list_events": {
        "more": _match_link(
            "list_events", "Read the next page.", _PATH_ID, parameters={"after": "$response.body#/next"}
        ),
    },
    "list_positions": {
        "more": _match_link(
            "list_positions",
            "Read the next positions.",
            _PATH_ID,
            parameters={"from": "$response.body#/next"},
        ),
    },
    "list_my_events": {
        "more": _link("list_my_events", "Read the next page.", after="$response.body#/next"),
        "view": _match_link("get_match", "View the first of your matches.", "$response.body#/matches/0/id"),
    },
}


REPLY_HEADERS = ("Request-Id", "Server-Time")
LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")
COMMAND_HEADERS = ("ETag", "Idempotency-Replayed")
"""The headers of the answer to a command on a match or tournament."""


def header_references(*names: str) -> dict[str, Any]:
    """The headers of a response in OpenAPI, as references to the components."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


@dataclass(frozen=True)
class Reply:
    """A successful response of an operation."""

    status: int
    description: str
    schema: type[Struct] | dict[str, Any] | None = None
    """An answer, a JSON Schema, or nothing."""
    media_types: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()
    also: tuple[type[Struct], ...] = ()
    """Further answers that a stream sends between the facts."""

    @property
    def answers(self) -> list[type[Struct]]:
        """The answers that it contains."""
        return [*([self.schema] if isinstance(self.schema, type) else ()), *self.also]

    def document(self) -> dict[str, Any]:
        kinds = self.media_types if self.schema else ()
        also = {"x-also": [_reference(one) for one in self.also]} if self.also else {}
        schema = _reference(self.schema) if isinstance(self.schema, type) else self.schema
        content = {kind: {"schema": schema if kind == JSON else _text_schema(kind) | also} for kind in kinds}
        headers = header_references(*self.headers, *REPLY_HEADERS, *LIMIT_HEADERS)
        response = {"description": self.description, "headers": headers}
        return {**response, "content": content} if content else response


def _reference(answer: type[Struct]) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=answer.__name__)}


def export_reply(document: str) -> Reply:
    """The reply with an export file, which a document of the project describes."""
    description, headers = f"The export file; {document} describes it.", ("Content-Disposition",)
    return Reply(200, description, {"type": "string"}, (NDJSON,), headers=headers)


NOT_MODIFIED = Reply(304, "Not modified: your cached copy is current.", headers=("ETag",))


def _text_schema(media_type: str) -> dict[str, Any]:
    if media_type == "application/octet-stream":
        return {"type": "string", "format": "binary"}
    return {"type": "object" if media_type == "application/yaml" else "string"}


@dataclass(frozen=True)
class Operation:
    """The contract of an operation."""

    method: str
    path: str
    replies: tuple[Reply, ...]
    who: str | tuple[str, ...] = GUEST
    """ANYONE, GUEST, PLAYER, a scope, or several scopes, of which the token needs one."""
    cost: Cost | Callable[[ApiRequest], Cost] | None = "read"
    """The rate limit that it counts against; None only for `/`, which serves the page."""
    query: Schema | None = None
    body: Schema | Mapping[str, Any] | None = None
    """A marshmallow schema, or a JSON Schema if the body is not read by marshmallow."""
    versioned: bool = False
    """Whether it is a command on a match: it accepts If-Match and a player's signature."""
    headers: tuple[str, ...] = ()
    """Further request headers that it accepts, by their names in the components."""
    problems: tuple[int, ...] = ()
    """Statuses of problems that do not follow from the other fields."""
    precondition: View | None = None
    """Refuses a request before its body is read, which for a large one is most of the work."""

    @property
    def writes(self) -> bool:
        """Whether it changes something, so that a retry must be detected by its Idempotency-Key."""
        return self.method == "POST" or self.versioned

    @property
    def body_required(self) -> bool:
        """Whether a request without a body is refused; otherwise it counts as one with an empty object."""
        return not isinstance(self.body, Schema) or has_required_field(self.body)

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types that it can answer with."""
        kinds = dict.fromkeys(kind for reply in self.replies if reply.schema for kind in reply.media_types)
        return tuple(kinds) or (JSON,)

    @property
    def statuses(self) -> list[int]:
        """The status codes of all problems that it can respond with."""
        found = {400, 406, 422, *self.problems}
        found |= set() if self.who == ANYONE else {401, 403, 503}
        found |= {429} if self.cost else set()
        found |= {413, 415} if self.body is not None else set()
        found |= {409} if self.writes else set()
        found |= {404} if self.query is not None and "cursor" in self.query.fields else set()
        found |= {404} if "<" in self.path else set()
        found |= {412} if self.versioned else set()
        return sorted(found)

    @property
    def security(self) -> list[dict[str, list[str]]]:
        """The security requirements of OpenAPI."""
        if self.who == ANYONE:
            return []
        if self.who == GUEST:
            return [{}, {"bearer": []}]
        if self.who == PLAYER:
            return [{"bearer": []}]
        return [{"bearer": [scope]} for scope in ([self.who] if isinstance(self.who, str) else self.who)]


_Method = partialmethod[Callable[[View], View]]


class Routes(Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """The operations of one resource."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.responders: dict[str, Responder] = {}
        """What answers requests to each endpoint."""

    def _register(self, method: str, path: str, *replies: Reply, **contract: Any) -> Callable[[View], View]:
        """Return a decorator that registers a view function as an operation with this contract."""
        operation = Operation(method, path, replies, **contract)

        def decorate(view: View) -> View:
            name = view.__name__
            self.responders[f"{self.name}.{name}"] = Responder(operation, view)
            documented = self.doc(operationId=name, **document(operation, name))(view)
            self.route(path, methods=[method], endpoint=name)(documented)
            return view

        return decorate

    get: _Method = partialmethod(_register, "GET")
    post: _Method = partialmethod(_register, "POST", cost="write", body=EmptyBody())
    """Without another schema, it accepts an empty object or no body."""
    put: _Method = partialmethod(_register, "PUT", cost="write")
    patch: _Method = partialmethod(_register, "PATCH", cost="write")
    delete: _Method = partialmethod(_register, "DELETE", cost="write")


def document(operation: Operation, name: str) -> dict[str, Any]:
    """The OpenAPI operation object; flask-smorest adds summary and description from the view's docstring."""
    parameters: list[Any] = [{"in": "query", "schema": operation.query}] if operation.query else []
    parameters += [*operation.headers, "Request-Id"]
    takes_key = operation.writes and "Idempotency-Key-Secret" not in operation.headers
    parameters += ["Idempotency-Key"] if takes_key else []
    parameters += ["If-Match", "Kontor-Signature"] if operation.versioned else []
    responses: dict[int, Any] = {reply.status: reply.document() for reply in operation.replies}
    if name in LINKS:
        responses[operation.replies[0].status]["links"] = LINKS[name]
    responses |= {status: f"Problem{status}" for status in operation.statuses}
    body = {"required": operation.body_required, "content": {JSON: {"schema": operation.body}}}
    return {
        "parameters": parameters,
        "security": operation.security,
        "responses": responses,
        **({"requestBody": body} if operation.body is not None else {}),
    }
