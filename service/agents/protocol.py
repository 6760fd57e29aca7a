"""MCP, as far as a server with tools needs it: JSON-RPC messages in, answers out; no state, no I/O.

Revision 2026-07-28 is stateless: every request says its version and what its client can do. Clients of
earlier revisions begin with `initialize`, which needs no memory here either.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from kontor_games.domain.codec import Plain
from kontor_games.service.agents.calls import Calls
from kontor_games.service.agents.position import ToolResult
from kontor_games.service.agents.tools import LISTED, call_tool
from kontor_games.service.agents.untrusted import NOTICE

MODERN = "2026-07-28"
EARLIER = ("2025-11-25", "2025-06-18", "2025-03-26")
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
_META = "io.modelcontextprotocol/"
_STATUS = {METHOD_NOT_FOUND: 404}
_HOUR_MS = 3_600_000
_TOOL_NAMES = frozenset(tool["name"] for tool in LISTED)
_NAMED = ("tools/call", "resources/read", "prompts/get")
_GUIDE = (
    "Kontor is a service on which people and programs play board games. Call find_match, then in turns "
    "wait_for_turn and play, until the match is over. Moves have numbers, which belong to a version: always "
    "send both. All that you may know is in the answers; the rules are in the tool rules, and a refused move "
    "names the rule that forbids it. "
)
HOSTED_GUIDE = _GUIDE + (
    f"{NOTICE} This is the hosted form: your moves are made with your token, but not signed with a key of "
    "your own, you contribute nothing to the random seed, and the signatures of the service are not checked "
    "for you. Matches that require signed moves can't be joined. The program `kontor mcp` does all that."
)
LOCAL_GUIDE = _GUIDE + (
    f"{NOTICE} This is the local form: it contributes to the random seed after the service has signed its "
    "commitment, signs every move with a key on this machine, and checks each finished match against "
    "everything that the service signed."
)


class Reply(NamedTuple):
    """The answer to a message: a JSON-RPC response, or nothing for a notification; the status is for HTTP."""

    status: int
    message: dict[str, Any] | None = None


class RpcError(Exception):
    """A message that is not answered with a result."""

    def __init__(self, code: int, message: str, data: Plain = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class Protocol:
    """Answers messages for one form of the tools."""

    def __init__(self, guide: str, version: str) -> None:
        """`version` is that of the software."""
        self._guide = guide
        self._about = {"name": "kontor", "title": "Kontor", "version": version}

    def answer(
        self, message: Plain, calls: Callable[[], Calls], headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Answer a message; `headers`, in lower case, are those of the HTTP request that brought it."""
        request_id = message.get("id") if isinstance(message, dict) else None
        try:
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
                raise RpcError(INVALID_REQUEST, "The body must be one JSON-RPC 2.0 request or notification.")
            if "id" not in message and isinstance(message.get("method"), str):
                return Reply(202)
            result = self._result(message, calls, headers)
        except RpcError as error:
            data = {} if error.data is None else {"data": error.data}
            shown = {"code": error.code, "message": str(error), **data}
            return Reply(
                _STATUS.get(error.code, 400), {"jsonrpc": "2.0", "id": _valid_id(request_id), "error": shown}
            )
        return Reply(200, {"jsonrpc": "2.0", "id": request_id, "result": result})

    def _result(
        self, message: dict[str, Any], calls: Callable[[], Calls], headers: Mapping[str, str] | None
    ) -> dict[str, Any]:
        method, params = message.get("method"), message.get("params", {})
        if not isinstance(method, str) or _valid_id(message["id"]) is None:
            raise RpcError(
                INVALID_REQUEST, "A request needs a method, and an id that is a text or a whole number."
            )
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "params must be an object.")
        modern = _is_modern(method, params, headers)
        if modern:
            _check_envelope(method, params, headers)
        elif headers is not None and (sent := headers.get(VERSION_HEADER)) not in (None, *EARLIER):
            raise _unsupported(sent)
        found = self._call(method, params, calls, modern=modern)
        if not modern:
            return found
        return {"resultType": "complete", **found, "_meta": {f"{_META}serverInfo": self._about}}

    def _call(
        self, method: str, params: dict[str, Any], calls: Callable[[], Calls], *, modern: bool
    ) -> dict[str, Any]:
        capabilities: dict[str, Any] = {"tools": {}}
        cached = {"ttlMs": _HOUR_MS, "cacheScope": "public"} if modern else {}
        if method == "tools/list":
            return {"tools": LISTED, **cached}
        if method == "tools/call":
            return _content(call_tool(_tool_name(params), calls(), params.get("arguments") or {}))
        if method == "server/discover" and modern:
            about = {"capabilities": capabilities, "instructions": self._guide}
            return {"supportedVersions": [MODERN, *EARLIER], **about, **cached}
        if method == "initialize" and not modern:
            asked = params.get("protocolVersion")
            version = asked if asked in EARLIER else EARLIER[0]
            about = {"capabilities": capabilities, "serverInfo": self._about, "instructions": self._guide}
            return {"protocolVersion": version, **about}
        if method == "ping" and not modern:
            return {}
        raise RpcError(METHOD_NOT_FOUND, f"There is no method {method[:100]!r}.")


def _valid_id(given: Plain) -> str | int | None:
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None


def _is_modern(method: str, params: dict[str, Any], headers: Mapping[str, str] | None) -> bool:
    """Whether a request is of the stateless revision, or claims to be."""
    meta = params.get("_meta")
    if isinstance(meta, dict) and f"{_META}protocolVersion" in meta:
        return True
    return method == "server/discover" or (headers is not None and headers.get(VERSION_HEADER) == MODERN)


def _check_envelope(method: str, params: dict[str, Any], headers: Mapping[str, str] | None) -> None:
    """Check what every request of the stateless revision must say, and that its headers say the same."""
    meta = params.get("_meta")
    needed = (f"{_META}protocolVersion", f"{_META}clientCapabilities")
    if not isinstance(meta, dict) or any(name not in meta for name in needed):
        raise RpcError(INVALID_PARAMS, f"params._meta must have {' and '.join(needed)}.")
    version = meta[needed[0]]
    if headers is not None:
        expected = {VERSION_HEADER: version, METHOD_HEADER: method}
        if method in _NAMED:
            expected[NAME_HEADER] = params.get("uri" if method == "resources/read" else "name")
        for name, value in expected.items():
            if _decoded(headers.get(name)) != value:
                raise RpcError(HEADER_MISMATCH, f"The header {name} does not say the same as the body.")
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, "The protocol version must be a text.")
    if version != MODERN:
        raise _unsupported(version)


def _decoded(header: str | None) -> str | None:
    """The value of a header, which can be written as =?base64?…?=."""
    if header is None or not (header.startswith("=?base64?") and header.endswith("?=")):
        return header
    try:
        return base64.b64decode(header[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(version: str) -> RpcError:
    data = {"supported": [MODERN, *EARLIER], "requested": version[:100]}
    return RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _tool_name(params: dict[str, Any]) -> str:
    name = params.get("name")
    if not isinstance(name, str) or name not in _TOOL_NAMES:
        raise RpcError(INVALID_PARAMS, "There is no such tool; tools/list lists all.")
    return name


def _content(result: ToolResult) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": result.text}],
        "structuredContent": result.data,
        "isError": result.is_error,
    }
