"""A push service and the browser behind it, on loopback: decrypts messages as RFC 8291 tells a browser to."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "==")


def _hmac(key: bytes, text: bytes) -> bytes:
    made = HMAC(key, SHA256())
    made.update(text)
    return made.finalize()


class Browser:
    """The keys of one subscription."""

    def __init__(
        self, private: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"0123456789abcdef"
    ) -> None:
        self.private = private or ec.generate_private_key(CURVE)
        self.auth = auth
        self.public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, str]:
        return {"endpoint": endpoint, "p256dh": base64(self.public), "auth": base64(self.auth)}

    def decrypt(self, body: bytes) -> bytes:
        """RFC 8291, section 3.4, with HMAC in place of HKDF, as the RFC writes it down."""
        salt, length = body[:16], body[20]
        sender, encrypted = body[21 : 21 + length], body[21 + length :]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\x00" + self.public + sender + b"\x01"
        secret = _hmac(_hmac(self.auth, shared), info)
        random = _hmac(salt, secret)
        key = _hmac(random, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = _hmac(random, b"Content-Encoding: nonce\x00\x01")[:12]
        text = AESGCM(key).decrypt(nonce, encrypted, None).rstrip(b"\x00")
        assert text[-1:] == b"\x02"
        return text[:-1]


@dataclass
class Message:
    """A request that the push service got."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """Accepts messages, or answers with another status for a path."""

    port: int = 0
    messages: list[Message] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def endpoint(self, name: str = "a") -> str:
        return f"http://{self.host}/{name}"


def claims_of(authorization: str, key: str) -> dict[str, Any]:
    """The claims of a VAPID header, if its signature fits the key of the service (RFC 8292)."""
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == key
    header, claims, signature = parts["t"].split(".")
    assert json.loads(raw(header)) == {"typ": "JWT", "alg": "ES256"}
    number = raw(signature)
    r, s = (int.from_bytes(part, "big") for part in (number[:32], number[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw(key))
    public.verify(encode_dss_signature(r, s), f"{header}.{claims}".encode(), ec.ECDSA(SHA256()))
    shown: dict[str, Any] = json.loads(raw(claims))
    return shown


@contextmanager
def push_service() -> Iterator[PushService]:
    """Serve on a free port until the end of the block."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.messages.append(Message(self.path, dict(self.headers), body))
            self.send_response(service.statuses.get(self.path, 201))
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
