"""`POST /mcp`: the tools for language models, hosted by the service itself.

A tool calls the operations of the API inside its own request: with the same token, the same limits and costs,
the same contract, and therefore nothing that its caller may not know. The path is not in openapi.yaml: its
messages are those of another protocol, whose errors are JSON-RPC objects, and which describes itself.
"""

import io
import json
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from kontor_games.api.contract import Operation, Reply
from kontor_games.api.render import NO_STORE, Answer, encode, json_response
from kontor_games.api.request import ANYONE, ApiRequest, Responder, charge, read_caller
from kontor_games.api.server.hang_ups import HANG_UP
from kontor_games.domain.codec import Plain, canonical
from kontor_games.service.agents.calls import CallRefusedError
from kontor_games.service.agents.protocol import (
    HOSTED_GUIDE,
    METHOD_HEADER,
    NAME_HEADER,
    VERSION_HEADER,
    Protocol,
)
from kontor_games.service.errors import ForbiddenError, UnauthorisedError
from kontor_games.service.version import VERSION

PATH = "/mcp"
RESOURCE_PATH = "/.well-known/oauth-protected-resource"
_PROTOCOL = Protocol(HOSTED_GUIDE, VERSION)
_HEADERS = {
    name: f"HTTP_{name.upper().replace('-', '_')}" for name in (VERSION_HEADER, METHOD_HEADER, NAME_HEADER)
}
_PASSED_ON = ("HTTP_AUTHORIZATION", "REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme", HANG_UP)


def base_url(request: ApiRequest) -> str:
    """The URL under which the client reached this service, without a slash at its end."""
    return request.http.host_url.rstrip("/")


def _admit(request: ApiRequest) -> None:
    """Refuse foreign web pages and callers without a valid token, before the body is read.

    Every message costs one call of the kind `read`; the operations that its tool uses cost what they always
    do.
    """
    origin, allowed = request.environ.get("HTTP_ORIGIN"), request.kontor.settings.cors_origins
    if origin is not None and "*" not in allowed and origin not in allowed:
        raise ForbiddenError(
            "Web pages of this origin may not use the tools; KONTOR_CORS_ORIGINS allows origins."
        )
    try:
        request.caller = read_caller(request.environ, request.kontor)
        if request.caller is None:
            raise UnauthorisedError("Send a token of this service: `Authorization: Bearer kontor_…`.")
    except UnauthorisedError as error:
        address = f"{base_url(request)}{RESOURCE_PATH}{PATH}"
        error.challenge = f'Bearer realm="kontor", resource_metadata="{address}", scope="play"'
        raise
    charge(request, "read")


def answer_mcp(request: ApiRequest) -> Answer:
    """Answer one message of the Model Context Protocol."""
    headers = {name: request.environ[key] for name, key in _HEADERS.items() if key in request.environ}
    reply = _PROTOCOL.answer(request.body, lambda: InnerCalls(request), headers)
    if reply.message is None:
        return Answer(status=reply.status, headers={"Cache-Control": NO_STORE})
    return json_response(reply.message, reply.status)


# Without a cost: the calls inside are measured, and those of heavy callers wait for each other.
MCP = Responder(
    Operation("POST", PATH, (Reply(200, ""),), who=ANYONE, cost=None, body={}, precondition=_admit),
    answer_mcp,
)


class InnerCalls:
    """Calls operations of the API in the place of the caller of a request."""

    signs = False

    def __init__(self, request: ApiRequest) -> None:
        self._outer = request

    def get(self, path: str, **query: Plain) -> Plain:
        return self._send("GET", path, query)

    def match(self, match: str, version: int | None = None) -> Any:
        return self._send("GET", f"/v1/matches/{match}", {"tell": "en", "version": version})

    def wait(self, match: str, after: int, seconds: int) -> bool:
        query = {"after": after, "limit": 1, "wait": seconds}
        return bool(self._send("GET", f"/v1/matches/{match}/events", query)["events"])

    def create(self, body: dict[str, Any]) -> Any:
        return self._send("POST", "/v1/matches", {}, body)

    def join(self, match: str, seat: int | None, link_key: str | None) -> Any:
        body = {} if seat is None else {"seat": seat}
        return self._send("POST", f"/v1/matches/{match}/seats", {}, body, HTTP_MATCH_KEY=link_key)

    def play(self, match: str, move: Plain, version: int) -> Any:
        """Make a move; the same move at the same version, sent again, gets the first answer again."""
        key = "mcp." + sha256(canonical([match, version, move])).hexdigest()
        found = {"HTTP_IF_MATCH": f'"{version}"', "HTTP_IDEMPOTENCY_KEY": key}
        return self._send("POST", f"/v1/matches/{match}/moves", {"tell": "en"}, move, **found)

    def dry_run(self, match: str, move: Plain, version: int) -> Any:
        path, at = f"/v1/matches/{match}/dry-runs", f'"{version}"'
        return self._send("POST", path, {"tell": "en"}, move, HTTP_IF_MATCH=at)

    def resign(self, match: str) -> Any:
        return self._send("POST", f"/v1/matches/{match}/resignation", {}, {})

    def _send(
        self, method: str, path: str, query: dict[str, Plain], body: Plain = None, **headers: str | None
    ) -> Any:
        outer = self._outer
        sent = b"" if body is None else encode(body)
        environ: dict[str, Any] = {name: outer.environ[name] for name in _PASSED_ON if name in outer.environ}
        environ |= {name: value for name, value in headers.items() if value is not None}
        environ |= {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": urlencode({name: value for name, value in query.items() if value is not None}),
            "HTTP_REQUEST_ID": outer.id,
            "CONTENT_TYPE": "application/json" if body is not None else "",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.input": io.BytesIO(sent),
        }
        inner = ApiRequest(environ, outer.services)
        answer = outer.services.dispatch(inner)
        outer.limit = inner.limit or outer.limit
        content = json.loads(answer.body)
        if answer.status >= 400:
            raise CallRefusedError(content)
        return content
