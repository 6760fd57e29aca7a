"""The cache of matches: kept up to date, dropped, read again, and always consistent."""

import gc
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import Any
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import NotFoundError, RecordDamagedError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store import streams
from kontor_games.service.store.event_store import Stored
from kontor_games.service.store.match_cache import MatchCache, cached_bytes, evictions
from kontor_games.service.store.streams import CachedStream
from tests.service.tables import ME, OPEN, LocalPlayer, bot, fair_spec, play_to_the_end, start_match
from tests.support.entries import append
from tests.support.waiting import SOON_S, wait_until


@pytest.fixture
def kontor(new_process: Callable[..., Kontor]) -> Kontor:
    return new_process()


def test_a_cached_match_is_kept_up_to_date_across_two_processes(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    cached = here.cache.get(UUID(match_id))
    while not one.read_match(match_id).match.over:
        match = one.read_match(match_id).match
        (one if 0 in match.to_act else other).play(match_id)
        assert (
            other.read_match(match_id).match.state.digest() == one.read_match(match_id).match.state.digest()
        )
    assert here.cache.get(UUID(match_id)) is cached, "it was kept up to date, not read again"
    assert other.read_match(match_id).head == one.read_match(match_id).head


def test_only_new_entries_are_read(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    one.read_match(match_id)
    other.play(match_id)
    read: list[tuple[int, int]] = []
    entries = here.store.entries

    def counted(match: UUID, *, after: int = 0) -> Any:
        rows = entries(match, after=after)
        read.append((after, len(rows)))
        return rows

    monkeypatch.setattr(here.store, "entries", counted)
    version = one.read_match(match_id).match.version
    one.read_match(match_id)
    assert read == [(version - 1, 1), (version, 0)]


def test_a_dropped_match_is_read_again_as_it_was(new_process: Callable[..., Kontor]) -> None:
    small = new_process(cache_matches=1)
    one, other = LocalPlayer(small), LocalPlayer(small)
    first = start_match(one, other)
    one.play(first)
    before = one.read_match(first)
    second = start_match(one, other)
    assert small.cache.get_cached(UUID(first)) is None
    after = one.read_match(first)
    assert (after.match.version, after.head, after.match.state.digest()) == (
        before.match.version,
        before.head,
        before.match.state.digest(),
    )
    assert small.cache.get_cached(UUID(second)) is None
    other.play(first)
    assert one.read_match(second).match.version < one.read_match(first).match.version


def test_a_command_works_on_a_match_that_was_dropped_from_the_cache(
    new_process: Callable[..., Kontor],
) -> None:
    small = new_process(cache_matches=1)
    one, other = LocalPlayer(small), LocalPlayer(small)
    match_id = start_match(one, other)
    dropped = small.cache.get(UUID(match_id))
    start_match(one, other)
    other.play(match_id)
    assert small.cache.get(UUID(match_id)) is not dropped
    assert dropped.state.version < small.cache.get(UUID(match_id)).state.version


def test_the_cache_holds_a_limited_number_of_matches(new_process: Callable[..., Kontor]) -> None:
    small = new_process(cache_matches=3)
    player = LocalPlayer(small)
    made = [UUID(player.create(ME, OPEN)) for _ in range(5)]
    assert [small.cache.get_cached(match_id) is not None for match_id in made] == [
        False,
        False,
        True,
        True,
        True,
    ]


def test_an_unreadable_entry_leaves_the_cached_match_unchanged(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    one.read_match(match_id)
    other.play(match_id)
    log = here.cache.get(UUID(match_id))
    known = (log.state, list(log.entries), list(log.heads), dict(log.keys))
    version = other.read_match(match_id).match.version
    broken = Stored(
        at=0, by="?", key="k", body="", command={"type": "play"}, facts=[{"type": "of_the_future"}], head="h"
    )
    append(there.store, UUID(match_id), version + 1, broken)
    for _ in range(2):
        with pytest.raises(RecordDamagedError):
            log.refresh()
        assert (log.state, log.entries, log.heads, log.keys) == known


def test_many_refreshes_at_the_same_time_cause_few_reads(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = LocalPlayer(kontor).create()
    log = kontor.cache.get(UUID(match_id))
    reading, go_on, reads = Event(), Event(), list[int]()
    waiting = set[int]()
    acquire = CachedStream.acquire

    def recorded_acquire(self: CachedStream[Any], seconds: float) -> bool:
        acquired = acquire(self, seconds)
        if not acquired:
            waiting.add(get_ident())
        return acquired

    def slow(match: UUID, *, after: int = 0) -> list[Any]:
        reads.append(after)
        reading.set()
        assert go_on.wait(SOON_S)
        return []

    monkeypatch.setattr(streams, "LOCK_TIMEOUT_S", SOON_S)
    monkeypatch.setattr(CachedStream, "acquire", recorded_acquire)
    monkeypatch.setattr(kontor.store, "entries", slow)
    with ThreadPoolExecutor(20) as pool:
        first = pool.submit(log.refresh)
        assert reading.wait(SOON_S)
        others = [pool.submit(log.refresh) for _ in range(19)]
        wait_until(lambda: len(waiting) == len(others), SOON_S / 2)
        go_on.set()
        for refresh in (first, *others):
            refresh.result()
    assert len(reads) == 2, "one for the first refresh, and one for all that arrived while it was reading"


def test_a_command_does_not_wait_forever_for_the_lock(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LOCK_TIMEOUT_S", 0.05)
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    move = one.legal(match_id)[0]
    log = kontor.cache.get(UUID(match_id))
    with log.lock, ThreadPoolExecutor(1) as pool, pytest.raises(UnavailableError, match="Too many commands"):
        pool.submit(one.play, match_id, move).result()
    one.play(match_id, move)


def test_the_first_cached_object_of_a_match_is_kept(kontor: Kontor) -> None:
    match_id = UUID(LocalPlayer(kontor).create())
    kept = kontor.cache.get(match_id)
    assert kontor.cache.add(CachedStream(kontor.store, MATCHES, match_id)) is kept


def test_a_missing_match_is_not_found(kontor: Kontor) -> None:
    with pytest.raises(NotFoundError):
        kontor.cache.get(uuid4())
    with pytest.raises(NotFoundError):
        kontor.cache.get_fresh(uuid4())


def test_every_fact_has_its_place_in_the_chain(kontor: Kontor) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    match = play_to_the_end(match_id, one, other)
    log = kontor.cache.get(UUID(match_id))
    before, hashes = GENESIS, list[str]()
    for entry, head in zip(log.entries, log.heads, strict=True):
        hashes += link(MATCHES, match_id, match, entry, before)
        before = hashes[-1]
        assert before == head
    assert [log.head_at(version) for version in range(1, match.version + 1)] == hashes


def test_the_stored_entries_can_be_replayed_command_by_command(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    log = there.cache.get_fresh(UUID(match_id))
    auditor = MatchAuditor(match_id, is_signed)
    for entry in log.entries:
        auditor.take(entry)
    assert auditor.head == log.heads[-1]
    assert auditor.match.state.digest() == log.state.state.digest()


@pytest.mark.untraced
def test_the_cache_holds_a_limited_number_of_bytes_however_long_it_is_played(
    new_process: Callable[..., Kontor],
) -> None:
    small = new_process(cache_bytes=1_000_000)
    one, other = LocalPlayer(small), LocalPlayer(small)
    dropped, most = evictions._value.get(), 0
    for _ in range(60):
        match_id = start_match(one, other)
        for _ in range(4):
            look = one.read_match(match_id)
            (one if look.viewer in look.match.to_act else other).play(match_id)
            most = max(most, small.cache.bytes)
    assert 900_000 < most <= 1_000_000
    assert evictions._value.get() > dropped
    assert cached_bytes._value.get() == small.cache.bytes


def test_a_match_that_is_larger_than_the_cache_stays_while_it_is_in_use(
    new_process: Callable[..., Kontor],
) -> None:
    tiny = new_process(cache_bytes=1)
    one, other = LocalPlayer(tiny), LocalPlayer(tiny)
    match_id = start_match(one, other)
    assert tiny.cache.get_cached(UUID(match_id)) is not None
    one.play(match_id)
    second = start_match(one, other)
    assert tiny.cache.get_cached(UUID(second)) is not None
    assert tiny.cache.get_cached(UUID(match_id)) is None


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_the_estimated_size_of_a_match_is_close_to_its_size_in_memory(
    new_process: Callable[..., Kontor], game: str
) -> None:
    kontor = new_process()
    seats = min(installed_games()[game].rules().seat_counts)
    player = LocalPlayer(kontor)
    made = player.make(fair_spec(ME, *[bot("random")] * (seats - 1), game=game)).id
    for _ in range(40):
        look = player.read_match(made)
        for seat in look.match.to_act:
            rules = look.match.rules
            move = rules.offered_moves(look.match.state, seat)[0]
            if seat == look.viewer:
                player.play(made, rules.move_codec.encode(move))
            else:
                kontor.house.play_for_house(UUID(made), player.read_match(made).match.version, seat, move)
            break
    other = MatchCache(kontor.store, 10, 10**9)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        log = other.get(UUID(made))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert taken / 2.5 < log.bytes < taken * 2.5
