"""Ed25519 signatures and public keys in Base64, of the service and of players."""

from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from kontor_games.domain.signed_note import decode_base64


def key_id(public: bytes) -> str:
    """Return the id of a key: the beginning of its hash."""
    return sha256(public).hexdigest()[:16]


def id_of_key(public: str) -> str:
    """Return the id of a key in Base64."""
    return key_id(decode_base64(public))


_FIELD = 2**255 - 19
SMALL_ORDER = {
    0, 1, _FIELD - 1, _FIELD, _FIELD + 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
}  # fmt: skip
"""The y-coordinates of keys for which one signature is valid for many messages, so that it proves nothing."""


@lru_cache(maxsize=1000)
def _key(public: str) -> Ed25519PublicKey:
    raw = decode_base64(public)
    if int.from_bytes(raw, "little") % 2**255 in SMALL_ORDER:
        raise ValueError("a key of small order")
    return Ed25519PublicKey.from_public_bytes(raw)


def is_signed(public_key: str, signature: str, message: bytes) -> bool:
    """Return whether a signature over a message was made with the key."""
    try:
        _key(public_key).verify(decode_base64(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
