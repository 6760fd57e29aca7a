"""Web Push messages: the example of RFC 8291, and messages that a browser decrypts."""

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from kontor_games.service.calls.push_messages import PushSender, decoded, encoded, encrypt, is_point, sealed
from tests.support.push_receiver import CURVE, Browser, claims_of, raw

RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
RECEIVER_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SENDER_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""Section 5 of RFC 8291."""
TEXT = b"When I grow up, I want to be a watermelon"


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(raw(text), "big"), CURVE)


def test_the_example_of_rfc_8291_is_encrypted_to_the_published_bytes() -> None:
    made = encrypt(TEXT + b"\x02", decoded(RECEIVER), decoded(AUTH), private(SENDER_PRIVATE), decoded(SALT))
    assert encoded(made) == BODY


def test_the_receiver_of_the_tests_decrypts_the_published_bytes() -> None:
    browser = Browser(private(RECEIVER_PRIVATE), raw(AUTH))
    assert encoded(browser.public) == RECEIVER
    assert browser.decrypt(raw(BODY)) == TEXT


def test_every_message_has_the_same_length_and_only_its_browser_reads_it() -> None:
    browser, other = Browser(), Browser()
    made = [sealed(text, browser.public, browser.auth) for text in (b"a", b"a", b"b" * 400)]
    assert [browser.decrypt(one) for one in made] == [b"a", b"a", b"b" * 400]
    assert len({len(one) for one in made}) == 1
    assert made[0] != made[1]
    with pytest.raises(InvalidTag):
        other.decrypt(made[0])


def test_the_service_proves_who_it_is_to_one_push_service_for_half_a_day() -> None:
    sender = PushSender(b"s" * 32, "https://kontor.example")
    assert sender.public_key == PushSender(b"s" * 32, "").public_key
    assert sender.public_key != PushSender(b"t" * 32, "").public_key
    claims = claims_of(sender.authorization("https://push.example/send/1?x", 1_000_000), sender.public_key)
    assert claims == {"aud": "https://push.example", "exp": 1000 + 43_200, "sub": "https://kontor.example"}


def test_a_public_key_is_an_uncompressed_point_of_the_curve() -> None:
    assert is_point(decoded(RECEIVER))
    assert not is_point(decoded(RECEIVER)[:-1] + b"\x00")
    assert not is_point(b"\x04" + bytes(64))
    assert not is_point(decoded(RECEIVER)[:33])
