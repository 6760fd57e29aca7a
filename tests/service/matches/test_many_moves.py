"""Many moves at once: each is carried out or refused by itself, exactly once, and all are stored together."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError

from kontor_games.domain.codec import MalformedError, Plain, digest
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_refusals import NotSeatedError, TimeIsUpError
from kontor_games.service.errors import KeyReusedError, NotFoundError, StaleVersionError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import BriefMoveAnswer, MoveAnswer
from kontor_games.service.matches.many_moves import MoveRequest
from kontor_games.service.store import command_handler
from kontor_games.service.store.postgres_recorder import PostgresEntryRecorder
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match, stored_rows
from tests.support.waiting import SOON_S

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def move_request(
    who: LocalPlayer, match_id: str, *moves: Plain, key: str | None = None, version: int | None = None
) -> MoveRequest:
    """Return a request of this player to make the given moves, or else the first legal one."""
    wanted = list(moves) or who.legal(match_id)[:1]
    return MoveRequest(who.call(key, digest(wanted), version), match_id, wanted)


def play_all(kontor: Kontor, *requests: MoveRequest) -> list[MoveAnswer | BriefMoveAnswer | Exception]:
    return kontor.many_moves.play(requests)


def types_of(results: Sequence[MoveAnswer | BriefMoveAnswer | Exception]) -> list[type]:
    return [type(result) for result in results]


def rows_of(kontor: Kontor, matches: Sequence[str]) -> list[int]:
    return [len(stored_rows(kontor, match)) for match in matches]


def test_every_match_gets_the_answer_that_a_single_move_would_get(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(5)]
    results = play_all(kontor, *[move_request(one, match) for match in matches])
    assert types_of(results) == [MoveAnswer] * 5
    for match, result in zip(matches, results, strict=True):
        again = kontor.cache.get_fresh(UUID(match))
        assert isinstance(result, MoveAnswer)
        assert (result.position.id, result.position.version) == (match, again.state.version)
        assert (result.first, result.replayed) == (again.entries[-1].first, False)
        assert result.position.head == again.heads[-1]


def test_a_refused_command_does_not_affect_the_others(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other, player = LocalPlayer(kontor), LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(4)]
    strange = start_match(player, other)
    rows = rows_of(kontor, matches)
    version = one.read_match(matches[1]).match.version
    results = play_all(
        kontor,
        move_request(one, matches[0]),
        move_request(one, matches[1], *one.legal(matches[1])[:1], version=version - 1),
        move_request(one, matches[2], {"type": "close_fair"}),
        move_request(one, matches[3], {"type": "fly"}),
        move_request(one, strange, *player.legal(strange)[:1]),
        MoveRequest(one.call(), UNKNOWN, [{"type": "fly"}]),
    )
    assert [
        isinstance(r, k)
        for r, k in zip(
            results,
            (MoveAnswer, StaleVersionError, Refusal, MalformedError, NotSeatedError, NotFoundError),
            strict=True,
        )
    ] == [True] * 6
    assert rows_of(kontor, matches) == [rows[0] + 1, *rows[1:]]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_repeated_key_is_carried_out_once(new_process: Callable[..., Kontor], elsewhere: bool) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    matches = [start_match(one, other) for _ in range(3)]
    requests = [move_request(one, match, key="same") for match in matches]
    first = play_all(here, *requests)
    other.play(matches[0])
    rows = rows_of(here, matches)
    again = play_all(there if elsewhere else here, *requests)
    assert [(r.facts, r.position.version, r.replayed) for r in again if isinstance(r, MoveAnswer)] == [
        (r.facts, r.position.version, True) for r in first if isinstance(r, MoveAnswer)
    ]
    assert rows_of(here, matches) == rows
    other_move = move_request(one, matches[0], {"type": "close_fair"}, key="same")
    assert types_of(play_all(here, other_move)) == [KeyReusedError]


def test_a_key_is_shared_by_single_moves_and_batches(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match = start_match(one, other)
    move = one.legal(match)[0]
    (first,) = play_all(kontor, move_request(one, match, move, key="same"))
    assert isinstance(first, MoveAnswer)
    assert one.play(match, move, key="same").answer.facts == first.facts


def test_several_commands_for_one_match_are_carried_out_in_their_order(
    new_process: Callable[..., Kontor],
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match = start_match(one, other)
    first, second = move_request(one, match, key="1"), move_request(one, match, key="2")
    results = play_all(kontor, first, second)
    assert isinstance(results[0], MoveAnswer)
    assert isinstance(results[1], Refusal), "it is no longer this player's turn"


def test_a_stale_process_reads_all_matches_with_one_query(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    matches = [start_match(one, other) for _ in range(4)]
    for match in matches:
        one.at(there).read_match(match)
        one.play(match)
    reads: list[int] = []
    read = there.store.rows_of_many

    def note(after: Mapping[UUID, int]) -> Any:
        reads.append(len(after))
        return read(after)

    monkeypatch.setattr(there.store, "rows_of_many", note)
    requests = [
        move_request(other, match, *other.legal(match)[:1], version=other.read_match(match).match.version)
        for match in matches
    ]
    assert types_of(play_all(there, *requests)) == [MoveAnswer] * 4
    assert reads == [4]


def test_of_two_processes_with_the_same_moves_one_stores_them_and_both_give_the_same_answers(
    new_process: Callable[..., Kontor],
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    matches = [start_match(one, other) for _ in range(8)]
    rows = rows_of(here, matches)
    requests = [move_request(one, match, key="same") for match in matches]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda kontor: play_all(kontor, *requests), (here, there, here, there)))
    for results in zip(*answers, strict=True):
        assert types_of(results) == [MoveAnswer] * 4
        assert sum(not result.replayed for result in results if isinstance(result, MoveAnswer)) == 1
    assert rows_of(here, matches) == [count + 1 for count in rows]


def test_a_move_overtaken_by_another_process_is_decided_again(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    matches = [start_match(one, other) for _ in range(3)]
    for match in matches:
        one.at(there).read_match(match)
    store, late = there.store.append_all, [one.play]

    def overtaken(new: Any) -> Any:
        for play in late:
            play(matches[1])
        late.clear()
        return store(new)

    monkeypatch.setattr(there.store, "append_all", overtaken)
    results = play_all(there, *[move_request(one, match) for match in matches])
    assert [isinstance(result, MoveAnswer) for result in results] == [True, False, True]
    assert isinstance(results[1], Refusal), "the move was made meanwhile, and now it is the other's turn"


def test_matches_that_end_are_stored_with_their_listing(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(3)]
    while any(not one.read_match(match).match.over for match in matches):
        for player in (one, other):
            wanted = [m for m in matches if player.read_match(m).viewer in player.read_match(m).match.to_act]
            if wanted:
                assert types_of(play_all(kontor, *[move_request(player, m) for m in wanted])) == [
                    MoveAnswer
                ] * len(wanted)
    rows = kontor.database.read_many("SELECT status FROM matches WHERE id IN ({})", matches)
    assert [row["status"] for row in rows] == ["finished"] * 3
    assert play_to_the_end(matches[0], one, other).over


def test_a_busy_match_does_not_hold_up_the_others(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_handler, "LOCK_TIMEOUT_S", 0.1)
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(2)]
    requests = [move_request(one, match) for match in matches]
    with kontor.cache.get(UUID(matches[0])).lock, ThreadPoolExecutor(1) as pool:
        results = pool.submit(play_all, kontor, *requests).result(timeout=SOON_S)
    assert types_of(results) == [UnavailableError, MoveAnswer]
    assert types_of(play_all(kontor, *requests[:1])) == [MoveAnswer], "the lock was released"


def test_a_late_move_among_many_is_refused(new_process: Callable[..., Kontor], clock: SettableClock) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    timed = start_match(one, other, clock={"kind": "per_move", "ms": 1000}, on_timeout="forfeit")
    requests = [move_request(one, timed), move_request(one, start_match(one, other))]
    clock.advance(2000)
    assert types_of(play_all(kontor, *requests)) == [TimeIsUpError, MoveAnswer]


def test_all_waiting_clients_are_notified_after_the_moves_are_stored(
    new_process: Callable[..., Kontor],
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(3)]
    notified: dict[str, int] = {}
    kontor.feed.on_change(lambda change: notified.update({str(change.match): change.version}))
    results = play_all(kontor, *[move_request(one, match) for match in matches])
    assert notified == {r.position.id: r.position.version for r in results if isinstance(r, MoveAnswer)}


def test_entries_whose_acknowledgement_was_lost_are_found_again(
    serve: Callable[..., Kontor], database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor = serve(database_url)
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(3)]
    rows, lost, fetch = rows_of(kontor, matches), ["once"], PostgresEntryRecorder._fetch

    def flaky(recorder: PostgresEntryRecorder, query: str, values: Any) -> Any:
        found = fetch(recorder, query, values)
        if lost and query.startswith("INSERT"):
            lost.pop()
            return fetch(recorder, query, values)  # as after a lost connection: the rows are already stored
        return found

    monkeypatch.setattr(PostgresEntryRecorder, "_fetch", flaky)
    results = play_all(kontor, *[move_request(one, match, key="same") for match in matches])
    assert types_of(results) == [MoveAnswer] * 3
    assert rows_of(kontor, matches) == [count + 1 for count in rows]


@pytest.mark.parametrize("error", [OperationalError("away"), IntegrityError("taken")])
def test_a_database_that_fails_refuses_all_and_stores_nothing(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    matches = [start_match(one, other) for _ in range(2)]
    rows = rows_of(kontor, matches)
    monkeypatch.setattr(kontor.store.recorder, "insert_all", lambda events: [error] * len(events))
    results = play_all(kontor, *[move_request(one, match) for match in matches])
    wanted = UnavailableError if isinstance(error, OperationalError) else StaleVersionError
    assert types_of(results) == [wanted] * 2
    assert rows_of(kontor, matches) == rows
