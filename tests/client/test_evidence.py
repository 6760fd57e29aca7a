"""The evidence that the client stores of its matches, and how later runs use it."""

import json
import stat
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import pytest

from kontor_client import Kontor, UnreachableError, UntrustedServiceError
from kontor_client.checks import Checks
from kontor_client.connection import Connection
from kontor_client.evidence import Evidence, canonical
from kontor_client.shown_facts import ShownFacts
from tests.client.service import KONTOR, ROOT, Service, run_program
from tests.client.tables import GAMES, at_once, create_bot_match, create_open_match

GAME = GAMES[-1]


def evidence_of(folder: Path, match: str, player: Kontor) -> Evidence:
    [found] = folder.glob(f"*.matches/{match}/{player.me().id}")
    evidence = Evidence.read(found)
    assert evidence is not None
    return evidence


def later_run(player: Kontor, **settings: Any) -> Kontor:
    """Return a new client for the same account, as in a later run."""
    return Kontor(player.connection.url, player.connection.token, **settings)


def run_verify(tmp_path: Path, player: Kontor, evidence: Evidence) -> str:
    """Return the output of `kontor verify` with the files that the client has stored."""
    (tmp_path / "match.ndjson").write_bytes(
        player.connection.download(f"/v1/matches/{evidence.match}/export")
    )
    [keys] = evidence.folder.parents[2].glob("*.service-keys.json")
    receipts = evidence.folder / "receipts.ndjson"
    command = ("verify", "match.ndjson", "--keys", keys, "--receipts", receipts)
    return run_program(KONTOR, *command, cwd=tmp_path)


