"""Evidence over HTTP: receipts, keys, exports, the fairness page."""

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from kontor_games.api.page_files import POLICY, page
from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.api.conftest import NOON, ApiUser, Clock

ME, OPEN = {"type": "me"}, {"type": "open"}
KEYS = "/.well-known/kontor-keys.json"


def seated(ada: ApiUser, ben: ApiUser, **fields: Any) -> str:
    """The path of a running match of Ada and Ben."""
    match = ada.match(ME, {"type": "invited", "player": ben.id}, **fields)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def finished(ada: ApiUser, ben: ApiUser, **fields: Any) -> str:
    """The path of a match that was played to its end."""
    path = seated(ada, ben, **fields)
    while (now := ada.get(path).json)["status"] == "running":
        mover = (ada, ben)[now["to_act"][0]]
        assert mover.post(f"{path}/moves", mover.get(path).json["legal_moves"][0]).status_code == 201
    return path


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    return seated(ada, ben)


def is_signed_by_service(anonymous: ApiUser, receipt: dict[str, Any]) -> bool:
    """Whether a receipt is signed with a published key of the service."""
    keys = {key["id"]: key["public_key"] for key in anonymous.get(KEYS).json["keys"]}
    text = MATCHES.receipt_text(receipt["match"], receipt["version"], receipt["head"], receipt["at"])
    return is_signed(keys[receipt["key"]], receipt["signature"], text)


# --- receipts -----------------------------------------------------------------------------------------------


def test_the_answer_to_a_move_is_a_signed_receipt(ada: ApiUser, anonymous: ApiUser, path: str) -> None:
    answer = ada.post(f"{path}/moves", ada.get(path).json["legal_moves"][0]).json
    receipt = answer["receipt"]
    assert list(receipt) == ["match", "version", "head", "at", "key", "signature"]
    assert (receipt["match"], receipt["version"], receipt["head"], receipt["at"]) == (
        answer["id"],
        answer["version"],
        answer["head"],
        NOON,
    )
    assert is_signed_by_service(anonymous, receipt)


def test_a_retry_gives_the_same_receipt_byte_by_byte(
    ada: ApiUser, ben: ApiUser, path: str, clock: Clock
) -> None:
    move, key = ada.get(path).json["legal_moves"][0], {"Idempotency-Key": "once"}
    first = ada.post(f"{path}/moves", move, headers=key)
    clock.now += 5_000
    ben.post(f"{path}/moves", ben.get(path).json["legal_moves"][0])
    again = ada.post(f"{path}/moves", move, headers=key)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json["receipt"] == first.json["receipt"]
    assert again.data == first.data


def test_a_retry_gives_the_same_receipt_after_a_new_key(
    ada: ApiUser, path: str, clock: Clock, kontor: Kontor
) -> None:
    move, key = ada.get(path).json["legal_moves"][0], {"Idempotency-Key": "once"}
    first = ada.post(f"{path}/moves", move, headers=key).json["receipt"]
    kontor.signer.rotate()
    clock.now += 3_600_000
    assert ada.post(f"{path}/moves", move, headers=key).json["receipt"] == first


