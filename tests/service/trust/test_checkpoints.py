"""Checkpoints over all matches: they are signed, only grow, and can be proved consistent."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from threading import Event
from uuid import UUID

import pytest

from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.domain.merkle import is_consistent, root_from_inclusion
from kontor_games.domain.signed_note import TreeHead, read_note, read_tree_head
from kontor_games.domain.tiles import read_bundle
from kontor_games.service.background import checkpoint_worker
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.notes import signer_of
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match
from tests.service.trust.conftest import take_checkpoint
from tests.support.plain_tree import root_of
from tests.support.waiting import SOON_S, wait_until


def matches(service: Kontor) -> list[str]:
    """Return the matches in the leaves, in order."""
    return [leaf.match for leaf in service.checkpoints.leaves() if isinstance(leaf, MatchLeaf)]


def test_the_origin_stays_that_of_the_existing_checkpoints(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    """Also that of an older service, whose default was the same for all, after its key was rotated."""
    start_match(ann, ben)
    [first] = service.signer.public_keys()
    assert service.checkpoints.origin == f"localhost/{first.id}/v1/log"
    named = Kontor(replace(service.settings, log_origin="localhost/v1/log"), service.clock)
    assert named.checkpoints.take() is not None
    named.close()
    service.signer.rotate()
    assert service.checkpoints.origin == "localhost/v1/log"


def test_the_first_checkpoint_binds_the_signing_key(service: Kontor) -> None:
    assert service.checkpoints.latest() is None
    checkpoint = take_checkpoint(service)
    [key] = service.signer.public_keys()
    assert list(service.checkpoints.leaves()) == [key.leaf]
    assert (checkpoint.size, checkpoint.root) == (1, key.leaf.hash)
    assert service.checkpoints.take() is None


def test_a_checkpoint_is_signed_over_the_tree_of_all_matches(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    ids = [start_match(one, other) for _ in range(5)]
    checkpoint = take_checkpoint(service)
    leaves = list(service.checkpoints.leaves())
    assert matches(service) == ids
    assert (checkpoint.size, checkpoint.at, checkpoint.root) == (
        6,
        clock.now,
        root_of([leaf.hash for leaf in leaves]),
    )
    (key,) = service.signer.public_keys()
    assert checkpoint.key == key.id
    note = read_note(checkpoint.note)
    assert read_tree_head(note) == TreeHead(service.checkpoints.origin, 6, checkpoint.root)
    assert signer_of(note, service.checkpoints.origin, [key]) == key
    for leaf in leaves[1:]:
        assert isinstance(leaf, MatchLeaf)
        look = service.queries.visible_match(None, leaf.match)
        assert (leaf.version, leaf.head) == (look.match.version, look.head)


def test_only_what_has_changed_gets_a_new_leaf(service: Kontor, one: LocalPlayer, other: LocalPlayer) -> None:
    first, second = start_match(one, other), start_match(one, other)
    take_checkpoint(service)
    assert service.checkpoints.take() is None
    one.play(second)
    checkpoint = take_checkpoint(service)
    assert matches(service) == [first, second, second]
    assert checkpoint.size == 4
    assert [one.size for one in service.checkpoints.page(10)] == [4, 3]
    assert [one.size for one in service.checkpoints.page(10, before=4)] == [3]
    assert service.checkpoints.latest() == checkpoint


def test_every_checkpoint_is_consistent_with_all_before_it(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    kept = []
    for _ in range(6):
        start_match(one, other)
        kept.append(take_checkpoint(service))
    for earlier in kept:
        for later in kept:
            if earlier.size <= later.size:
                proof = service.checkpoints.consistency(earlier.size, later.size)
                assert is_consistent(earlier.size, earlier.root, later.size, later.root, proof)


def test_every_match_can_be_shown_to_be_in_a_checkpoint(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    ids = [start_match(one, other) for _ in range(3)]
    one.play(ids[0])
    old = take_checkpoint(service)
    play_to_the_end(ids[0], one, other)
    new = take_checkpoint(service)
    for match_id in ids:
        for checkpoint in (old, new):
            for proven in (
                service.checkpoints.inclusion(match_id, checkpoint.size),
                *service.checkpoints.keys(checkpoint.size),
            ):
                found = root_from_inclusion(proven.leaf.hash, proven.index, checkpoint.size, proven.proof)
                assert found == checkpoint.root
    was, now = (service.checkpoints.inclusion(ids[0], one.size).leaf for one in (old, new))
    assert isinstance(was, MatchLeaf)
    assert isinstance(now, MatchLeaf)
    assert (was.match, now.match, was.version < now.version) == (ids[0], ids[0], True)


def test_proofs_and_tiles_that_do_not_exist_are_not_found(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    start_match(one, other)
    take_checkpoint(service)
    late = start_match(one, other)
    for request in (
        lambda: service.checkpoints.inclusion(late, 2),
        lambda: service.checkpoints.keys(9),
        lambda: service.checkpoints.keys(0),
        lambda: service.checkpoints.tile(0, 0, 3),
        lambda: service.checkpoints.tile(0, 1, 1),
        lambda: service.checkpoints.tile(1, 0, 1),
        lambda: service.checkpoints.tile(63, 10**15, 256),
        lambda: service.checkpoints.bundle(0, 3),
        lambda: service.checkpoints.bundle(10**15, 256),
        lambda: service.checkpoints.accept_cosignatures(9, "— a AAAAAAAA\n"),
        lambda: service.checkpoints.inclusion(late, 0),
        lambda: service.checkpoints.inclusion(late, 9),
        lambda: service.checkpoints.consistency(1, 9),
        lambda: service.checkpoints.consistency(0, 1),
        lambda: service.checkpoints.consistency(2, 1),
    ):
        with pytest.raises(NotFoundError):
            request()


def test_a_rewritten_leaf_is_detected_with_a_kept_checkpoint(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    for _ in range(4):
        start_match(one, other)
    kept = take_checkpoint(service)
    other_leaf = MatchLeaf("00000000-0000-4000-8000-000000000000", 1, "0" * 64).content.decode()
    service.database.write(("UPDATE log_leaves SET content = ? WHERE place = 1", [other_leaf]))
    start_match(one, other)
    later = take_checkpoint(service)
    proof = service.checkpoints.consistency(kept.size, later.size)
    assert not is_consistent(kept.size, kept.root, later.size, later.root, proof)


def test_a_rolled_back_database_cannot_give_the_proofs(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    for _ in range(3):
        start_match(one, other)
    kept = take_checkpoint(service)
    service.database.write(
        ("DELETE FROM log_leaves WHERE place >= 1", []), ("DELETE FROM log_checkpoints", [])
    )
    with pytest.raises(NotFoundError):
        service.checkpoints.consistency(kept.size, kept.size + 1)


def test_of_several_concurrent_checkpoints_one_is_taken(
    start: Callable[[], Kontor], service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    for _ in range(3):
        start_match(one, other)
    kontors = [service, *(start() for _ in range(3))]
    with ThreadPoolExecutor(4) as pool:
        checkpoints = [
            found
            for found in pool.map(lambda kontor: kontor.checkpoints.take(), kontors)
            if found is not None
        ]
    assert len(checkpoints) == 1
    assert len(matches(service)) == 3
    assert service.checkpoints.latest() == checkpoints[0]


def test_a_checkpoint_covers_moves_made_in_another_process(
    start: Callable[[], Kontor], service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = start_match(one, other)
    elsewhere = start()
    take_checkpoint(elsewhere)
    one.play(match_id)
    checkpoint = take_checkpoint(elsewhere)
    leaf = elsewhere.checkpoints.inclusion(match_id, checkpoint.size).leaf
    assert isinstance(leaf, MatchLeaf)
    assert leaf.head == one.read_match(match_id).head


def count(service: Kontor) -> int:
    return len(service.checkpoints.page(1000))


def test_under_continuous_play_there_is_one_checkpoint_a_minute(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    for second in range(5 * 60):
        if second % 5 == 0:
            start_match(one, other)
        service.checkpoints.take_if_due()
        clock.advance(1000)
    assert count(service) == 5
    times = [checkpoint.at for checkpoint in reversed(service.checkpoints.page(5))]
    assert [later - earlier for earlier, later in pairwise(times)] == [60_000] * 4


def test_the_leader_takes_no_second_checkpoint_within_a_minute(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_worker, "_PAUSE_S", 0.02)
    start_match(one, other)
    leader = service.leader()
    leader.start()
    try:
        wait_until(lambda: count(service))
        for _ in range(20):
            start_match(one, other)
            time.sleep(0.02)
    finally:
        leader.close()
    assert count(service) == 1


def test_matches_that_end_at_the_same_time_share_one_checkpoint_and_others_get_no_leaf(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, *ended = (start_match(one, other) for _ in range(4))
    all_over, take_now = Event(), service.checkpoints.take_now
    monkeypatch.setattr(
        service.checkpoints, "take_now", lambda *changed: all_over.wait(SOON_S) and take_now(*changed)
    )
    leader = service.leader()
    leader.start()
    try:
        wait_until(lambda: count(service) == 1)
        for match_id in ended:
            play_to_the_end(match_id, one, other)
        one.play(running)
        all_over.set()
        wait_until(lambda: {*ended} <= {*matches(service)[4:]})
    finally:
        leader.close()
    assert count(service) <= 3, "one over all matches, and one or two over those that ended"
    assert matches(service).count(running) == 1
    newest = {leaf.match: leaf for leaf in service.checkpoints.leaves() if isinstance(leaf, MatchLeaf)}
    heads = [newest[match_id].head for match_id in ended]
    assert heads == [one.read_match(match_id).head for match_id in ended]


def test_running_matches_omitted_from_an_early_checkpoint_are_in_the_next_one(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    service.checkpoints.take_if_due()
    running, ended = start_match(one, other), start_match(one, other)
    play_to_the_end(ended, one, other)
    assert service.checkpoints.take_now([UUID(ended)]) is not None
    assert matches(service) == [ended]
    service.checkpoints.take_if_due()
    assert matches(service) == [ended]
    clock.advance(60_000)
    service.checkpoints.take_if_due()
    assert matches(service) == [ended, running]


def test_a_new_key_is_bound_at_once_and_signs_only_what_comes_after(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    first = take_checkpoint(service)
    service.checkpoints.take_if_due()
    made = service.signer.rotate()
    clock.advance(1000)
    service.checkpoints.take_if_due()
    binding = service.checkpoints.latest()
    assert binding is not None
    assert list(service.checkpoints.leaves())[-1] == made.leaf
    clock.advance(60_000)
    start_match(one, other)
    after = take_checkpoint(service)
    assert [first.key, binding.key, after.key] == [first.key, first.key, made.id]


def test_a_key_that_is_valid_before_it_is_bound_does_not_sign_the_checkpoint_that_binds_it(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    first = take_checkpoint(service)
    made = service.signer.rotate()
    clock.advance(120_000)
    start_match(one, other)
    binding = take_checkpoint(service)
    start_match(one, other)
    assert [binding.key, take_checkpoint(service).key] == [first.key, made.id]


def test_tiles_are_those_of_the_leaves(service: Kontor, one: LocalPlayer, other: LocalPlayer) -> None:
    for _ in range(5):
        start_match(one, other)
    checkpoint = take_checkpoint(service)
    leaves = list(service.checkpoints.leaves())
    for width in range(1, checkpoint.size + 1):
        expected = [leaf.hash for leaf in leaves[:width]]
        assert service.checkpoints.tile(0, 0, width).hex() == "".join(expected)
        assert read_bundle(service.checkpoints.bundle(0, width)) == [leaf.content for leaf in leaves[:width]]
