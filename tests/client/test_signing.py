"""A player who signs in has a key, and signs every command with it."""

import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kontor_client import Kontor, KontorError, Match, RefusedError
from kontor_client.connection import Connection
from kontor_client.ed25519 import public_key_of, to_base64
from kontor_client.files import PlayerKeys
from kontor_games.service.ed25519 import id_of_key
from kontor_games.service.trust.verifier import Verdict, verify
from tests.client.service import Service
from tests.client.tables import GAMES, HOUSE, ME, OPEN, create_bot_match, create_open_match

GAME = GAMES[-1]


@pytest.fixture
def signer(service: Service) -> Iterator[Kontor]:
    with closing(Kontor(service.url)) as client:
        client.sign_in("Signing Ada")
        yield client


def key_file(folder: Path, player: Kontor) -> Path:
    [file] = folder.glob(f"*-{player.me().id}.key")
    return file


def verdict(player: Kontor, match: str) -> Verdict:
    """Return the verdict of the verifier on a finished match."""
    return verify(player.connection.download(f"/v1/matches/{match}/export"))


def key_of_seat(match: Match, seat: int = 0) -> Any:
    return match.data["seats"][seat]["key"]


def test_signing_in_makes_a_key_that_later_runs_use_again(
    service: Service, signer: Kontor, state_folder: Path
) -> None:
    file = key_file(state_folder, signer)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    public = to_base64(public_key_of(bytes.fromhex(file.read_text(encoding="ascii"))))
    assert signer.me().public_key == public
    kept = file.read_bytes()
    with closing(Kontor(service.url)) as later:
        assert later.sign_in("Signing Ada") == signer.me()
        assert key_of_seat(create_bot_match(later, GAME)) == public
    assert file.read_bytes() == kept


def test_a_player_who_does_not_sign_has_no_key(service: Service, state_folder: Path) -> None:
    with closing(Kontor(service.url)) as client:
        client.sign_in("Ada", signing=False)
        assert client.me().public_key is None
        assert key_of_seat(create_bot_match(client, GAME)) is None
        with pytest.raises(ValueError, match="sign_in"):
            client.rotate_key()
    assert list(state_folder.glob("*.key")) == []


def test_every_command_is_signed(signer: Kontor) -> None:
    match = create_bot_match(signer, GAME).id
    for turn in signer.turns(match):
        signer.play(match, turn.legal_moves[-1], turn.version)
    message = verdict(signer, match)
    moves = signer.connection.download(f"/v1/matches/{match}/export").count(signer.me().id.encode())
    assert message.player_keys[0] == id_of_key(str(signer.me().public_key))
    assert 5 < message.signed_commands < moves


def test_commands_of_all_kinds_are_signed(signer: Kontor, ada: Kontor) -> None:
    match = create_open_match(signer, GAME, autostart=False).id
    signer.leave(match)
    assert signer.join(match).you == 0
    ada.join(match)
    signer.start(match)
    signer.resign(match)
    assert verdict(signer, match).signed_commands == 5
    aborted = create_open_match(signer, GAME).id
    signer.abort(aborted)
    assert verdict(signer, aborted).signed_commands == 2


def test_a_sealed_contribution_is_opened_with_a_signature(signer: Kontor, ada: Kontor) -> None:
    match = create_open_match(signer, GAME, sealed=True).id
    ada.join(match)
    assert signer.match(match).status == "running"
    signer.resign(match)
    assert verdict(signer, match).signed_commands == 3


def test_a_match_may_require_signatures_of_everyone(signer: Kontor, ada: Kontor) -> None:
    match = create_open_match(signer, GAME, signed=True).id
    with pytest.raises(KontorError) as refused:
        ada.join(match)
    assert refused.value.code == "signature_required"
    ada.sign_in("Another who signs")
    assert key_of_seat(ada.join(match), 1) == ada.me().public_key


def test_a_creator_without_a_seat_needs_no_signature(signer: Kontor, ada: Kontor) -> None:
    match = signer.create_match(GAME, [OPEN, HOUSE], autostart=False).id
    ada.join(match)
    assert signer.start(match).status == "running"


def test_a_command_without_a_version_is_signed_again_when_others_have_acted(
    signer: Kontor, service: Service
) -> None:
    match = create_bot_match(signer, GAME).id
    turn = next(signer.turns(match))
    with closing(Kontor(service.url)) as twin:
        twin.sign_in("Signing Ada")
        twin.play(match, turn.legal_moves[-1])
    assert signer.resign(match).over


def test_a_command_with_a_version_is_not_signed_again(signer: Kontor) -> None:
    match = create_bot_match(signer, GAME).id
    turn = next(signer.turns(match))
    signer.play(match, turn.legal_moves[-1], turn.version)
    with pytest.raises(RefusedError) as late:
        signer.play(match, turn.legal_moves[-1], turn.version)
    assert (late.value.status, late.value.code) == (412, "stale_version")
    signer.resign(match)


