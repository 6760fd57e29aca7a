"""Checks Ed25519 signatures: all that a verifier needs of them, with no service and no database."""

from base64 import b64decode
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def key_id(public: bytes) -> str:
    """A key is named by the beginning of its own hash."""
    return sha256(public).hexdigest()[:16]


def is_signed(public_key: str, signature: str, message: bytes) -> bool:
    """Whether a signature over a message was made with the key."""
    try:
        Ed25519PublicKey.from_public_bytes(b64decode(public_key, validate=True)).verify(b64decode(signature, validate=True), message)
    except (InvalidSignature, ValueError):
        return False
    return True
