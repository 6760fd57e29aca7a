"""Signed commands of players (docs/signatures.md)."""

from base64 import b64encode
from typing import Any

import pytest

from kontor_games.service.trust.verifier import verify
from tests.api.conftest import ApiUser
from tests.support.players import PlayerKey

OPEN = {"type": "open"}


class Signing:
    """A user of the API with a registered key."""

    def __init__(self, who: ApiUser, name: str) -> None:
        self.who, self.key = who, PlayerKey(name)
        answer = who.put("/v1/me/key", {"public_key": self.key.public, "proof": self.key.proof(who.id)})
        assert (answer.status_code, answer.json["public_key"]) == (200, self.key.public), answer.text

    def signature(self, match: str, command: dict[str, Any], *, version: int = 0) -> str:
        """The signature under a command at the current version or an earlier one."""
        now = self.who.get(f"/v1/matches/{match}" + (f"?version={version}" if version else "")).json
        return self.key.sign_command(match, now["version"], now["head"], self.who.id, command)

    def send(self, match: str, path: str, body: Any, command: dict[str, Any], **headers: str) -> Any:
        """Send a signed command."""
        sent = {"Kontor-Signature": self.signature(match, command), **headers}
        return self.who.post(f"/v1/matches/{match}/{path}", body, headers=sent)

    def join(self, match: str, contribution: str = "c" * 64) -> Any:
        body = {"contribution": contribution, "key": self.key.public}
        command = {"type": "join", "seat": None, "bot": False, **body}
        return self.send(match, "seats", body, command)

    def play(self, match: str, move: Any, **headers: str) -> Any:
        return self.send(match, "moves", move, {"type": "play", "moves": [move]}, **headers)


@pytest.fixture
def ann(ada: ApiUser) -> Signing:
    return Signing(ada, "ann")


@pytest.fixture
def bea(ben: ApiUser) -> Signing:
    return Signing(ben, "bea")


@pytest.fixture
def match(ann: Signing, bea: Signing) -> str:
    """A running match in which both players sign."""
    made = str(ann.who.match(OPEN, OPEN, signed=True)["id"])
    assert [ann.join(made).status_code, bea.join(made).status_code] == [201, 201]
    return made


def legal_move(who: ApiUser, match: str) -> Any:
    return next(m for m in who.get(f"/v1/matches/{match}").json["legal_moves"] if "schema" not in m)


def to_act(match: str, *players: Signing) -> Signing:
    now = players[0].who.get(f"/v1/matches/{match}").json
    return next(one for one in players if one.who.get(f"/v1/matches/{match}").json["you"] in now["to_act"])


def test_a_key_needs_a_proof_signed_for_this_player(ada: ApiUser, ben: ApiUser) -> None:
    key = PlayerKey("ann")
    for proof in (key.proof(ben.id), PlayerKey("other").proof(ada.id)):
        answer = ada.put("/v1/me/key", {"public_key": key.public, "proof": proof})
        assert (answer.status_code, answer.json["code"]) == (403, "key_proof_invalid")
        assert key.sign(answer.json["expected"].encode()) == key.proof(ada.id)
    assert ada.get("/v1/me").json["public_key"] is None


@pytest.mark.parametrize("public_key", ["", "A" * 43, "A" * 44, "!" * 43 + "=", "A" * 42 + "B="])
def test_a_malformed_key_is_refused(ada: ApiUser, public_key: str) -> None:
    body = {"public_key": public_key, "proof": "A" * 86 + "=="}
    assert ada.put("/v1/me/key", body).status_code == 422


def test_a_key_is_public_and_can_be_replaced_and_removed(ann: Signing, anonymous: ApiUser) -> None:
    path = f"/v1/players/{ann.who.id}"
    assert anonymous.get(path).json["public_key"] == ann.key.public
    new = Signing(ann.who, "a new key of ann")
    assert anonymous.get(path).json["public_key"] == new.key.public != ann.key.public
    assert ann.who.delete("/v1/me/key").json["public_key"] is None
    assert anonymous.get(path).json["public_key"] is None


def test_a_player_with_a_key_joins_with_it_and_signs(ann: Signing, anonymous: ApiUser) -> None:
    match = ann.who.match(OPEN, OPEN)["id"]
    path = f"/v1/matches/{match}/seats"
    unsigned = ann.who.post(path, {})
    assert (unsigned.status_code, unsigned.json["code"]) == (403, "signature_required")
    named = ann.who.post(path, {"key": ann.key.public})
    assert (named.status_code, named.json["code"]) == (403, "signature_required")
    assert named.json["expected"].startswith('kontor.command.1\n{"by":')
    wrong = ann.who.post(path, {"key": ann.key.public}, headers={"Kontor-Signature": ann.key.sign(b"")})
    assert (wrong.status_code, wrong.json["code"]) == (403, "signature_invalid")
    assert ann.join(match).json["seats"][0]["key"] == ann.key.public
    assert anonymous.get(f"/v1/matches/{match}").json["version"] == 2


def test_the_expected_text_is_the_text_to_sign(ann: Signing) -> None:
    match = ann.who.match(OPEN, OPEN)["id"]
    path, body = f"/v1/matches/{match}/seats", {"key": ann.key.public}
    expected = ann.who.post(path, body).json["expected"]
    signature = ann.key.sign(expected.encode())
    assert ann.who.post(path, body, headers={"Kontor-Signature": signature}).status_code == 201