def test_signing_again_is_tried_a_limited_number_of_times(
    signer: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = create_bot_match(signer, GAME).id
    sent: list[Any] = []

    def refuse(*request: Any) -> Any:
        sent.append(request[-1])
        raise RefusedError({"status": 412, "code": "stale_version", "detail": "Too late."})

    monkeypatch.setattr(signer.connection, "command", refuse)
    with pytest.raises(RefusedError, match="Too late"):
        signer.resign(match)
    assert 2 < len(sent) < 20
    assert None not in sent


def test_a_running_match_keeps_the_key_that_its_seat_was_taken_with(
    service: Service, signer: Kontor, state_folder: Path
) -> None:
    old_match, old_key = create_bot_match(signer, GAME).id, signer.me().public_key
    new_key = signer.rotate_key()
    assert signer.me().public_key == new_key != old_key
    new_match = create_bot_match(signer, GAME).id
    assert len(key_file(state_folder, signer).read_text(encoding="ascii").split()) == 2
    with closing(Kontor(service.url)) as later:
        later.sign_in("Signing Ada")
        for match, key in ((old_match, old_key), (new_match, new_key)):
            assert key_of_seat(later.match(match)) == key
            later.resign(match)
            assert verdict(later, match).player_keys[0] == id_of_key(str(key))


def test_programs_that_make_keys_at_once_keep_them_all(tmp_path: Path) -> None:
    programs = [PlayerKeys(tmp_path / "ada.key") for _ in range(8)]
    with ThreadPoolExecutor(len(programs)) as threads:
        made = list(threads.map(PlayerKeys.add, programs))
    assert sorted(PlayerKeys(tmp_path / "ada.key").seeds) == sorted(made)


def test_a_seat_whose_key_is_lost_can_not_act_and_a_new_key_is_for_later_matches(
    service: Service, signer: Kontor, state_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    match, lost = create_bot_match(signer, GAME).id, signer.me().public_key
    key_file(state_folder, signer).unlink()
    with closing(Kontor(service.url)) as later:
        later.sign_in("Signing Ada")
        [message] = caplog.messages
        assert "signing key of the account is not in" in message
        assert later.me().public_key == lost, "the key is not replaced without a request"
        with pytest.raises(KontorError, match="with which this seat was taken") as refused:
            later.resign(match)
        assert refused.value.code == "key_missing"
        with pytest.raises(KontorError) as refused:
            create_bot_match(later, GAME)
        assert refused.value.code == "signature_required"
        later.rotate_key()
        assert later.resign(create_bot_match(later, GAME).id).over


def test_a_seat_can_be_played_although_its_evidence_is_lost(
    service: Service, signer: Kontor, state_folder: Path
) -> None:
    match = create_bot_match(signer, GAME).id
    [folder] = state_folder.glob(f"*.matches/{match}")
    shutil.rmtree(folder)
    with closing(Kontor(service.url)) as later:
        later.sign_in("Signing Ada")
        assert later.resign(match).over


def test_a_key_that_was_removed_is_registered_again(service: Service, signer: Kontor) -> None:
    key = signer.me().public_key
    signer.connection.command("DELETE", "/v1/me/key")
    assert signer.me().public_key is None
    signer.sign_in("Signing Ada")
    assert signer.me().public_key == key


def test_a_file_that_holds_no_keys_is_named(signer: Kontor, state_folder: Path) -> None:
    file = key_file(state_folder, signer)
    for content in ("no hex", "abcd", "ä"):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=r"\.key does not contain signing keys"):
            signer.sign_in("Signing Ada")
        assert file.read_text(encoding="utf-8") == content


def test_joining_twice_leaves_the_seat_as_it_was(signer: Kontor) -> None:
    match = create_open_match(signer, GAME, autostart=False).id
    signer.rotate_key()
    with pytest.raises(RefusedError) as refused:
        signer.join(match)
    assert refused.value.code == "already_seated"
    assert signer.abort(match).over


def test_seats_of_type_me_are_reserved_and_then_taken(signer: Kontor) -> None:
    match = signer.create_match(GAME, [HOUSE, ME])
    assert (match.you, match.status) == (1, "running")
    assert key_of_seat(match, 1) == signer.me().public_key


def test_a_token_that_may_not_play_signs_in_without_a_key(
    service: Service, ada: Kontor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wish = {"label": "spectator", "scopes": ["organise"]}
    monkeypatch.setenv("KONTOR_TOKEN", ada.connection.command("POST", "/v1/tokens", wish)["token"])
    with closing(Kontor(service.url)) as spectator:
        assert spectator.sign_in("Ada").id == ada.me().id
    assert caplog.messages == ["This token may not register a signing key, so commands are not signed."]


def test_one_object_can_be_used_by_several_players_in_turn(service: Service, state_folder: Path) -> None:
    """Each signs with a key of their own, and has evidence of their own."""
    with closing(Kontor(service.url)) as client:
        client.sign_in("Signing Ada")
        match = create_open_match(client, GAME).id
        client.sign_in("Signing Ben")
        assert key_of_seat(client.join(match), 1) == client.me().public_key
        client.sign_in("Ben without a key", signing=False)
        assert key_of_seat(create_bot_match(client, GAME)) is None
        client.sign_in("Signing Ada")
        assert client.resign(match).over
    assert len(list(state_folder.glob(f"*.matches/{match}/*/match.json"))) == 2


@pytest.mark.parametrize("signing", [False, True])
def test_a_decision_takes_one_request_and_a_signed_one_two(
    service: Service, monkeypatch: pytest.MonkeyPatch, signing: bool
) -> None:
    """README and docs/clients.md promise this."""
    with Kontor(service.url) as player:
        player.sign_in("Ada", signing=signing)
        match = create_bot_match(player).id
        turns = player.turns(match)
        turn = next(turns)
        sent, honest = list[list[str]](), Connection._request

        def count(connection: Connection, method: str, *rest: Any) -> Any:
            sent[-1].append(method)
            return honest(connection, method, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(Connection, "_request", count)
            for _ in range(5):
                sent.append([])
                player.play(match, turn.legal_moves[-1])
                turn = next(turns)
        # A busy service may have refused one of them, which is then sent again.
        assert min(sent, key=len) == [*(["GET"] if signing else []), "POST"]
        turns.close()
        player.resign(match)
