"""Clocks: the leader records time-outs as facts, and no player gains or loses time by a restart."""

from collections.abc import Callable
from threading import Thread
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.match_facts import MatchFinished, SeatTimedOut
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.background.match_worker import Schedule
from kontor_games.service.kontor import Kontor
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import OPEN, LocalPlayer, fair_state, logged_facts, start_match, stored_rows
from tests.support.waiting import SOON_S, wait_until

PER_MOVE = {"kind": "per_move", "ms": 1000}
BANK = {"kind": "bank", "ms": 1000, "increment_ms": 200}


def time_outs(kontor: Kontor, match_id: str) -> list[tuple[int, SeatTimedOut]]:
    """Return the time-outs of a match, each with its time in ms after NOON."""
    return [(h.at - NOON, h.fact) for h in logged_facts(kontor, match_id) if isinstance(h.fact, SeatTimedOut)]


@pytest.fixture
def players(new_process: Callable[..., Kontor]) -> tuple[LocalPlayer, LocalPlayer]:
    kontor = new_process()
    return LocalPlayer(kontor), LocalPlayer(kontor)


def expire(player: LocalPlayer, match_id: str) -> int | None:
    return player.kontor.house.expire(UUID(match_id))


# --- time-outs ----------------------------------------------------------------------------------------------