def test_every_command_is_answered_with_a_receipt(ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> None:
    match = ada.match(ME, OPEN, autostart=False)
    path = f"/v1/matches/{match['id']}"
    answers = [
        match,
        ben.post(f"{path}/seats").json,
        ben.delete(f"{path}/seats/me").json,
        ben.post(f"{path}/seats").json,
        ada.post(f"{path}/start").json,
        ada.post(f"{path}/resignation").json,
    ]
    assert all(is_signed_by_service(anonymous, answer["receipt"]) for answer in answers)
    assert [answer["receipt"]["head"] for answer in answers] == [answer["head"] for answer in answers]


def test_a_dry_run_has_no_receipt(ada: ApiUser, path: str) -> None:
    assert "receipt" not in ada.post(f"{path}/dry-runs", ada.get(path).json["legal_moves"][0]).json


def test_an_export_is_verified_against_receipts(ada: ApiUser, ben: ApiUser) -> None:
    path = seated(ada, ben)
    kept = [ada.post(f"{path}/moves", ada.get(path).json["legal_moves"][0]).json["receipt"]]
    kept.append(ben.post(f"{path}/resignation").json["receipt"])
    content = ada.get(f"{path}/export").data
    keys = ada.get(KEYS).json["keys"]
    assert verify(content, keys, kept).receipts == 2
    with pytest.raises(BrokenFileError):
        verify(content, keys, [{**kept[0], "head": "0" * 64}])


# --- keys ---------------------------------------------------------------------------------------------------


def test_keys_stay_published_after_a_rotation(anonymous: ApiUser, kontor: Kontor, clock: Clock) -> None:
    [first] = anonymous.get(KEYS).json["keys"]
    assert (first["algorithm"], first["valid_from"]) == ("Ed25519", 0)
    made = kontor.signer.rotate()
    clock.now += 40_000
    answer = anonymous.get(KEYS)
    assert answer.json["keys"] == [
        first,
        {**first, "id": made.id, "public_key": made.public, "valid_from": NOON + 60_000},
    ]
    assert answer.headers["Cache-Control"] == "public, max-age=60"


def test_private_keys_are_in_no_answer(anonymous: ApiUser, kontor: Kontor) -> None:
    secret = kontor.database.read("SELECT private_key FROM signing_keys")[0]["private_key"]
    text = anonymous.get(KEYS).text
    assert secret not in text
    assert b64encode(bytes.fromhex(secret)).decode() not in text


# --- exports ------------------------------------------------------------------------------------------------


def test_the_export_of_a_finished_match_verifies(ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> None:
    path = finished(ada, ben)
    answer = anonymous.get(f"{path}/export")
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="kontor-{path.rpartition("/")[2]}.ndjson"'
    )
    verdict = verify(answer.data, anonymous.get(KEYS).json["keys"])
    assert (verdict.complete, verdict.status, verdict.trusted) == (True, "finished", True)


def test_the_export_of_a_running_match_is_redacted_for_its_reader(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str, kontor: Kontor
) -> None:
    card = ada.get(path).json["legal_moves"][0]
    ada.post(f"{path}/moves", card)
    files = {
        name: who.get(f"{path}/export").data
        for name, who in (("ada", ada), ("ben", ben), ("anonymous", anonymous))
    }
    assert not any(verify(content).complete for content in files.values())

    def line_of_card_laid(name: str) -> dict[str, Any]:
        lines = [json.loads(line) for line in files[name].splitlines()]
        return dict(next(line for line in lines if line.get("fact", {}).get("type") == "card_laid"))

    assert line_of_card_laid("ada")["fact"]["card"] == card["card"]
    assert "card" in line_of_card_laid("ada")["salts"]
    for name in ("ben", "anonymous"):
        assert line_of_card_laid(name)["fact"] == {"type": "card_laid", "seat": 0}
        assert "salts" not in line_of_card_laid(name)
    assert len({line_of_card_laid(name)["hash"] for name in files}) == 1
    secret = kontor.cache.get(UUID(path.rpartition("/")[2])).state.created.server_secret
    assert not any(secret.encode() in content for content in files.values())


def test_an_export_is_available_only_as_ndjson(ada: ApiUser, path: str) -> None:
    assert ada.get(f"{path}/export", headers={"Accept": "application/json"}).status_code == 406
    assert ada.get(f"{path}/export", headers={"Accept": "*/*"}).mimetype == "application/x-ndjson"


def test_a_missing_match_and_a_private_one_look_the_same(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    private, missing = seated(ada, ben, private=True), "/v1/matches/00000000-0000-4000-8000-000000000000"
    stranger = register("Cem")
    for what in ("export", "inclusion?size=1"):
        answers = [stranger.get(f"{path}/{what}").json for path in (private, missing)]
        assert [{**answer, "instance": ""} for answer in answers] == [{**answers[0], "instance": ""}] * 2


# --- fairness -----------------------------------------------------------------------------------------------


def audited(kontor: Kontor) -> None:
    while kontor.audits.audit_ended():
        pass


def test_the_report_counts_the_audited_matches(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    path = finished(ada, ben)
    audited(kontor)
    report = anonymous.get("/v1/fairness").json
    assert (report["matches"], report["verified"], report["anomalies"]) == (1, 1, [])
    assert report["facts"] == anonymous.get(path).json["version"]
    assert report["games"] == [{"game": "fair", "matches": 1}]
    [deck] = [test for test in report["chance"] if test["stream"] == "deck"]
    assert (deck["values"], deck["p_value"]) == (19, None if deck["tested"] == 0 else deck["p_value"])


def test_the_report_is_empty_if_no_match_was_audited(anonymous: ApiUser) -> None:
    empty = {
        "matches": 0,
        "verified": 0,
        "facts": 0,
        "random_values": 0,
        "repeated_deals": 0,
        "games": [],
        "anomalies": [],
        "p_value": None,
        "chance": [],
    }
    assert anonymous.get("/v1/fairness").json == empty
    assert (
        "No match has been audited yet."
        in anonymous.get("/v1/fairness", headers={"Accept": "text/html"}).text
    )


def test_browsers_get_a_page_that_runs_under_the_policy_of_the_page(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    finished(ada, ben)
    audited(kontor)
    answer = anonymous.get("/v1/fairness", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.mimetype == "text/html"
    document, policy = answer.text, answer.headers["Content-Security-Policy"]
    assert f'href="/web/{page().build}/documents/documents.css"' in document
    assert (policy, "documents/documents.css" in page().files) == (POLICY, True)
    for forbidden in ("unsafe", "<script", "<style", "style=", "http://", "https://", "<img", "onload"):
        assert forbidden not in document + policy
    assert "The only match is correct." in document
    assert "<svg" in document
    assert "Accept" in answer.headers["Vary"]


def test_programs_get_json(anonymous: ApiUser) -> None:
    assert anonymous.get("/v1/fairness").mimetype == "application/json"
    assert anonymous.get("/v1/fairness", headers={"Accept": "image/png"}).status_code == 406
