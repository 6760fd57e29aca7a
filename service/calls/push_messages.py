"""Messages of Web Push: encrypted for one device (RFC 8291), and signed by the service (RFC 8292)."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD_BYTES = 4096
_PADDED_BYTES = 512
"""Messages are padded to this length, so that their length tells the push service nothing."""
_TOKEN_S = 12 * 3600


def encoded(raw: bytes) -> str:
    """Return Base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a Base64url text, with or without padding."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def is_point(raw: bytes) -> bool:
    """Whether bytes are an uncompressed point of the curve P-256: the public key of a device."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, raw)
    except ValueError:
        return False
    return len(raw) == 65


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def padded(message: bytes) -> bytes:
    """Return a message with the delimiter of the last record and padding."""
    return (message + b"\x02").ljust(_PADDED_BYTES, b"\x00")


def encrypt(
    record: bytes, device_key: bytes, auth: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt a padded record with aes128gcm for the device that has a key and an authentication secret."""
    device = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, device_key)
    public = _point(own.public_key())
    info = b"WebPush: info\x00" + device_key + public
    secret = _derive(own.exchange(ec.ECDH(), device), auth, info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, record, None)


def sealed(message: bytes, device_key: bytes, auth: bytes) -> bytes:
    """Encrypt a message with a new key and a new salt."""
    own = ec.generate_private_key(_CURVE)
    return encrypt(padded(message), device_key, auth, own, secrets.token_bytes(16))


class PushSender:
    """The identity under which the service sends push messages; devices subscribe to its public key."""

    def __init__(self, secret: bytes, contact: str) -> None:
        """Derives the key from a secret, so that all processes have the same one and none is stored."""
        self._key = ec.derive_private_key(int.from_bytes(secret, "big") % (_ORDER - 1) + 1, _CURVE)
        self._contact = contact
        self.public_key = encoded(_point(self._key.public_key()))

    def authorization(self, endpoint: str, now_ms: int) -> str:
        """Return the header that proves to the push service of an endpoint who sends."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now_ms // 1000 + _TOKEN_S,
            "sub": self._contact,
        }
        signed = ".".join(
            encoded(json.dumps(one).encode()) for one in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"