def test_the_commitment_is_stored_before_the_contribution_is_sent(
    ada: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = ada.connection.command

    def check_stored_first(method: str, path: str, body: Any, *rest: Any) -> Any:
        if path.endswith("/seats"):
            evidence = evidence_of(state_folder, path.split("/")[3], ada)
            assert evidence.signed is not None
            assert evidence.contribution == body["contribution"]
        return honest(method, path, body, *rest)

    monkeypatch.setattr(ada.connection, "command", check_stored_first)
    match = create_bot_match(ada, GAME)
    assert evidence_of(state_folder, match.id, ada).commitment == match.data["chance"]["commitment"]


def test_receipts_and_keys_are_stored_in_the_form_that_the_verifier_reads(
    ada: Kontor, state_folder: Path, tmp_path: Path
) -> None:
    with closing(later_run(ada, check_deals=False)) as unchecked:
        match = create_bot_match(unchecked, GAME).id
        turn = next(unchecked.turns(match))
        unchecked.play(match, turn.legal_moves[-1])
        unchecked.resign(match)
        create_bot_match(ada, GAME)  # pins the keys
    evidence = evidence_of(state_folder, match, ada)
    assert evidence.checked is None
    assert "4 receipts agree with the file" in run_verify(tmp_path, ada, evidence)
    ada.match(match)
    *_, last = evidence.lines("receipts.ndjson")
    assert last["receipt"]["version"] == ada.match(match).version, "the receipt for the last fact"
    assert "5 receipts agree with the file" in run_verify(tmp_path, ada, evidence)


def test_two_processes_check_a_match_with_the_same_files(ada: Kontor, state_folder: Path) -> None:
    """Both have read that it is unchecked; what one of them adds does not disturb the other."""
    match = create_bot_match(ada, GAME).id
    turn = next(ada.turns(match))
    ada.play(match, turn.legal_moves[-1])
    with closing(later_run(ada, check_deals=False)) as unchecked:
        unchecked.resign(match)
    first, second = (later_run(ada) for _ in range(2))
    kept = second._checks.evidence(match)
    assert kept is not None
    first.match(match)
    assert evidence_of(state_folder, match, ada).checked
    second._checks._check_export(kept)
    assert evidence_of(state_folder, match, ada).broken is None
    for player in (first, second):
        player.close()


def test_two_processes_sign_with_the_same_files(service: Service, state_folder: Path) -> None:
    """Both add the facts that they were shown."""
    with Kontor(service.url) as first, Kontor(service.url) as second:
        first.sign_in("Ada")
        match = create_bot_match(first, GAME).id
        second.sign_in("Ada")
        for player in (first, second):
            turn = next(player.turns(match))
            player.play(match, turn.legal_moves[-1])
        first.resign(match)
        assert evidence_of(state_folder, match, first).checked
    with Kontor(service.url) as third:
        third.sign_in("Ada")
        evidence = evidence_of(state_folder, match, third)
        versions = [line["version"] for line in evidence.lines("facts.ndjson")]
        assert len(versions) > len(set(versions))
        assert ShownFacts(evidence).version == max(versions)


def test_a_creator_gets_a_receipt_for_the_announcement_before_contributing(
    ada: Kontor, state_folder: Path
) -> None:
    match = create_bot_match(ada, GAME).id
    first, second = evidence_of(state_folder, match, ada).lines("receipts.ndjson")
    assert [line["command"]["type"] for line in (first, second)] == ["create", "join"]
    assert first["receipt"]["version"] < second["receipt"]["version"]


def test_a_match_is_checked_once(ada: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads: list[str] = []
    honest = Connection.download

    def count(connection: Connection, path: str) -> bytes:
        downloads.append(path)
        return honest(connection, path)

    monkeypatch.setattr(Connection, "download", count)
    match = create_bot_match(ada, GAME).id
    ada.resign(match)
    ada.match(match)
    list(ada.events(match))
    with closing(later_run(ada)) as later:
        later.match(match)
        assert list(later.turns(match)) == []
    assert downloads == [f"/v1/matches/{match}/export"]


def test_a_match_that_ended_between_two_runs_is_checked_by_the_later_run(
    ada: Kontor, ben: Kontor, state_folder: Path
) -> None:
    match = create_open_match(ada, GAME).id
    ben.join(match)
    ben.resign(match)
    assert evidence_of(state_folder, match, ben).checked
    assert not evidence_of(state_folder, match, ada).checked
    with closing(later_run(ada)) as later:
        later.match(match)
    assert evidence_of(state_folder, match, ada).checked


def test_matches_of_others_are_not_checked(ada: Kontor, ben: Kontor, state_folder: Path) -> None:
    match = create_bot_match(ada, GAME).id
    assert ben.match(match).you is None
    ada.resign(match)
    assert ben.match(match).over
    assert [folder.name for folder in state_folder.glob(f"*.matches/{match}/*")] == [ada.me().id]


def test_only_the_owner_can_read_the_evidence(ada: Kontor, state_folder: Path) -> None:
    match = create_bot_match(ada, GAME).id
    evidence = evidence_of(state_folder, match, ada)
    for folder in (evidence.folder, *evidence.folder.parents[:3]):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert evidence.folder.parents[2] == state_folder


def test_another_folder_can_be_chosen(service: Service, state_folder: Path, tmp_path: Path) -> None:
    with Kontor(service.url, folder=tmp_path / "elsewhere") as kontor:
        kontor.sign_in("Ada")
        match = create_bot_match(kontor, GAME).id
        evidence_of(tmp_path / "elsewhere", match, kontor)
        kept = list((tmp_path / "elsewhere").iterdir())
        assert len(kept) == 5, "token, key and its lock, keys of the service, matches"
    assert not state_folder.exists()


def test_a_sealed_contribution_is_opened_by_a_later_run(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada, GAME, sealed=True).id
    ben.join(match)
    with closing(later_run(ada)) as later:
        assert later.match(match).status == "running"


def test_an_opened_contribution_is_not_opened_again(ada: Kontor, ben: Kontor, state_folder: Path) -> None:
    """The answer to opening it got lost in an earlier run."""
    match = create_open_match(ada, GAME, sealed=True).id
    ben.join(match)
    evidence = evidence_of(state_folder, match, ben)
    assert evidence.opened
    evidence.set(opened=False)
    with closing(later_run(ben)) as later:
        assert later.match(match).status == "open"
    assert evidence_of(state_folder, match, ben).opened


def test_a_contribution_whose_answer_was_lost_is_sent_again_as_it_was(
    ada: Kontor, ben: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a service could ask repeatedly until it gets a contribution that it wants."""
    match = create_open_match(ada, GAME).id
    sent: list[Any] = []

    def lose(method: str, path: str, body: Any, *_: Any) -> Any:
        sent.append(body)
        raise UnreachableError(path, "lost")

    with monkeypatch.context() as patch:
        patch.setattr(ben.connection, "command", lose)
        for _ in range(2):
            with pytest.raises(UnreachableError):
                ben.join(match)
    with closing(later_run(ben)) as later:
        later.join(match)
    assert [body["contribution"] for body in sent] == [evidence_of(state_folder, match, ben).contribution] * 2


def test_two_programs_that_join_at_once_send_and_keep_the_same_contribution(
    ada: Kontor, ben: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = create_open_match(ada, GAME, sealed=True).id
    with closing(later_run(ben)) as other:
        sent = at_once(monkeypatch, [ben, other], "seats", lambda program: program.join(match))
    evidence = evidence_of(state_folder, match, ben)
    assert [body["contribution"] for body in sent] == [evidence.sent] * 2
    assert evidence.seated
    with closing(later_run(ben)) as later:
        assert later.match(match).data["chance"]["due"] is not None
    assert ada.match(match).status == "running", "the value that was kept is the one that was sent"


@pytest.mark.parametrize("contribution", ["Ada", "A" * 64, "0" * 63, "0" * 65])
def test_a_malformed_contribution_is_refused_by_the_client(ada: Kontor, contribution: str) -> None:
    with pytest.raises(ValueError, match="64 hex digits"):
        create_open_match(ada, GAME, contribution=contribution)


@pytest.mark.parametrize("name", ["..", ".", "../../up", "/etc", "", "%2e", "ä"])
def test_no_id_leads_to_a_path_outside_the_folder(tmp_path: Path, name: str) -> None:
    checks = Checks(Connection("http://localhost", None, 1, 1, 1), tmp_path, lambda: name, enabled=True)
    data = {
        "chance": {"commitment": "0" * 64, "sealed": False, "open_seed": None, "in_block": False},
        "ruleset": {"game": "g", "version": 1, "data": "d", "data_hash": "0"},
        "options": {},
        "branch": False,
        "clock": {"kind": "none", "ms": 0, "increment_ms": 0},
        **dict.fromkeys(("autostart", "meet_bots", "on_timeout", "practice", "private", "rated")),
        "required_witnesses": 0,
        "signed": False,
    }
    checks.begin(name, data, "1" * 64, "1" * 64, None)
    [file] = tmp_path.rglob("match.json")
    assert file.is_relative_to(tmp_path / "localhost.matches")


@pytest.mark.parametrize("kind", ["match", "tournament"])
@pytest.mark.parametrize("signed", [None, "signed", [], {}])
def test_a_commitment_with_a_malformed_signature_is_not_signed(
    tmp_path: Path, kind: Literal["match", "tournament"], signed: object
) -> None:
    checks = Checks(Connection("http://localhost", None, 1, 1, 1), tmp_path, lambda: "ada", enabled=True)
    with pytest.raises(UntrustedServiceError, match="has not signed its commitment to a secret"):
        checks.check_commitment(kind, "cup", {"commitment": "0" * 64, "signed": signed})


def test_canonical_json_agrees_with_the_published_vectors() -> None:
    vectors = json.loads((ROOT / "docs" / "vectors" / "chain.json").read_bytes())["canonical"]
    assert len(vectors) > 3
    for vector in vectors:
        assert canonical(vector["value"]) == vector["text"].encode()