def test_a_player_without_a_key_cannot_name_a_key_or_sign(ada: ApiUser) -> None:
    match = ada.match(OPEN, OPEN)["id"]
    key = PlayerKey("ann")
    assert ada.post(f"/v1/matches/{match}/seats", {"key": key.public}).status_code == 403
    assert ada.post(f"/v1/matches/{match}/seats").status_code == 201
    signed = ada.post(f"/v1/matches/{match}/seats", headers={"Kontor-Signature": key.sign(b"")})
    assert signed.status_code in (403, 409)


@pytest.mark.parametrize("signature", ["", "A", "A" * 88, "!" * 86 + "=="])
def test_a_malformed_signature_is_refused(ann: Signing, signature: str) -> None:
    match = ann.who.match(OPEN, OPEN)["id"]
    answer = ann.who.post(f"/v1/matches/{match}/seats", {}, headers={"Kontor-Signature": signature})
    assert (answer.status_code, answer.json["errors"][0]["header"]) == (422, "Kontor-Signature")


def test_every_command_of_a_signed_seat_needs_its_signature(match: str, ann: Signing, bea: Signing) -> None:
    one = to_act(match, ann, bea)
    other = bea if one is ann else ann
    move, path, before = (
        legal_move(one.who, match),
        f"/v1/matches/{match}",
        one.who.get(f"/v1/matches/{match}").json,
    )
    command = {"type": "play", "moves": [move]}
    forged = other.key.sign_command(match, before["version"], before["head"], one.who.id, command)
    old = one.signature(match, command, version=before["version"] - 1)
    for headers in ({}, {"Kontor-Signature": forged}, {"Kontor-Signature": old}):
        assert one.who.post(f"{path}/moves", move, headers=headers).status_code == 403
    for command_path in ("resignation", "abort"):
        assert one.who.post(f"{path}/{command_path}").json["code"] == "signature_required"
    assert one.who.get(path).json["version"] == before["version"]
    assert one.play(match, move).status_code == 201


def test_a_signature_over_an_old_version_is_stale_if_the_version_is_named(
    match: str, ann: Signing, bea: Signing
) -> None:
    one = to_act(match, ann, bea)
    before = one.who.get(f"/v1/matches/{match}").json["version"]
    assert one.play(match, legal_move(one.who, match)).status_code == 201
    two = to_act(match, ann, bea)
    late = two.play(match, legal_move(two.who, match), **{"If-Match": f'"{before}"'})
    assert late.status_code == 412


def test_a_repeated_request_gets_the_first_answer(match: str, ann: Signing, bea: Signing) -> None:
    one = to_act(match, ann, bea)
    move = legal_move(one.who, match)
    headers = {
        "Kontor-Signature": one.signature(match, {"type": "play", "moves": [move]}),
        "Idempotency-Key": "k",
    }
    first, again = (one.who.post(f"/v1/matches/{match}/moves", move, headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json["version"] == first.json["version"]


def test_a_running_match_keeps_the_key_it_was_joined_with(match: str, ann: Signing, bea: Signing) -> None:
    one = to_act(match, ann, bea)
    new = Signing(one.who, "the next key")
    move = legal_move(one.who, match)
    assert new.play(match, move).json["code"] == "signature_invalid"
    assert one.play(match, move).status_code == 201


def test_a_signed_match_requires_a_key_of_every_player(ada: ApiUser, ben: ApiUser) -> None:
    made = ada.match(OPEN, OPEN, signed=True)
    assert made["signed"] is True
    refused = ben.post(f"/v1/matches/{made['id']}/seats")
    assert (refused.status_code, refused.json["code"]) == (403, "signature_required")
    mine = ada.post("/v1/matches", {"game": "fair", "seats": [{"type": "me"}, OPEN], "signed": True})
    assert (mine.status_code, mine.json["errors"][0]["pointer"]) == (422, "/seats/0/type")


def test_a_whole_signed_match_is_verified(match: str, ann: Signing, bea: Signing, anonymous: ApiUser) -> None:
    while ann.who.get(f"/v1/matches/{match}").json["status"] == "running":
        one = to_act(match, ann, bea)
        assert one.play(match, legal_move(one.who, match)).status_code == 201
    verdict = verify(anonymous.get(f"/v1/matches/{match}/export").data)
    assert verdict.contributions == ("counted", "counted")
    assert None not in verdict.player_keys
    assert verdict.signed_commands == verdict.entries - 1


def test_a_running_signed_match_shows_no_signature_under_a_sealed_command(
    match: str, ann: Signing, bea: Signing, anonymous: ApiUser
) -> None:
    """Otherwise everybody could check the signature against each possible move and find the hidden one."""
    sent = []
    for _ in range(4):
        one = to_act(match, ann, bea)
        move = legal_move(one.who, match)
        sent.append(one.signature(match, {"type": "play", "moves": [move]}))
        one.play(match, move)
    text = anonymous.get(f"/v1/matches/{match}/export").text
    sealed = text.count('"sealed_command"')
    assert sum(signature in text for signature in sent) == len(sent) - sealed


@pytest.mark.parametrize(
    "public",
    [
        bytes(32),
        bytes([1]) + bytes(31),
        bytes([0xEC]) + bytes([0xFF]) * 30 + bytes([0x7F]),
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
    ],
)
def test_a_public_key_of_small_order_is_refused(ada: ApiUser, public: bytes) -> None:
    """For a key of small order, one signature (the point and zero) is valid for many messages."""
    body = {"public_key": b64encode(public).decode(), "proof": b64encode(public + bytes(32)).decode()}
    for _ in range(8):
        assert ada.put("/v1/me/key", body).status_code == 403
