"""Messages go only to public addresses over HTTPS, and to hosts that the operator has allowed."""

import socket
from contextlib import closing

import pytest

from kontor_games.service.calls import endpoints
from kontor_games.service.calls.endpoints import (
    EndpointFailedError,
    EndpointRefusedError,
    check_form,
    is_public,
    post,
)
from tests.support.push_receiver import push_service

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),  # noqa: S104
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1"),
    *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://push.example/a", "https://push.example:8443/a", "https://ada@push.example/a", "https:///a"),
        *("ftp://push.example/a", "https://push.example:x/a", "https://[::1/a", "file:///etc/passwd"),
    ],
)
def test_an_endpoint_is_https_on_the_usual_port(endpoint: str) -> None:
    with pytest.raises(EndpointRefusedError):
        check_form(endpoint, ())


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"]
)
def test_nothing_is_sent_into_a_private_network(host: str) -> None:
    with pytest.raises(EndpointRefusedError, match="private network"):
        post(f"https://{host}/a", b"", {}, ())


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", (address, 443)) for address in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(EndpointRefusedError, match="private network"):
        post("https://push.example/a", b"", {}, ())


def test_an_allowed_host_gets_the_message_and_its_redirect_is_not_followed() -> None:
    with push_service() as service:
        service.statuses["/a?b"] = 307
        assert post(service.endpoint("a?b"), b"body", {"TTL": "5"}, (service.host,)) == 307
    [message] = service.messages
    assert (message.path, message.headers["TTL"], message.body) == ("/a?b", "5", b"body")


def test_a_server_that_answers_byte_by_byte_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "_LONGEST_S", 0.2)
    monkeypatch.setattr(endpoints, "_WAIT_S", 600.0)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EndpointFailedError):
            post(f"http://{host}/a", b"", {}, (host,))


def test_a_server_that_is_not_there_has_failed() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        host = f"127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(EndpointFailedError):
        post(f"http://{host}/a", b"", {}, (host,))