def test_nothing_happens_before_the_deadline(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    clock.advance(999)
    assert expire(players[0], match_id) == NOON + 1000
    assert time_outs(players[0].kontor, match_id) == []


def test_when_time_is_up_a_move_is_made_for_the_absent_player(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    clock.advance(600)
    players[0].play(match_id)
    clock.advance(400)
    players[0].kontor.house.expire(UUID(match_id))
    assert time_outs(players[0].kontor, match_id) == [(1000, SeatTimedOut(1, "bot"))]
    match = players[0].read_match(match_id).match
    assert fair_state(match).holder is not None, "both cards are laid, the second by the service"


def test_when_time_is_up_the_absent_player_forfeits_if_the_match_says_so(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE, on_timeout="forfeit")
    players[1].play(match_id)
    clock.advance(1000)
    assert expire(players[0], match_id) is None
    events = logged_facts(players[0].kontor, match_id)
    assert events[-2].fact == SeatTimedOut(0, "forfeit")
    assert isinstance(events[-1].fact, MatchFinished)
    assert events[-1].fact.places == (2, 1)


def test_a_bank_runs_down_over_several_moves_and_grows_by_the_increment(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=BANK)
    clock.advance(700)
    for player in players:
        player.play(match_id)
    assert players[0].read_match(match_id).match.clock.remaining == [500, 500]
    holder = fair_state(players[0].read_match(match_id).match).holder
    assert holder is not None
    assert expire(players[0], match_id) == NOON + 1200
    clock.advance(500)
    expire(players[0], match_id)
    assert time_outs(players[0].kontor, match_id)[0] == (1200, SeatTimedOut(holder, "bot"))


def test_all_seats_whose_time_is_up_are_recorded(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    clock.advance(1000)
    expire(players[0], match_id)
    assert [seat.seat for _, seat in time_outs(players[0].kontor, match_id)] == [0, 1]


def test_a_match_without_a_clock_has_no_deadline(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players)
    clock.advance(10**9)
    assert expire(players[0], match_id) is None
    assert time_outs(players[0].kontor, match_id) == []


def test_time_that_passed_without_a_clock_worker_is_charged_once(
    new_process: Callable[..., Kontor], clock: SettableClock
) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    match_id = start_match(one, other, clock=PER_MOVE)
    one.play(match_id)
    before.close()
    clock.advance(60_000)
    after = new_process()
    deadline = after.house.expire(UUID(match_id))
    assert time_outs(after, match_id) == [(60_000, SeatTimedOut(1, "bot"))]
    assert deadline == NOON + 61_000, "the seats that are to act now have their full time"


# --- late moves ---------------------------------------------------------------------------------------------


def test_a_move_that_comes_too_late_is_refused_and_the_time_out_recorded(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    move = players[0].legal(match_id)[0]
    clock.advance(1000)
    with pytest.raises(TimeIsUpError):
        players[0].play(match_id, move)
    assert (1000, SeatTimedOut(0, "bot")) in time_outs(players[0].kontor, match_id)


def test_a_move_in_the_last_moment_counts(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    clock.advance(999)
    players[0].play(match_id)
    assert time_outs(players[0].kontor, match_id) == []


def test_a_process_with_an_old_version_does_not_refuse_a_move_in_time(
    new_process: Callable[..., Kontor], clock: SettableClock
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    match_id = start_match(one, other, clock=PER_MOVE)
    there.cache.get(UUID(match_id))  # this process is not notified of the moves
    clock.advance(900)
    one.play(match_id)
    other.play(match_id)
    holder = one if fair_state(here.cache.get(UUID(match_id)).state).holder == 0 else other
    clock.advance(900)
    holder.at(there).play(match_id, {"type": "close_fair"})
    assert time_outs(here, match_id) == []


def test_a_retry_of_a_move_that_was_in_time_is_answered_although_time_is_up_now(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    move = players[0].legal(match_id)[0]
    first = players[0].play(match_id, move, key="same")
    clock.advance(5000)
    again = players[0].play(match_id, move, key="same")
    assert (again.replayed, again.facts, again.match.version) == (True, first.facts, first.match.version)


def test_a_retry_is_answered_if_another_process_stores_the_move_in_time_meanwhile(
    new_process: Callable[..., Kontor], clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    match_id = start_match(one, other, clock=PER_MOVE)
    move = one.legal(match_id)[0]
    expire_there = there.house.expire
    clock.advance(1000)

    def store_it_before(id_: UUID) -> int | None:
        monkeypatch.setattr(there.house, "expire", expire_there)
        clock.advance(-1)
        one.play(match_id, move, key="same")
        clock.advance(1)
        return expire_there(id_)

    monkeypatch.setattr(there.house, "expire", store_it_before)
    again = one.at(there).play(match_id, move, key="same")
    first = one.play(match_id, move, key="same")
    assert (again.replayed, again.facts, again.match.version) == (True, first.facts, first.match.version)


def test_a_player_can_resign_after_the_opponents_time_ran_out(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = start_match(*players, clock=PER_MOVE)
    clock.advance(1000)
    players[0].do(match_id, Resign())
    assert players[0].read_match(match_id).match.status == "finished"
    assert len(time_outs(players[0].kontor, match_id)) == 2


# --- the clock worker ---------------------------------------------------------------------------------------


@pytest.fixture
def make_worker(new_process: Callable[..., Kontor], clock: SettableClock) -> Callable[[Kontor], ClockWorker]:
    """Return a function that makes clock workers which scan often."""

    def make(kontor: Kontor) -> ClockWorker:
        worker = ClockWorker(kontor.house, kontor.feed, clock, kontor.outages)
        worker.scan_interval_s = 0.05
        return worker

    return make


def both_timed_out(kontor: Kontor, match_id: str) -> Callable[[], bool]:
    """Return a condition: both time-outs are recorded."""
    return lambda: len(time_outs(kontor, match_id)) == 2


def test_the_clock_worker_records_a_time_out_at_the_deadline(
    new_process: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    worker = make_worker(kontor)
    worker.start()
    match_id = start_match(one, other, clock=PER_MOVE)
    clock.advance(1000)
    wait_until(lambda: len(time_outs(kontor, match_id)) == 2)
    worker.close()


def test_the_clock_worker_processes_matches_created_before_its_start(
    new_process: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    before, after = new_process(), new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    match_id = start_match(one, other, clock=BANK)
    worker = make_worker(after)
    worker.start()
    clock.advance(999)
    one.play(match_id)  # the other process is not notified
    clock.advance(1)
    wait_until(lambda: (1000, SeatTimedOut(1, "bot")) in time_outs(before, match_id))
    worker.close()
    assert time_outs(before, match_id)[0] == (1000, SeatTimedOut(1, "bot"))


def test_two_clock_workers_record_each_time_out_once(
    new_process: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontors = [new_process(), new_process()]
    one, other = LocalPlayer(kontors[0]), LocalPlayer(kontors[1])
    workers = [make_worker(kontor) for kontor in kontors]
    for worker in workers:
        worker.start()
    match_ids = [start_match(one, other, clock=PER_MOVE) for _ in range(4)]
    clock.advance(1000)
    for match_id in match_ids:
        wait_until(both_timed_out(kontors[0], match_id))
    for worker in workers:
        worker.close()
    for match_id in match_ids:
        rows = [row["topic"] for row in stored_rows(kontors[0], match_id)]
        assert rows.count("match.time_out") == 2


def test_contributions_that_are_not_opened_in_time_end_the_match(
    players: tuple[LocalPlayer, LocalPlayer], clock: SettableClock
) -> None:
    match_id = players[0].create(OPEN, OPEN, sealed=True)
    for player in players:
        player.join(match_id, contribution="0" * 64)
    deadline = expire(players[0], match_id)
    assert deadline is not None
    clock.advance(deadline - NOON)
    expire(players[0], match_id)
    assert players[0].read_match(match_id).match.status == "aborted"


# --- the schedule -------------------------------------------------------------------------------------------


def test_the_schedule_returns_due_matches_in_order(clock: SettableClock) -> None:
    schedule, early, late = Schedule(clock), uuid4(), uuid4()
    schedule.put(late, NOON + 20)
    schedule.put(early, NOON + 10)
    assert schedule.take(0) is None
    clock.advance(20)
    assert [schedule.take(0), schedule.take(0), schedule.take(0)] == [(early, ""), (late, ""), None]


def test_a_due_time_is_moved_earlier_but_never_later(clock: SettableClock) -> None:
    schedule, match_id = Schedule(clock), uuid4()
    schedule.put(match_id, NOON + 20)
    schedule.put(match_id, NOON + 10)
    schedule.put(match_id, NOON + 30)
    clock.advance(10)
    assert schedule.take(0) == (match_id, "")
    clock.advance(100)
    assert schedule.take(0) is None


def test_the_schedule_does_not_grow_with_the_moves_of_a_match(clock: SettableClock) -> None:
    schedule, match_id = Schedule(clock), uuid4()
    for number in range(5000):
        schedule.put(match_id, NOON + 10**9 - number)
    assert len(schedule) == 1
    assert len(schedule._heap) < 200


def test_a_player_with_hundreds_of_due_matches_delays_others_by_one(clock: SettableClock) -> None:
    schedule = Schedule(clock)
    for _ in range(200):
        schedule.put(uuid4(), NOON, "greedy")
    for owner in ("ann", "ben"):
        schedule.put(uuid4(), NOON, owner)
    taken = [schedule.take(0) for _ in range(202)]
    owners = [found[1] for found in taken if found is not None]
    assert owners[:5] == ["greedy", "ann", "ben", "greedy", "greedy"]
    assert (len(owners), schedule.take(0), len(schedule)) == (202, None, 0)


def test_of_two_owners_each_is_served_every_second_time(clock: SettableClock) -> None:
    """Each processed match is due again, as with house bots, where each move makes it due again."""
    schedule, mine = Schedule(clock), uuid4()
    flood = [uuid4() for _ in range(200)]
    for match_id in flood:
        schedule.put(match_id, NOON, "greedy")
    schedule.put(mine, NOON, "ann")
    served = []
    for _ in range(40):
        taken = schedule.take(0)
        assert taken is not None
        served.append(taken[1])
        schedule.put(taken[0], clock(), taken[1])
    assert served.count("ann") == 20


def test_an_early_deadline_comes_before_later_ones_of_the_same_owner(clock: SettableClock) -> None:
    schedule, first, second = Schedule(clock), uuid4(), uuid4()
    schedule.put(second, NOON + 2, "ann")
    schedule.put(first, NOON + 1, "ann")
    clock.advance(5)
    assert [schedule.take(0), schedule.take(0)] == [(first, "ann"), (second, "ann")]


def test_waiting_for_a_due_match_ends_when_an_earlier_one_is_added(clock: SettableClock) -> None:
    schedule, match_id, taken = Schedule(clock), uuid4(), list[tuple[UUID, str] | None]()
    waiting = Thread(target=lambda: taken.append(schedule.take(SOON_S)))
    waiting.start()
    schedule.put(match_id, NOON)
    waiting.join()
    assert taken == [(match_id, "")]


def test_matches_without_a_clock_are_not_scheduled(
    new_process: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontor = new_process()
    worker = make_worker(kontor)
    worker.closing.clear()  # a worker that is not started schedules nothing
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    start_match(one, other)
    assert len(worker.schedule) == 0
    start_match(one, other, clock=PER_MOVE)
    assert len(worker.schedule) == 1
