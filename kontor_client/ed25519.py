"""Ed25519 signatures (RFC 8032) in plain Python; uses the library `cryptography` where it is installed.

`is_signed` is strict: it accepts only canonical encodings of signatures and keys, and no keys of small order,
for which one signature would be valid for several messages. The Python implementation does not run in
constant time, so it is open to timing attacks by other programs on the same machine.
"""

from base64 import b64decode, b64encode
from functools import cache, lru_cache
from hashlib import sha512
from types import ModuleType
from typing import NamedTuple

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
_D = -121665 * pow(121666, -1, P) % P
_ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


class _Point(NamedTuple):
    """A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""

    x: int
    y: int
    z: int
    t: int


_ZERO = _Point(0, 1, 1, 0)


def _add(p: _Point, q: _Point) -> _Point:
    a, b = (p.y - p.x) * (q.y - q.x) % P, (p.y + p.x) * (q.y + q.x) % P
    c, d = 2 * p.t * q.t * _D % P, 2 * p.z * q.z % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return _Point(e * f % P, g * h % P, f * g % P, e * h % P)


def _double(p: _Point) -> _Point:
    a, b = p.x * p.x % P, p.y * p.y % P
    h = a + b
    e, g = h - (p.x + p.y) ** 2, a - b
    f = 2 * p.z * p.z + g
    return _Point(e * f % P, g * h % P, f * g % P, e * h % P)


def _encode(p: _Point) -> bytes:
    inverse = pow(p.z, -1, P)
    return (p.y * inverse % P | (p.x * inverse % P & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> _Point:
    """Return the point with this encoding; raise ValueError if there is none or it is not canonical."""
    number = int.from_bytes(data, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    if len(data) != 32 or y >= P:
        raise ValueError("not the encoding of a point")
    u, v = y * y - 1, _D * y * y + 1
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * _ROOT_OF_MINUS_ONE % P
    if (v * x * x - u) % P or (x == 0 and odd):
        raise ValueError("not the encoding of a point")
    if x & 1 != odd:
        x = P - x
    return _Point(x, y, 1, x * y % P)


def _multiples(p: _Point) -> list[_Point]:
    """Return 0 to 15 times a point."""
    found = [_ZERO]
    for _ in range(15):
        found.append(_add(found[-1], p))
    return found


@cache
def _base_table() -> list[list[_Point]]:
    """Return d · 16**n · B for every hex digit d and position n, to speed up multiples of the base B."""
    point, table = _decode(bytes.fromhex("58" + "66" * 31)), list[list[_Point]]()
    for _ in range(64):
        table.append(_multiples(point))
        point = _double(table[-1][8])
    return table


def _times_base(scalar: int) -> _Point:
    total = _ZERO
    for multiples in _base_table():
        total = _add(total, multiples[scalar & 15])
        scalar >>= 4
    return total


def _times(scalar: int, p: _Point) -> _Point:
    multiples, total = _multiples(p), _ZERO
    for place in range(252, -1, -4):
        for _ in range(4):
            total = _double(total)
        total = _add(total, multiples[scalar >> place & 15])
    return total


def _hash(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % L


@lru_cache(maxsize=64)
def _expanded(seed: bytes) -> tuple[int, bytes, bytes]:
    """Return the secret scalar, the prefix for nonces and the public key."""
    if len(seed) != 32:
        raise ValueError("a private key has 32 bytes")
    digest = sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, digest[32:], _encode(_times_base(scalar))


@lru_cache(maxsize=64)
def _public_point(public: bytes) -> _Point:
    point = _decode(public)
    if _double(_double(_double(point))).x == 0:
        raise ValueError("a key of small order")
    return point


@cache
def _library() -> ModuleType | None:
    """Return the module of `cryptography`, if it is installed."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        return None
    return ed25519


def public_key_of(seed: bytes) -> bytes:
    """Return the public key of a private key of 32 bytes."""
    return _expanded(seed)[2]


def sign(seed: bytes, message: bytes) -> bytes:
    """Sign a message with a private key of 32 bytes; the same message always gets the same signature."""
    scalar, prefix, public = _expanded(seed)
    if library := _library():
        return bytes(library.Ed25519PrivateKey.from_private_bytes(seed).sign(message))
    nonce = _hash(prefix, message)
    r = _encode(_times_base(nonce))
    return r + ((nonce + _hash(r, public, message) * scalar) % L).to_bytes(32, "little")


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether a signature over a message was made with the key."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L:
        return False
    try:
        key = _public_point(public)
    except ValueError:
        return False
    if library := _library():
        return _library_accepts(library, public, signature, message)
    x, y, z, t = _times(_hash(r, public, message), key)
    return _encode(_add(_times_base(s), _Point(P - x, y, z, P - t))) == r


def _library_accepts(library: ModuleType, public: bytes, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        library.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def to_base64(data: bytes) -> str:
    """Return bytes in Base64, as keys and signatures are sent."""
    return b64encode(data).decode()


def from_base64(text: str) -> bytes:
    """Decode Base64 in its only canonical form; raise ValueError for anything else."""
    data = b64decode(text, validate=True)
    if b64encode(data).decode() != text:
        raise ValueError("not canonical Base64")
    return data
