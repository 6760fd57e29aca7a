"""Checkpoints over all matches: signed, growing, and provable to whoever kept one."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from kontor_games.domain.merkle import is_consistent, root_from_inclusion, root_of
from kontor_games.service.background import periodic
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.checkpoints import Checkpoint, checkpoint_text
from tests.service.conftest import SettableClock
from tests.service.tables import Guest, play_to_the_end, table


@pytest.fixture
def start(serve: Callable[..., Kontor], store_url: str) -> Callable[[], Kontor]:
    return lambda: serve(store_url)


@pytest.fixture
def service(start: Callable[[], Kontor]) -> Kontor:
    return start()


@pytest.fixture
def one(service: Kontor) -> Guest:
    return Guest(service)


@pytest.fixture
def other(service: Kontor) -> Guest:
    return Guest(service)


def taken(service: Kontor) -> Checkpoint:
    checkpoint = service.checkpoints.take()
    assert checkpoint is not None
    return checkpoint


def test_nothing_has_happened_so_there_is_nothing_to_sign(service: Kontor) -> None:
    assert service.checkpoints.take() is None
    assert service.checkpoints.latest() is None


def test_a_checkpoint_is_signed_over_the_tree_of_all_matches(
    service: Kontor, one: Guest, other: Guest, clock: SettableClock
) -> None:
    ids = [table(one, other) for _ in range(5)]
    checkpoint = taken(service)
    leaves = service.checkpoints.leaves()
    assert [leaf.match for leaf in leaves] == ids
    assert (checkpoint.size, checkpoint.at, checkpoint.root) == (
        5,
        clock.now,
        root_of([leaf.hash for leaf in leaves]),
    )
    (key,) = service.signer.public_keys()
    assert checkpoint.key == key.id
    assert is_signed(
        key.public, checkpoint.signature, checkpoint_text(checkpoint.size, checkpoint.root, checkpoint.at)
    )
    for leaf in leaves:
        look = service.queries.see(None, leaf.match)
        assert (leaf.version, leaf.head) == (look.match.version, look.head)


def test_only_what_has_changed_gets_a_new_leaf(service: Kontor, one: Guest, other: Guest) -> None:
    first, second = table(one, other), table(one, other)
    taken(service)
    assert service.checkpoints.take() is None
    one.play(second)
    checkpoint = taken(service)
    assert [leaf.match for leaf in service.checkpoints.leaves()] == [first, second, second]
    assert checkpoint.size == 3
    assert [one.size for one in service.checkpoints.page(10)] == [3, 2]
    assert [one.size for one in service.checkpoints.page(10, before=3)] == [2]
    assert service.checkpoints.latest() == checkpoint


def test_every_checkpoint_is_consistent_with_all_before_it(service: Kontor, one: Guest, other: Guest) -> None:
    kept = []
    for _ in range(6):
        table(one, other)
        kept.append(taken(service))
    for earlier in kept:
        for later in kept:
            if earlier.size <= later.size:
                proof = service.checkpoints.consistency(earlier.size, later.size)
                assert is_consistent(earlier.size, earlier.root, later.size, later.root, proof)


def test_every_match_can_be_shown_to_be_in_a_checkpoint(service: Kontor, one: Guest, other: Guest) -> None:
    ids = [table(one, other) for _ in range(3)]
    one.play(ids[0])
    old = taken(service)
    play_to_the_end(ids[0], one, other)
    new = taken(service)
    for match_id in ids:
        for checkpoint in (old, new):
            leaf, place, proof = service.checkpoints.inclusion(match_id, checkpoint.size)
            assert leaf.match == match_id
            assert root_from_inclusion(leaf.hash, place, checkpoint.size, proof) == checkpoint.root
    was, _, _ = service.checkpoints.inclusion(ids[0], old.size)
    now, _, _ = service.checkpoints.inclusion(ids[0], new.size)
    assert was.version < now.version


def test_what_is_not_there_can_not_be_proved(service: Kontor, one: Guest, other: Guest) -> None:
    table(one, other)
    taken(service)
    late = table(one, other)
    for ask in (
        lambda: service.checkpoints.inclusion(late, 1),
        lambda: service.checkpoints.inclusion(late, 0),
        lambda: service.checkpoints.inclusion(late, 9),
        lambda: service.checkpoints.consistency(1, 9),
        lambda: service.checkpoints.consistency(0, 1),
        lambda: service.checkpoints.consistency(2, 1),
    ):
        with pytest.raises(NotFoundError):
            ask()


def test_a_rewritten_leaf_changes_the_root_that_somebody_kept(
    service: Kontor, one: Guest, other: Guest
) -> None:
    for _ in range(4):
        table(one, other)
    kept = taken(service)
    service.database.write(("UPDATE checkpoint_leaves SET head = ? WHERE place = 1", ["0" * 64]))
    table(one, other)
    later = taken(service)
    proof = service.checkpoints.consistency(kept.size, later.size)
    assert not is_consistent(kept.size, kept.root, later.size, later.root, proof)


def test_a_rolled_back_database_can_not_give_the_proofs(service: Kontor, one: Guest, other: Guest) -> None:
    for _ in range(3):
        table(one, other)
    kept = taken(service)
    service.database.write(
        ("DELETE FROM checkpoint_leaves WHERE place >= 1", []), ("DELETE FROM checkpoints", [])
    )
    with pytest.raises(NotFoundError):
        service.checkpoints.consistency(kept.size, kept.size + 1)


def test_of_processes_that_take_one_at_the_same_time_one_wins(
    start: Callable[[], Kontor], service: Kontor, one: Guest, other: Guest
) -> None:
    for _ in range(3):
        table(one, other)
    kontors = [service, *(start() for _ in range(3))]
    with ThreadPoolExecutor(4) as pool:
        checkpoints = [
            found
            for found in pool.map(lambda kontor: kontor.checkpoints.take(), kontors)
            if found is not None
        ]
    assert len(checkpoints) == 1
    assert len(service.checkpoints.leaves()) == 3
    assert service.checkpoints.latest() == checkpoints[0]


def test_matches_that_another_process_holds_are_covered_too(
    start: Callable[[], Kontor], service: Kontor, one: Guest, other: Guest
) -> None:
    match_id = table(one, other)
    elsewhere = start()
    taken(elsewhere)
    one.play(match_id)
    checkpoint = taken(elsewhere)
    leaf, _, _ = elsewhere.checkpoints.inclusion(match_id, checkpoint.size)
    assert leaf.head == one.look(match_id).head


def count(service: Kontor) -> int:
    return len(service.checkpoints.page(1000))


def test_under_continuous_play_there_is_one_checkpoint_a_minute(
    service: Kontor, one: Guest, other: Guest, clock: SettableClock
) -> None:
    for second in range(5 * 60):
        if second % 5 == 0:
            table(one, other)
        service.checkpoints.take_if_due()
        clock.pass_by(1000)
    assert count(service) == 5
    times = [checkpoint.at for checkpoint in reversed(service.checkpoints.page(5))]
    assert [later - earlier for earlier, later in pairwise(times)] == [60_000] * 4


def test_the_leading_process_takes_no_second_checkpoint_within_the_minute(
    service: Kontor, one: Guest, other: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "_SOON_S", 0.02)
    table(one, other)
    leader = service.leader()
    leader.start()
    try:
        until = time.monotonic() + 10
        while not count(service) and time.monotonic() < until:
            time.sleep(0.01)
        for _ in range(20):
            table(one, other)
            time.sleep(0.02)
    finally:
        leader.close()
    assert count(service) == 1
