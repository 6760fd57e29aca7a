"""Messages of MCP: versions, headers, errors, and what each era gets."""

from base64 import b64encode
from typing import Any, NoReturn

import pytest

from kontor_games.service.agents.protocol import EARLIER, HOSTED_GUIDE, MODERN, Protocol, Reply

META = "io.modelcontextprotocol/"
ENVELOPE = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
PROTOCOL = Protocol(HOSTED_GUIDE, "1.2.3")


def no_calls() -> NoReturn:
    raise AssertionError("the service must not be called")


def ask(message: Any, headers: dict[str, str] | None = None) -> Reply:
    return PROTOCOL.answer(message, no_calls, headers)


def request(method: str, headers: dict[str, str] | None = None, /, **params: Any) -> Reply:
    return ask({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers)


def headers_of(method: str, **more: str) -> dict[str, str]:
    return {"mcp-protocol-version": MODERN, "mcp-method": method, **more}


def error_of(reply: Reply) -> tuple[int, int]:
    assert reply.message is not None
    return reply.status, reply.message["error"]["code"]


def result_of(reply: Reply) -> dict[str, Any]:
    assert reply.status == 200
    assert reply.message is not None
    return dict(reply.message["result"])


def test_a_server_can_be_discovered() -> None:
    found = result_of(request("server/discover", headers_of("server/discover"), _meta=ENVELOPE))
    assert found["supportedVersions"] == [MODERN, *EARLIER]
    assert found["resultType"] == "complete"
    assert found["capabilities"] == {"tools": {}}
    assert found["instructions"] == HOSTED_GUIDE
    assert found["cacheScope"] == "public"
    assert found["_meta"][f"{META}serverInfo"]["version"] == "1.2.3"


@pytest.mark.parametrize("version", EARLIER)
def test_earlier_revisions_begin_with_a_handshake_that_keeps_nothing(version: str) -> None:
    found = result_of(request("initialize", protocolVersion=version, capabilities={}))
    assert found["protocolVersion"] == version
    assert result_of(request("ping", {"mcp-protocol-version": version})) == {}
    listed = result_of(request("tools/list", {"mcp-protocol-version": version}))
    assert set(listed) == {"tools"}
    assert ask({"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


def test_an_unknown_earlier_revision_is_offered_the_newest_of_them() -> None:
    assert result_of(request("initialize", protocolVersion="2024-11-05"))["protocolVersion"] == EARLIER[0]


@pytest.mark.parametrize(
    ("headers", "meta", "expected"),
    [
        ({"mcp-method": "tools/list"}, ENVELOPE, (400, -32020)),
        ({"mcp-protocol-version": MODERN}, ENVELOPE, (400, -32020)),
        (headers_of("tools/call"), ENVELOPE, (400, -32020)),
        (headers_of("tools/list"), {f"{META}protocolVersion": MODERN}, (400, -32602)),
        (headers_of("tools/list"), None, (400, -32602)),
        (
            headers_of("tools/list") | {"mcp-protocol-version": "2031-01-01"},
            ENVELOPE | {f"{META}protocolVersion": "2031-01-01"},
            (400, -32022),
        ),
        ({"mcp-protocol-version": "1900-01-01"}, None, (400, -32022)),
    ],
)
def test_what_headers_and_envelope_must_say(
    headers: dict[str, str], meta: dict[str, Any] | None, expected: tuple[int, int]
) -> None:
    given = {} if meta is None else {"_meta": meta}
    reply = request("tools/list", headers, **given)
    assert error_of(reply) == expected
    assert reply.message is not None
    assert reply.message["id"] == 1
    if expected[1] == -32022:
        assert reply.message["error"]["data"]["supported"] == [MODERN, *EARLIER]


def test_a_name_in_a_header_may_be_encoded() -> None:
    encoded = f"=?base64?{b64encode(b'no tool').decode()}?="
    for name, code in ((encoded, -32602), ("no tool", -32602), ("another", -32020), ("=?base64?%?=", -32020)):
        headers = headers_of("tools/call", **{"mcp-name": name})
        assert error_of(request("tools/call", headers, name="no tool", _meta=ENVELOPE)) == (400, code)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ([], (400, -32600)),
        ({"id": 1, "method": "ping"}, (400, -32600)),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, (400, -32600)),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, (400, -32600)),
        ({"jsonrpc": "2.0", "id": 1}, (400, -32600)),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, (400, -32602)),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}, (400, -32602)),
        ({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}, (404, -32601)),
    ],
)
def test_messages_that_are_refused(message: Any, expected: tuple[int, int]) -> None:
    assert error_of(ask(message)) == expected


def test_methods_of_one_era_are_unknown_in_the_other() -> None:
    for method in ("ping", "initialize"):
        assert error_of(request(method, headers_of(method), _meta=ENVELOPE)) == (404, -32601)
