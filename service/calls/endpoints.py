"""Sends to addresses that browsers have named, and to nothing inside the operator's network.

The name of a host is resolved once, and the connection goes to the address that was checked: a name that
resolves differently a moment later leads nowhere else. Redirects are not followed.
"""

import socket
import ssl
from collections.abc import Collection, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from urllib.parse import urlsplit

_WAIT_S = 5.0
_LONGEST_S = 10.0
"""How long one request may take in all."""
_TRIED = 3
"""How many addresses of a host are tried."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""Addresses behind which a translator may reach any IPv4 address."""


class EndpointRefusedError(Exception):
    """A message must not be sent to this address."""


class EndpointFailedError(Exception):
    """An endpoint did not answer in time, or not with HTTP."""


def is_public(text: str) -> bool:
    """Whether an IP address belongs to the public internet."""
    address: IPv4Address | IPv6Address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address in _TRANSLATED or address.sixtofour or address.teredo:
            return False
        address = address.ipv4_mapped or address
    return address.is_global and not address.is_multicast


def check_form(endpoint: str, allowed: Collection[str]) -> None:
    """Raise EndpointRefusedError unless an address is HTTPS on the usual port, or its host is allowed."""
    try:
        parts = urlsplit(endpoint)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise EndpointRefusedError("is not a URL") from None
    if parts.netloc in allowed and parts.scheme in ("http", "https"):
        return
    if parts.scheme != "https" or not host or port not in (None, 443) or "@" in parts.netloc:
        raise EndpointRefusedError("must begin with https:// and have no port, name or password")


def _addresses_of(host: str, port: int, *, check: bool) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise EndpointFailedError("its host is unknown") from error
    addresses = [str(one[4][0]) for one in found]
    if check and not all(map(is_public, addresses)):
        raise EndpointRefusedError("leads into a private network")
    return addresses[:_TRIED]


class _Connection(HTTPConnection):
    """A connection to one of the addresses that were checked, under the name of their host."""

    def __init__(self, host: str, port: int, addresses: list[str], *, tls: bool) -> None:
        super().__init__(host, port, timeout=_WAIT_S)
        self._addresses, self._tls = addresses, tls

    def connect(self) -> None:
        self.sock = self._connected()
        if self._tls:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

    def _connected(self) -> socket.socket:
        while self._addresses:
            with suppress(OSError):
                return socket.create_connection((self._addresses.pop(0), self.port), timeout=_WAIT_S)
        raise ConnectionError("none of the addresses answers")

    def abandon(self) -> None:
        """End the request from another thread."""
        self._addresses = []
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def post(endpoint: str, body: bytes, headers: Mapping[str, str], allowed: Collection[str]) -> int:
    """Send a POST request and return the status of the answer.

    Raises EndpointRefusedError if the address is not allowed, EndpointFailedError if there is no answer.
    """
    check_form(endpoint, allowed)
    parts = urlsplit(endpoint)
    host, tls = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if tls else 80)
    addresses = _addresses_of(host, port, check=parts.netloc not in allowed)
    connection = _Connection(host, port, addresses, tls=tls)
    limit = Timer(_LONGEST_S, connection.abandon)
    limit.daemon = True
    limit.start()
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target or "/", body, dict(headers))
        return connection.getresponse().status
    except (OSError, HTTPException, ValueError) as error:
        raise EndpointFailedError(type(error).__name__) from error
    finally:
        limit.cancel()
        connection.close()
