"""Ed25519: vectors of RFC 8032, agreement with `cryptography`, strictness; with and without that library."""

import json
import subprocess
import sys
from base64 import b64encode
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from kontor_client import ed25519
from kontor_games.service import ed25519 as service_ed25519
from tests.client.service import ROOT


class Vector(NamedTuple):
    """One example of RFC 8032, section 7.1, in hex."""

    seed: str
    public: str
    message: str
    signature: str


VECTORS = [
    Vector(
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    Vector(
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    Vector(
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    Vector(
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
SEED, MESSAGE = bytes.fromhex(VECTORS[0].seed), b"a move"
PUBLIC = bytes.fromhex(VECTORS[0].public)


@pytest.fixture(params=["plain", "library"], autouse=True)
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with both implementations."""
    if request.param == "plain":
        monkeypatch.setattr(ed25519, "_library", lambda: None)
    else:
        assert ed25519._library() is not None


@pytest.mark.parametrize("vector", VECTORS)
def test_the_vectors_of_rfc_8032_are_reproduced(vector: Vector) -> None:
    seed, public, message, signature = map(bytes.fromhex, vector)
    assert ed25519.public_key_of(seed) == public
    assert ed25519.sign(seed, message) == signature
    assert ed25519.is_signed(public, signature, message)
    assert not ed25519.is_signed(public, signature, message + b"!")


PUBLISHED = json.loads((ROOT / "docs/vectors/ed25519.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("part", PUBLISHED)
def test_the_published_vectors_are_decided_as_by_the_service(part: str) -> None:
    for case in PUBLISHED[part]:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
        by_service = service_ed25519.is_signed(
            b64encode(key).decode(), b64encode(signature).decode(), message
        )
        assert (ed25519.is_signed(key, signature, message), by_service) == (case["valid"],) * 2, case


def test_a_signature_that_differs_in_any_bit_is_refused() -> None:
    signature = ed25519.sign(SEED, MESSAGE)
    for bit in range(0, 512, 5):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        assert not ed25519.is_signed(PUBLIC, bytes(changed), MESSAGE)


@pytest.mark.parametrize("length", [0, 32, 63, 65])
def test_a_signature_of_another_length_is_refused(length: int) -> None:
    assert not ed25519.is_signed(PUBLIC, (ed25519.sign(SEED, MESSAGE) + b"\0")[:length], MESSAGE)


def test_a_second_form_of_a_signature_is_refused() -> None:
    """S + L gives the same equation: without the check of S, anybody could make a second signature."""
    signature = ed25519.sign(SEED, MESSAGE)
    s = int.from_bytes(signature[32:], "little") + ed25519.L
    assert not ed25519.is_signed(PUBLIC, signature[:32] + s.to_bytes(32, "little"), MESSAGE)


SMALL_ORDER = {
    "the neutral point": 1,
    "order 2": ed25519.P - 1,
    "order 4": 0,
    "order 8": 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
}
NO_POINTS = {
    "y of the neutral point plus p": ed25519.P + 1,
    "the neutral point with the other sign": 1 | 1 << 255,
    "a y without x": 2,
}


@pytest.mark.parametrize("number", [*SMALL_ORDER.values(), *NO_POINTS.values()])
def test_keys_of_small_order_and_keys_that_are_no_points_verify_nothing(number: int) -> None:
    """With the neutral point as key, R = S · B fits every message."""
    public = number.to_bytes(32, "little")
    signature = ed25519._encode(ed25519._times_base(5)) + (5).to_bytes(32, "little")
    assert not any(ed25519.is_signed(public, signature, b"%d" % n) for n in range(16))


@pytest.mark.parametrize("number", SMALL_ORDER.values())
def test_the_points_of_small_order_are_points(number: int) -> None:
    point = ed25519._decode(number.to_bytes(32, "little"))
    assert ed25519._encode(ed25519._times(8, point)) == ed25519._encode(ed25519._ZERO)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        ed25519.sign((SEED + b"\0")[:length], MESSAGE)
    assert not ed25519.is_signed((PUBLIC + b"\0")[:length], ed25519.sign(SEED, MESSAGE), MESSAGE)


@pytest.mark.parametrize("text", ["AB==", "AA", "AA= =", "AA==\n", "Ä", "AAA=AAA="])
def test_base64_has_one_form(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        ed25519.from_base64(text)
    assert ed25519.from_base64(ed25519.to_base64(PUBLIC)) == PUBLIC


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=200))
def test_plain_python_agrees_with_the_library(seed: bytes, message: bytes) -> None:
    theirs = Ed25519PrivateKey.from_private_bytes(seed)
    assert ed25519.public_key_of(seed) == theirs.public_key().public_bytes_raw()
    assert ed25519.sign(seed, message) == theirs.sign(message)
    assert ed25519.is_signed(ed25519.public_key_of(seed), theirs.sign(message), message)


def test_without_the_library_plain_python_is_used() -> None:
    program = (
        "import sys; sys.modules['cryptography'] = None; from kontor_client import ed25519; "
        f"print(ed25519._library(), ed25519.sign(bytes.fromhex('{VECTORS[1].seed}'), b'\\x72').hex())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["None", VECTORS[1].signature]
