"""A witness follows a log: it cosigns growth, and refuses inconsistent logs with evidence."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.domain.signed_note import COSIGNATURE, UnreadableNoteError, read_note
from kontor_games.service.ed25519 import key_id
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_client import LogClient, LogRefusedError, LogUnreachableError
from kontor_games.service.trust.notes import PublicKey, UnsignedNoteError, cosigners
from kontor_games.service.trust.witness import (
    CheckResult,
    InconsistentLogError,
    Witness,
    WitnessState,
    new_witness_key,
    read_state,
    read_witness_key,
    state_path,
    stored_state,
    trusted_keys,
)
from tests.api.cosigning import WITNESS
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match
from tests.support.live import serve_http

NOON_S = NOON // 1000


@pytest.fixture
def service(serve: Callable[..., Kontor], tmp_path: Path) -> Kontor:
    return serve(f"sqlite:///{tmp_path}/kontor.db", witnesses=(WITNESS.public,))


@pytest.fixture
def client(service: Kontor) -> Iterator[LogClient]:
    with serve_http(service) as url:
        yield LogClient(url)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


@pytest.fixture
def follower(service: Kontor, client: LogClient, state: Path) -> Callable[[], Witness]:
    """Return a function that starts the witness anew: it knows only what its state file contains."""
    service.checkpoints.take()

    def start() -> Witness:
        known = read_state(state) or WitnessState(trusted_keys(None, client))
        return Witness(client, WITNESS, known, lambda new: new.write(state))

    return start


def grow(service: Kontor, ann: LocalPlayer, ben: LocalPlayer) -> int:
    start_match(ann, ben)
    taken = service.checkpoints.take()
    assert taken is not None
    return taken.size


def test_growth_is_remembered_and_cosigned(
    service: Kontor, client: LogClient, follower: Callable[[], Witness], ann: LocalPlayer, ben: LocalPlayer
) -> None:
    assert follower().check() == CheckResult(1, 0, new=True)
    size = grow(service, ann, ben)
    witness = follower()
    assert witness.check() == CheckResult(size, 1, new=True)
    assert witness.submit(NOON_S)
    assert not witness.submit(NOON_S)
    assert cosigners(read_note(client.checkpoint()), [WITNESS.public]) == [(WITNESS.public.name, NOON_S)]
    assert follower().check() == CheckResult(size, size, new=False)


def test_a_cosignature_that_did_not_arrive_is_sent_again(
    client: LogClient, follower: Callable[[], Witness]
) -> None:
    follower().check()
    again = follower()
    assert again.check().new is False
    assert again.submit(NOON_S)
    assert len(read_note(client.checkpoint()).signatures) == 2


def test_a_database_that_was_rolled_back_is_refused_with_evidence(
    service: Kontor,
    client: LogClient,
    follower: Callable[[], Witness],
    state: Path,
    ann: LocalPlayer,
    ben: LocalPlayer,
) -> None:
    grow(service, ann, ben)
    follower().check()
    before = state.read_bytes()
    kept = client.checkpoint()
    service.database.write(
        ("DELETE FROM log_leaves WHERE place >= 1", ()), ("DELETE FROM log_checkpoints WHERE size > 1", ())
    )
    offered = client.checkpoint()
    with pytest.raises(InconsistentLogError, match="it had 2 leaves and has 1 now: it was rolled") as refused:
        follower().check()
    evidence = refused.value.evidence
    assert (evidence["kept"], evidence["offered"]) == (kept, offered)
    assert state.read_bytes() == before, "the stored state is unchanged"


def test_two_trees_of_one_size_are_refused(
    service: Kontor, follower: Callable[[], Witness], ann: LocalPlayer, ben: LocalPlayer
) -> None:
    grow(service, ann, ben)
    follower().check()
    service.database.write(
        ("DELETE FROM log_leaves WHERE place >= 1", ()), ("DELETE FROM log_checkpoints", ())
    )
    match_id = str(service.database.read("SELECT id FROM matches")[0]["id"])
    play_to_the_end(match_id, ann, ben)
    grow_size = service.checkpoints.take()
    assert grow_size is not None
    assert grow_size.size == 2
    with pytest.raises(InconsistentLogError, match="it signed two trees of 2 leaves"):
        follower().check()


def test_a_rewritten_tree_is_refused(
    service: Kontor, follower: Callable[[], Witness], ann: LocalPlayer, ben: LocalPlayer
) -> None:
    for _ in range(3):
        grow(service, ann, ben)
    follower().check()
    other = MatchLeaf("00000000-0000-4000-8000-000000000000", 1, "0" * 64).content.decode()
    service.database.write(("UPDATE log_leaves SET content = ? WHERE place = 2", [other]))
    grow(service, ann, ben)
    with pytest.raises(
        InconsistentLogError, match="was not grown from that of 4: history was rewritten"
    ) as refused:
        follower().check()
    assert refused.value.evidence["proof"]["second"] == 5


def test_a_log_that_was_rolled_back_is_refused_even_if_its_tree_is_a_true_beginning(
    service: Kontor,
    follower: Callable[[], Witness],
    state: Path,
    ann: LocalPlayer,
    ben: LocalPlayer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    follower().check()
    first = service.checkpoints.latest()
    assert first is not None
    size = grow(service, ann, ben)
    follower().check()
    before = state.read_bytes()
    monkeypatch.setattr(LogClient, "checkpoint", lambda _: first.note)
    with pytest.raises(InconsistentLogError, match=f"it had {size} leaves and has 1 now: it was rolled back"):
        follower().check()
    assert state.read_bytes() == before


def test_an_older_checkpoint_from_a_cache_is_fetched_again(
    service: Kontor, client: LogClient, ann: LocalPlayer, ben: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.checkpoints.take()
    first, size = client.checkpoint(), grow(service, ann, ben)
    newest = client.checkpoint()
    witness = Witness(
        client, WITNESS, WitnessState(trusted_keys(None, client), newest), lambda _: None, cached_s=0.01
    )
    answers = iter([first, newest])
    monkeypatch.setattr(LogClient, "checkpoint", lambda _: next(answers))
    assert witness.check() == CheckResult(size, size, new=False)


def test_the_state_counts_for_an_origin_whatever_the_address(
    service: Kontor, client: LogClient, follower: Callable[[], Witness], state: Path
) -> None:
    follower().check()
    found = read_state(state)
    assert found is not None
    assert found.addresses == (client.url,)
    folder, origin = state.parent, service.checkpoints.origin
    state.rename(state_path(folder, origin))
    assert stored_state(folder, "http://elsewhere:1", origin) == found
    assert stored_state(folder, "http://elsewhere:1", "other.example/log") is None
    assert stored_state(folder, client.url, "other.example/log") == found, "so the new name is refused"


def test_a_checkpoint_of_another_log_is_refused(
    service: Kontor, follower: Callable[[], Witness], monkeypatch: pytest.MonkeyPatch
) -> None:
    follower().check()
    newest = service.checkpoints.latest()
    assert newest is not None
    other = newest.note.replace(service.checkpoints.origin, "other.example/log")
    monkeypatch.setattr(LogClient, "checkpoint", lambda _: other)
    with pytest.raises(InconsistentLogError, match="the log has another name now"):
        follower().check()


def test_at_first_contact_the_checkpoint_must_be_signed_with_a_trusted_key(
    client: LogClient, service: Kontor
) -> None:
    service.checkpoints.take()
    stranger = published(b"x" * 32)
    witness = Witness(client, WITNESS, WitnessState((stranger,)), lambda _: None)
    with pytest.raises(UnsignedNoteError, match="not signed with a known key"):
        witness.check()


def published(raw: bytes) -> PublicKey:
    return PublicKey(key_id(raw), b64encode(raw).decode(), 0)


# --- keys of the service ------------------------------------------------------------------------------------


def rotated(service: Kontor, clock: SettableClock, ann: LocalPlayer, ben: LocalPlayer) -> str:
    """Rotate the key: one checkpoint contains the new key, and the next is signed with it."""
    made = service.signer.rotate()
    grow(service, ann, ben)
    clock.advance(120_000)
    grow(service, ann, ben)
    newest = service.checkpoints.latest()
    assert newest is not None
    assert newest.key == made.id
    return made.id


def test_a_new_key_that_an_earlier_tree_contains_is_accepted(
    service: Kontor,
    follower: Callable[[], Witness],
    clock: SettableClock,
    state: Path,
    ann: LocalPlayer,
    ben: LocalPlayer,
) -> None:
    follower().check()
    made = service.signer.rotate()
    size = grow(service, ann, ben)
    assert follower().check().size == size
    clock.advance(120_000)
    size = grow(service, ann, ben)
    assert follower().check() == CheckResult(size, size - 1, new=True)
    known = read_state(state)
    assert known is not None
    assert made.id in [key.id for key in known.keys]


def test_a_witness_that_missed_several_key_rotations_catches_up(
    service: Kontor, follower: Callable[[], Witness], clock: SettableClock, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    follower().check()
    rotated(service, clock, ann, ben)
    rotated(service, clock, ann, ben)
    newest = service.checkpoints.latest()
    assert newest is not None
    assert follower().check().size == newest.size


def test_a_key_that_no_earlier_tree_contains_is_refused(
    service: Kontor, follower: Callable[[], Witness], clock: SettableClock, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    follower().check()
    rotated(service, clock, ann, ben)
    service.database.write(("DELETE FROM log_checkpoints WHERE size BETWEEN 2 AND 3", ()))
    with pytest.raises(InconsistentLogError, match="the checkpoint cannot be trusted: it is not signed"):
        follower().check()


# --- its own key and state ----------------------------------------------------------------------------------


def test_a_key_is_read_as_it_was_written_and_never_shown() -> None:
    key = new_witness_key("witness.example/w1")
    again = read_witness_key(key.text)
    assert again.public == key.public
    assert key.public.kind == COSIGNATURE
    assert key.private.private_bytes_raw().hex() not in repr(key)
    for wrong in ("", key.public.text, key.text[:-6], key.text.replace("w1", "w2"), key.text[12:]):
        with pytest.raises(UnreadableNoteError):
            read_witness_key(wrong)
    with pytest.raises(UnreadableNoteError):
        new_witness_key("a name")


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"keys": [], "note": null, "submitted": false, "keys": []}']
)
def test_a_damaged_state_file_is_an_error_and_not_treated_as_missing(state: Path, content: str) -> None:
    assert read_state(state) is None
    state.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"."):
        read_state(state)


def test_an_unreachable_service_is_distinguished_from_a_refusal(client: LogClient) -> None:
    with pytest.raises(LogRefusedError, match="There is no checkpoint yet"):
        client.checkpoint()
    with pytest.raises(LogUnreachableError, match="does not answer"):
        LogClient("http://127.0.0.1:9").checkpoint()
    with pytest.raises(ValueError, match="begins with http"):
        LogClient("file:///etc/passwd")
