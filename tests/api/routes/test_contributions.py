"""The players' contributions to the seed, and the signed commitment that is published before them."""

import json
from base64 import b64decode
from hashlib import sha256
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.api.conftest import ApiUser

OPEN, ME = {"type": "open"}, {"type": "me"}


def signed_commitment_is_valid(anonymous: ApiUser, match: dict[str, Any]) -> bool:
    """Check the signed commitment as docs/chance.md says, without code of the service."""
    [key] = anonymous.get("/.well-known/kontor-keys.json").json["keys"]
    signed = match["chance"]["signed"]
    text = {"at": signed["at"], "commitment": match["chance"]["commitment"], "match": match["id"]}
    message = b"kontor.commitment.1\n" + json.dumps(text, separators=(",", ":"), sort_keys=True).encode()
    public = Ed25519PublicKey.from_public_bytes(b64decode(key["public_key"]))
    try:
        public.verify(b64decode(signed["signature"]), message)
    except InvalidSignature:
        return False
    return bool(signed["key"] == key["id"])


def test_the_commitment_is_signed_while_players_can_contribute(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    created = ada.match({"type": "invited", "player": ada.id}, OPEN)
    path = f"/v1/matches/{created['id']}"
    assert signed_commitment_is_valid(anonymous, created)
    assert not signed_commitment_is_valid(anonymous, {**created, "id": ada.id})
    assert signed_commitment_is_valid(anonymous, ben.get(path).json)
    joined = ada.post(f"{path}/seats", {"contribution": "a" * 64}).json
    assert joined["chance"]["commitment"] == created["chance"]["commitment"]
    assert signed_commitment_is_valid(anonymous, joined)
    assert ben.post(f"{path}/seats", {"contribution": "b" * 64}).json["chance"]["signed"] is None
    assert anonymous.get(path).json["chance"]["signed"] is None


def test_no_contribution_is_accepted_before_the_commitment(ada: ApiUser) -> None:
    body = {"game": "fair", "seats": [ME, OPEN]}
    early = ada.post("/v1/matches", {**body, "contribution": "a" * 64})
    assert (early.status_code, early.json["errors"][0]["pointer"]) == (422, "/contribution")
    sealed = ada.post("/v1/matches", {**body, "sealed": True})
    assert (sealed.status_code, sealed.json["errors"][0]["pointer"]) == (422, "/seats/0/type")


@pytest.mark.parametrize(
    "text", ["Ben Smith, 12 Elm Street", "0b" * 31, "0B" * 32, "0b" * 33, "0b" * 32 + "\n", 7]
)
def test_a_contribution_cannot_contain_personal_text(ada: ApiUser, ben: ApiUser, text: object) -> None:
    path = f"/v1/matches/{ada.match(ME, OPEN)['id']}"
    refused = [
        (ben.post(f"{path}/seats", {"contribution": text}), "/contribution"),
        (ben.post(f"{path}/contribution", {"value": text}), "/value"),
    ]
    for answer, pointer in refused:
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, pointer)
    assert ada.get(path).json["version"] == 2


def test_sealed_contributions_are_opened_when_all_seats_are_taken(ada: ApiUser, ben: ApiUser) -> None:
    a, b, c = ("0a" * 32, "0b" * 32, "0c" * 32)
    match = ada.match({"type": "invited", "player": ada.id}, OPEN, sealed=True)
    path = f"/v1/matches/{match['id']}"
    ada.post(f"{path}/seats", {"contribution": sha256(a.encode()).hexdigest()})
    assert ben.post(f"{path}/seats").json["code"] == "not_sealed"
    seated = ben.post(f"{path}/seats", {"contribution": sha256(b.encode()).hexdigest()}).json
    assert seated["chance"]["due"] == "2026-03-01T12:01:00.000Z"
    assert ada.post(f"{path}/contribution", {"value": c}).json["code"] == "contribution_mismatch"
    assert ada.post(f"{path}/contribution", {"value": a}).json["status"] == "open"
    assert ben.post(f"{path}/contribution", {"value": b}).json["status"] == "running"
