"""A kept checkpoint, checked against a database and offline against a later checkpoint."""

from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.checkpoint_check import (
    CheckpointMismatchError,
    UnreadableCheckpointError,
    check_facts,
    check_growth,
    check_leaves,
    check_signature,
    read_checkpoint,
    read_proof,
)
from kontor_games.service.trust.checkpoints import Checkpoint
from tests.service.tables import Guest, play_to_the_end, table


@pytest.fixture
def players(service: Kontor) -> tuple[Guest, Guest]:
    return Guest(service), Guest(service)


@pytest.fixture
def kept(service: Kontor, players: tuple[Guest, Guest]) -> Checkpoint:
    """A checkpoint over one match that is over and one that runs."""
    play_to_the_end(table(*players), *players)
    running = table(*players)
    players[0].play(running)
    taken = service.checkpoints.take()
    assert taken is not None
    return taken


def verify(service: Kontor, kept: Checkpoint) -> tuple[int, int]:
    check_signature(kept, service.signer.public_keys())
    leaves = service.checkpoints.leaves()
    check_leaves(kept, leaves)
    return check_facts(service.store, leaves[: kept.size])


def write(service: Kontor, sql: str, *values: Any) -> None:
    service.database.write((sql, values))


def test_a_database_that_only_grew_matches_the_checkpoint(
    service: Kontor, kept: Checkpoint, players: tuple[Guest, Guest]
) -> None:
    assert verify(service, kept)[0] == 2
    play_to_the_end(table(*players), *players)
    service.checkpoints.take()
    matches, facts = verify(service, kept)
    assert (matches, facts > 30) == (2, True)


def test_every_match_is_told_as_it_is_done(service: Kontor, kept: Checkpoint) -> None:
    told: list[str] = []
    check_facts(service.store, service.checkpoints.leaves(), told.append)
    assert told == [leaf.match for leaf in service.checkpoints.leaves()]


def test_fewer_leaves_than_were_signed_mean_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM checkpoint_leaves WHERE place > 0")
    with pytest.raises(
        CheckpointMismatchError,
        match="covers 2 leaves, but the database has only 1: the database was rolled back",
    ):
        verify(service, kept)


def test_facts_that_are_gone_mean_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM kontor_events WHERE originator_version > 20")
    with pytest.raises(
        CheckpointMismatchError,
        match=r"had version \d+ when it was signed, and has \d+ now: the database was rolled back",
    ):
        verify(service, kept)


def test_a_match_that_is_gone_means_a_rollback(service: Kontor, kept: Checkpoint) -> None:
    write(service, "DELETE FROM kontor_events")
    with pytest.raises(CheckpointMismatchError, match="and has 0 now"):
        verify(service, kept)


def test_other_leaves_mean_a_rewriting(service: Kontor, kept: Checkpoint) -> None:
    write(service, "UPDATE checkpoint_leaves SET head = ? WHERE place = 0", "0" * 64)
    with pytest.raises(
        CheckpointMismatchError, match="are not those that were signed: the database was rewritten"
    ):
        verify(service, kept)


def test_other_facts_with_right_hashes_mean_a_rewriting(
    service: Kontor, kept: Checkpoint, players: tuple[Guest, Guest]
) -> None:
    """Somebody who has the code and the database plays the last move of a match again, another one."""
    running = next(
        leaf for leaf in service.checkpoints.leaves() if not players[0].look(leaf.match).match.over
    )
    move = players[0].look(running.match).match.version
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


def test_facts_in_the_middle_that_are_gone_are_missed(service: Kontor, kept: Checkpoint) -> None:
    rows = service.database.read(
        "SELECT DISTINCT originator_version AS version FROM kontor_events ORDER BY 1"
    )
    write(service, "DELETE FROM kontor_events WHERE originator_version = ?", rows[1]["version"])
    with pytest.raises(CheckpointMismatchError, match="facts are missing or doubled"):
        verify(service, kept)


@pytest.mark.parametrize("name", ["size", "root", "at"])
def test_a_checkpoint_that_was_never_signed_is_refused(service: Kontor, kept: Checkpoint, name: str) -> None:
    changed: dict[str, Any] = {"size": kept.size - 1, "root": "0" * 64, "at": kept.at + 1}
    with pytest.raises(CheckpointMismatchError, match="the service never signed this"):
        verify(service, replace(kept, **{name: changed[name]}))


def test_a_key_that_is_not_the_services_is_refused(service: Kontor, kept: Checkpoint) -> None:
    with pytest.raises(
        CheckpointMismatchError,
        match="signed with the key 0000000000000000, which was not the service's at that moment",
    ):
        verify(service, replace(kept, key="0" * 16))


def test_a_checkpoint_of_an_old_key_still_matches(service: Kontor, kept: Checkpoint, clock: Any) -> None:
    service.signer.rotate()
    clock.pass_by(120_000)
    assert verify(service, kept)[0] == 2


# --- offline ------------------------------------------------------------------------------------------------


@pytest.fixture
def later(service: Kontor, kept: Checkpoint, players: tuple[Guest, Guest]) -> Checkpoint:
    for _ in range(3):
        table(*players)
    taken = service.checkpoints.take()
    assert taken is not None
    return taken


def test_a_proof_shows_that_the_later_tree_grew_from_the_kept_one(
    service: Kontor, kept: Checkpoint, later: Checkpoint
) -> None:
    check_growth(kept, later, service.checkpoints.consistency(kept.size, later.size))
    check_growth(kept, kept, [])


def test_without_the_right_proof_nothing_is_shown(
    service: Kontor, kept: Checkpoint, later: Checkpoint
) -> None:
    proof = service.checkpoints.consistency(kept.size, later.size)
    for wrong in ([], proof[:-1], [*proof, proof[0]], ["0" * 64, *proof[1:]]):
        with pytest.raises(
            CheckpointMismatchError, match="does not show that the later checkpoint grew from the kept one"
        ):
            check_growth(kept, later, wrong)


def test_a_later_checkpoint_over_less_means_that_something_was_taken_away(
    kept: Checkpoint, later: Checkpoint
) -> None:
    with pytest.raises(
        CheckpointMismatchError, match="covers 2 leaves, the kept one 5: something was taken away"
    ):
        check_growth(later, kept, [])


# --- reading ------------------------------------------------------------------------------------------------


def test_a_checkpoint_is_read_as_it_is_published(kept: Checkpoint) -> None:
    assert read_checkpoint(kept.plain()) == kept


@pytest.mark.parametrize(
    "data", [None, [], {}, {"size": 1}, {"size": True, "root": "", "at": 1, "key": "", "signature": ""}]
)
def test_anything_else_is_no_checkpoint(data: Plain) -> None:
    with pytest.raises(UnreadableCheckpointError, match="this is no checkpoint"):
        read_checkpoint(data)


def test_a_proof_is_read_alone_or_in_its_answer() -> None:
    node = "a" * 64
    assert read_proof([node]) == read_proof({"proof": [node], "first": 1}) == [node]


@pytest.mark.parametrize("data", [None, {}, {"proof": "a"}, [1], ["a"], ["A" * 64]])
def test_anything_else_is_no_proof(data: Plain) -> None:
    with pytest.raises(UnreadableCheckpointError, match="this is no proof"):
        read_proof(data)
