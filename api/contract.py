"""One decorator per operation: the contract that openapi.yaml shows is the contract that is enforced."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from kontor_games.api.request import ANYONE, GUEST, JSON, PLAYER, ApiRequest, Cost, View, guard

REPLY_HEADERS = ("Request-Id", "Server-Time")
LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")


@dataclass(frozen=True)
class Reply:
    """What an operation answers when all is well."""

    status: int
    description: str
    schema: Any = None
    """A marshmallow schema, a JSON Schema, or nothing."""
    media_types: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()
    links: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The response object of OpenAPI."""
        content = (
            {kind: {"schema": self.schema if kind == JSON else _TEXTS[kind]} for kind in self.media_types}
            if self.schema
            else {}
        )
        return {
            "description": self.description,
            "headers": {
                name: {"$ref": f"#/components/headers/{name}"} for name in (*self.headers, *REPLY_HEADERS)
            },
            **({"content": content} if content else {}),
            **({"links": dict(self.links)} if self.links else {}),
        }


_TEXTS: dict[str, dict[str, str]] = {
    "application/x-ndjson": {"type": "string"},
    "text/event-stream": {"type": "string"},
    "text/plain": {"type": "string"},
    "text/html": {"type": "string"},
    "application/yaml": {"type": "object"},
}


@dataclass(frozen=True)
class Operation:
    """Everything that holds for an operation before its view function is called."""

    method: str
    path: str
    replies: tuple[Reply, ...]
    who: str = GUEST
    cost: Cost | Callable[[ApiRequest], Cost] | None = "read"
    query: Schema | None = None
    body: Schema | Mapping[str, Any] | None = None
    """A marshmallow schema, or a JSON Schema where somebody else reads the body."""
    optional_body: bool = False
    versioned: bool = False
    """Whether If-Match guards it."""
    headers: tuple[str, ...] = ()
    """Further request headers that it understands, as they are called in the components."""
    problems: tuple[int, ...] = ()
    """Statuses of problems beyond those that follow from the rest."""

    @property
    def writes(self) -> bool:
        """Whether a retry must be told from a new request."""
        return self.method == "POST" or self.versioned

    @property
    def media_types(self) -> tuple[str, ...]:
        """What can be accepted."""
        return tuple(
            dict.fromkeys(kind for reply in self.replies if reply.schema for kind in reply.media_types)
        ) or (JSON,)

    @property
    def statuses(self) -> list[int]:
        """The statuses of all its problems."""
        found = {400, 406, 422, *self.problems}
        found |= set() if self.who == ANYONE else {401, 503}
        found |= {403} if self.who not in (ANYONE, GUEST, PLAYER) else set()
        found |= {429} if self.cost else set()
        found |= {413, 415} if self.body is not None else set()
        found |= {404} if "<" in self.path else set()
        found |= {412} if self.versioned else set()
        return sorted(found)

    @property
    def security(self) -> list[dict[str, list[str]]]:
        """Who may call it, in OpenAPI's words."""
        if self.who == ANYONE:
            return []
        if self.who == GUEST:
            return [{}, {"bearer": []}]
        return [{"bearer": [] if self.who == PLAYER else [self.who]}]


class Routes(Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """A resource: its operations are documented and enforced by the same words."""

    def get(self, path: str, *replies: Reply, **contract: Any) -> Callable[[View], View]:
        """An operation that reads."""
        return self._operation(Operation("GET", path, replies, **contract))

    def post(self, path: str, *replies: Reply, **contract: Any) -> Callable[[View], View]:
        """An operation that changes something, once under one Idempotency-Key."""
        return self._operation(Operation("POST", path, replies, **{"cost": "write", **contract}))

    def patch(self, path: str, *replies: Reply, **contract: Any) -> Callable[[View], View]:
        """An operation that changes part of something."""
        return self._operation(Operation("PATCH", path, replies, **{"cost": "write", **contract}))

    def delete(self, path: str, *replies: Reply, **contract: Any) -> Callable[[View], View]:
        """An operation that takes something away."""
        return self._operation(Operation("DELETE", path, replies, **{"cost": "write", **contract}))

    def _operation(self, operation: Operation) -> Callable[[View], View]:
        def decorate(view: View) -> View:
            handler = guard(operation, view)
            documented = self.doc(operationId=view.__name__, **document(operation))(handler)
            self.route(operation.path, methods=[operation.method], endpoint=view.__name__)(documented)
            return view

        return decorate


def document(operation: Operation) -> dict[str, Any]:
    """The operation object of OpenAPI, without what the view function says of itself."""
    parameters: list[Any] = [{"in": "query", "schema": operation.query}] if operation.query else []
    parameters += [*operation.headers, "Request-Id"]
    parameters += (
        ["Idempotency-Key"] if operation.writes and "Idempotency-Key-Secret" not in operation.headers else []
    )
    parameters += ["If-Match"] if operation.versioned else []
    responses: dict[int, Any] = {reply.status: reply.document() for reply in operation.replies}
    responses |= {status: f"Problem{status}" for status in operation.statuses}
    body = {"required": not operation.optional_body, "content": {JSON: {"schema": operation.body}}}
    return {
        "parameters": parameters,
        "security": operation.security,
        "responses": responses,
        **({"requestBody": body} if operation.body is not None else {}),
    }
