"""A kept checkpoint, checked against a database and offline against a later checkpoint."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.checkpoint_check import (
    CheckpointMismatchError,
    UnreadableCheckpointError,
    check_facts,
    check_growth,
    check_keys,
    check_leaves,
    read_checkpoint,
    read_proof,
)
from kontor_games.service.trust.log_store import Checkpoint
from kontor_games.service.trust.signing import Signer
from tests.service.tables import LocalPlayer, play_to_the_end, start_match


@pytest.fixture
def players(service: Kontor) -> tuple[LocalPlayer, LocalPlayer]:
    return LocalPlayer(service), LocalPlayer(service)


@pytest.fixture
def kept(service: Kontor, players: tuple[LocalPlayer, LocalPlayer]) -> Checkpoint:
    """A checkpoint over a finished match and a running one."""
    play_to_the_end(start_match(*players), *players)
    running = start_match(*players)
    players[0].play(running)
    taken = service.checkpoints.take()
    assert taken is not None
    return taken


def verify(service: Kontor, kept: Checkpoint) -> tuple[int, int]:
    read, keys = read_checkpoint(kept.note), service.signer.public_keys()
    read.check_signature(keys)
    check_leaves(read, service.checkpoints.leaves())
    check_keys(service.checkpoints.leaves(), keys)
    return check_facts(service.store, service.checkpoints.leaves(read.size))


def write(service: Kontor, sql: str, *values: Any) -> None:
    service.database.write((sql, values))


def test_a_database_that_only_grew_matches_the_checkpoint(
    service: Kontor, kept: Checkpoint, players: tuple[LocalPlayer, LocalPlayer]
) -> None:
    assert verify(service, kept)[0] == 2
    play_to_the_end(start_match(*players), *players)
    service.checkpoints.take()
    matches, facts = verify(service, kept)
    assert (matches, facts > 30) == (2, True)


def test_progress_is_reported_for_every_match(service: Kontor, kept: Checkpoint) -> None:
    reported: list[str] = []
    check_facts(service.store, service.checkpoints.leaves(), reported.append)
    assert reported == [leaf.match for leaf in service.checkpoints.leaves() if isinstance(leaf, MatchLeaf)]


def test_fewer_leaves_than_were_signed_mean_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM log_leaves WHERE place > 0")
    with pytest.raises(
        CheckpointMismatchError,
        match="covers 3 leaves, but the database has only 1: the database was rolled back",
    ):
        verify(service, kept)


def test_missing_facts_mean_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM kontor_events WHERE originator_version > 20")
    with pytest.raises(
        CheckpointMismatchError,
        match=r"had version \d+ when it was signed, and has \d+ now: the database was rolled back",
    ):
        verify(service, kept)


def test_a_missing_match_means_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM kontor_events")
    with pytest.raises(CheckpointMismatchError, match="and has 0 now"):
        verify(service, kept)


def test_changed_leaves_mean_that_the_database_was_rewritten(service: Kontor, kept: Checkpoint) -> None:
    leaf = MatchLeaf("00000000-0000-4000-8000-000000000000", 1, "0" * 64)
    write(service, "UPDATE log_leaves SET content = ? WHERE place = 1", leaf.content.decode())
    with pytest.raises(
        CheckpointMismatchError, match="are not those that were signed: the database was rewritten"
    ):
        verify(service, kept)


def test_other_facts_with_valid_hashes_mean_that_the_database_was_rewritten(
    service: Kontor, kept: Checkpoint, players: tuple[LocalPlayer, LocalPlayer]
) -> None:
    """Somebody with the code and the database replaces the last move of a match by another one."""
    running = next(
        leaf
        for leaf in service.checkpoints.leaves()
        if isinstance(leaf, MatchLeaf) and not players[0].read_match(leaf.match).match.over
    )
    move = players[0].read_match(running.match).match.version
    own = running.match if service.database.is_postgres else running.match.replace("-", "")
    write(service, "DELETE FROM kontor_events WHERE originator_id = ? AND originator_version = ?", own, move)
    again = players[0].at(Kontor(service.settings, service.clock))
    again.play(running.match, again.legal(running.match)[-1])
    again.kontor.close()
    with pytest.raises(
        CheckpointMismatchError, match=f"match {running.match} up to version {move} is not what was signed"
    ):
        verify(service, kept)


def test_facts_that_cannot_be_read_are_named(service: Kontor, kept: Checkpoint) -> None:
    write(service, "UPDATE kontor_events SET state = ? WHERE originator_version = 1", b"{")
    with pytest.raises(
        CheckpointMismatchError, match=r"match [0-9a-f-]{36}: at version 1: what is stored can't be read"
    ):
        verify(service, kept)


def test_facts_missing_in_the_middle_are_detected(service: Kontor, kept: Checkpoint) -> None:
    rows = service.database.read(
        "SELECT DISTINCT originator_version AS version FROM kontor_events ORDER BY 1"
    )
    write(service, "DELETE FROM kontor_events WHERE originator_version = ?", rows[1]["version"])
    with pytest.raises(CheckpointMismatchError, match="facts are missing or duplicated"):
        verify(service, kept)


@pytest.mark.parametrize("name", ["size", "root"])
def test_a_checkpoint_that_was_never_signed_is_refused(service: Kontor, kept: Checkpoint, name: str) -> None:
    origin, size, root, *signatures = kept.note.splitlines(keepends=True)
    other = b64encode(bytes(32)).decode()
    changed = {"size": [origin, "2\n", root], "root": [origin, size, f"{other}\n"]}[name]
    with pytest.raises(CheckpointMismatchError, match="the service never signed this"):
        verify(service, replace(kept, note="".join([*changed, *signatures])))


def test_another_name_of_the_log_is_refused(service: Kontor, kept: Checkpoint) -> None:
    note = kept.note.replace(service.checkpoints.origin, "other.example/log", 1)
    with pytest.raises(CheckpointMismatchError, match="not signed with a known key of the service"):
        verify(service, replace(kept, note=note))


def test_a_key_that_was_changed_after_it_was_bound_is_named(service: Kontor, kept: Checkpoint) -> None:
    [key] = service.signer.public_keys()
    write(service, "UPDATE signing_keys SET created_at = 5")
    with pytest.raises(CheckpointMismatchError, match=f"the key {key.id} is in the tree, but the service"):
        check_keys(service.checkpoints.leaves(), Signer(service.database, service.clock).public_keys())


def test_a_checkpoint_of_an_old_key_still_matches(service: Kontor, kept: Checkpoint, clock: Any) -> None:
    service.signer.rotate()
    clock.advance(120_000)
    assert verify(service, kept)[0] == 2


# --- offline ------------------------------------------------------------------------------------------------


@pytest.fixture
def later(service: Kontor, kept: Checkpoint, players: tuple[LocalPlayer, LocalPlayer]) -> Checkpoint:
    for _ in range(3):
        start_match(*players)
    taken = service.checkpoints.take()
    assert taken is not None
    return taken


def test_a_proof_shows_that_the_later_tree_grew_from_the_kept_one(
    service: Kontor, kept: Checkpoint, later: Checkpoint
) -> None:
    early, late = read_checkpoint(kept.note), read_checkpoint(later.note)
    check_growth(early, late, service.checkpoints.consistency(early.size, late.size))
    check_growth(early, early, [])


def test_a_wrong_consistency_proof_is_refused(service: Kontor, kept: Checkpoint, later: Checkpoint) -> None:
    proof = service.checkpoints.consistency(kept.size, later.size)
    for wrong in ([], proof[:-1], [*proof, proof[0]], ["0" * 64, *proof[1:]]):
        with pytest.raises(
            CheckpointMismatchError, match="does not show that the later checkpoint grew from the kept one"
        ):
            check_growth(read_checkpoint(kept.note), read_checkpoint(later.note), wrong)


def test_a_later_checkpoint_over_fewer_leaves_is_refused(kept: Checkpoint, later: Checkpoint) -> None:
    with pytest.raises(
        CheckpointMismatchError, match="covers 3 leaves, the kept one 6: something was taken away"
    ):
        check_growth(read_checkpoint(later.note), read_checkpoint(kept.note), [])


# --- reading ------------------------------------------------------------------------------------------------


def test_a_checkpoint_is_read_as_it_is_published(kept: Checkpoint) -> None:
    read = read_checkpoint(kept.note)
    assert (read.size, read.root) == (kept.size, kept.root)


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{}", "{", '{"size": 1}', "a\n1\nAAAA\n", "a\n1\n\n— a AAAAAAAA\n"),
        '{"size": true, "root": "", "at": 1, "key": "", "signature": ""}',
    ],
)
def test_malformed_checkpoints_are_refused(content: str) -> None:
    with pytest.raises(UnreadableCheckpointError, match="this is no checkpoint"):
        read_checkpoint(content)


def test_a_proof_is_read_alone_or_in_its_answer() -> None:
    node = "a" * 64
    assert read_proof([node]) == read_proof({"proof": [node], "first": 1}) == [node]


@pytest.mark.parametrize("data", [None, {}, {"proof": "a"}, [1], ["a"], ["A" * 64]])
def test_malformed_proofs_are_refused(data: Plain) -> None:
    with pytest.raises(UnreadableCheckpointError, match="this is not a proof"):
        read_proof(data)
