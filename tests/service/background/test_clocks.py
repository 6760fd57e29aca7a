"""Clocks: the leader records time-outs as facts, and no player gains or loses time by a restart."""

from collections.abc import Callable
from threading import Thread
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.match_facts import MatchFinished, SeatTimedOut
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.background.schedule import Schedule
from kontor_games.service.kontor import Kontor
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import ME, OPEN, Guest, fair_state, logged_facts, stored_rows, table
from tests.support.waiting import SOON_S, wait_until

PER_MOVE = {"kind": "per_move", "ms": 1000}
BANK = {"kind": "bank", "ms": 1000, "increment_ms": 200}


def timed_out(kontor: Kontor, match_id: str) -> list[tuple[int, SeatTimedOut]]:
    """The time-outs of a match, with their moments after the beginning."""
    return [(h.at - NOON, h.fact) for h in logged_facts(kontor, match_id) if isinstance(h.fact, SeatTimedOut)]


@pytest.fixture
def pair(hall: Callable[..., Kontor]) -> tuple[Guest, Guest]:
    kontor = hall()
    return Guest(kontor), Guest(kontor)


def expire(guest: Guest, match_id: str) -> int | None:
    return guest.kontor.house.expire(UUID(match_id))


# --- time-outs ----------------------------------------------------------------------------------------------


def test_nothing_happens_before_the_deadline(pair: tuple[Guest, Guest], clock: SettableClock) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    clock.pass_by(999)
    assert expire(pair[0], match_id) == NOON + 1000
    assert timed_out(pair[0].kontor, match_id) == []


def test_when_time_is_up_a_move_is_made_for_the_absent_player(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    clock.pass_by(600)
    pair[0].play(match_id)
    clock.pass_by(400)
    pair[0].kontor.house.expire(UUID(match_id))
    assert timed_out(pair[0].kontor, match_id) == [(1000, SeatTimedOut(1, "bot"))]
    match = pair[0].look(match_id).match
    assert fair_state(match).holder is not None, "both cards lie: the second was laid by the house"


def test_when_time_is_up_the_absent_player_forfeits_if_the_match_says_so(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=PER_MOVE, on_timeout="forfeit")
    pair[1].play(match_id)
    clock.pass_by(1000)
    assert expire(pair[0], match_id) is None
    events = logged_facts(pair[0].kontor, match_id)
    assert events[-2].fact == SeatTimedOut(0, "forfeit")
    assert isinstance(events[-1].fact, MatchFinished)
    assert events[-1].fact.places == (2, 1)


def test_a_bank_runs_down_over_several_moves_and_grows_by_the_increment(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=BANK)
    clock.pass_by(700)
    for guest in pair:
        guest.play(match_id)
    assert pair[0].look(match_id).match.clock.remaining == [500, 500]
    holder = fair_state(pair[0].look(match_id).match).holder
    assert holder is not None
    assert expire(pair[0], match_id) == NOON + 1200
    clock.pass_by(500)
    expire(pair[0], match_id)
    assert timed_out(pair[0].kontor, match_id)[0] == (1200, SeatTimedOut(holder, "bot"))


def test_all_seats_whose_time_is_up_are_recorded(pair: tuple[Guest, Guest], clock: SettableClock) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    clock.pass_by(1000)
    expire(pair[0], match_id)
    assert [seat.seat for _, seat in timed_out(pair[0].kontor, match_id)] == [0, 1]


def test_a_match_without_a_clock_has_no_deadline(pair: tuple[Guest, Guest], clock: SettableClock) -> None:
    match_id = table(*pair)
    clock.pass_by(10**9)
    assert expire(pair[0], match_id) is None
    assert timed_out(pair[0].kontor, match_id) == []


def test_time_that_passed_without_a_clock_worker_is_charged_once(
    hall: Callable[..., Kontor], clock: SettableClock
) -> None:
    before = hall()
    one, other = Guest(before), Guest(before)
    match_id = table(one, other, clock=PER_MOVE)
    one.play(match_id)
    before.close()
    clock.pass_by(60_000)
    after = hall()
    deadline = after.house.expire(UUID(match_id))
    assert timed_out(after, match_id) == [(60_000, SeatTimedOut(1, "bot"))]
    assert deadline == NOON + 61_000, "whoever is waited for now has all their time"


# --- late moves ---------------------------------------------------------------------------------------------


def test_a_move_that_comes_too_late_is_refused_and_the_time_out_recorded(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    move = pair[0].legal(match_id)[0]
    clock.pass_by(1000)
    with pytest.raises(TimeIsUpError):
        pair[0].play(match_id, move)
    assert (1000, SeatTimedOut(0, "bot")) in timed_out(pair[0].kontor, match_id)


def test_a_move_in_the_last_moment_counts(pair: tuple[Guest, Guest], clock: SettableClock) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    clock.pass_by(999)
    pair[0].play(match_id)
    assert timed_out(pair[0].kontor, match_id) == []


def test_a_process_with_an_old_version_does_not_refuse_a_move_in_time(
    hall: Callable[..., Kontor], clock: SettableClock
) -> None:
    here, there = hall(), hall()
    one, other = Guest(here), Guest(here)
    match_id = table(one, other, clock=PER_MOVE)
    there.cache.get(UUID(match_id))  # and is not notified there
    clock.pass_by(900)
    one.play(match_id)
    other.play(match_id)
    holder = one if fair_state(here.cache.get(UUID(match_id)).match).holder == 0 else other
    clock.pass_by(900)
    holder.at(there).play(match_id, {"type": "close_fair"})
    assert timed_out(here, match_id) == []


def test_a_retry_of_a_move_that_was_in_time_is_answered_although_time_is_up_now(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    move = pair[0].legal(match_id)[0]
    first = pair[0].play(match_id, move, key="same")
    clock.pass_by(5000)
    again = pair[0].play(match_id, move, key="same")
    assert (again.replayed, again.facts, again.match.version) == (True, first.facts, first.match.version)


def test_a_retry_is_answered_if_another_process_stores_the_move_in_time_meanwhile(
    hall: Callable[..., Kontor], clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = hall(), hall()
    one, other = Guest(here), Guest(here)
    match_id = table(one, other, clock=PER_MOVE)
    move = one.legal(match_id)[0]
    expire_there = there.house.expire
    clock.pass_by(1000)

    def store_it_before(id_: UUID) -> int | None:
        monkeypatch.setattr(there.house, "expire", expire_there)
        clock.pass_by(-1)
        one.play(match_id, move, key="same")
        clock.pass_by(1)
        return expire_there(id_)

    monkeypatch.setattr(there.house, "expire", store_it_before)
    again = one.at(there).play(match_id, move, key="same")
    first = one.play(match_id, move, key="same")
    assert (again.replayed, again.facts, again.match.version) == (True, first.facts, first.match.version)


def test_a_player_can_resign_after_the_opponents_time_ran_out(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = table(*pair, clock=PER_MOVE)
    clock.pass_by(1000)
    pair[0].do(match_id, Resign())
    assert pair[0].look(match_id).match.status == "finished"
    assert len(timed_out(pair[0].kontor, match_id)) == 2


# --- the clock worker ---------------------------------------------------------------------------------------


@pytest.fixture
def make_worker(hall: Callable[..., Kontor], clock: SettableClock) -> Callable[[Kontor], ClockWorker]:
    """A clock worker that scans often."""

    def make(kontor: Kontor) -> ClockWorker:
        worker = ClockWorker(kontor.house, kontor.feed, clock, kontor.outages)
        worker.scan_interval_s = 0.05
        return worker

    return make


def both_timed_out(kontor: Kontor, match_id: str) -> Callable[[], bool]:
    """Whether the time of both players is up by now."""
    return lambda: len(timed_out(kontor, match_id)) == 2


def test_the_clock_worker_records_a_time_out_at_the_deadline(
    hall: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontor = hall()
    one, other = Guest(kontor), Guest(kontor)
    worker = make_worker(kontor)
    worker.start()
    match_id = table(one, other, clock=PER_MOVE)
    clock.pass_by(1000)
    wait_until(lambda: len(timed_out(kontor, match_id)) == 2)
    worker.close()


def test_the_clock_worker_processes_matches_created_before_its_start(
    hall: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    before, after = hall(), hall()
    one, other = Guest(before), Guest(before)
    match_id = table(one, other, clock=BANK)
    worker = make_worker(after)
    worker.start()
    clock.pass_by(999)
    one.play(match_id)  # nobody tells the other process
    clock.pass_by(1)
    wait_until(lambda: (1000, SeatTimedOut(1, "bot")) in timed_out(before, match_id))
    worker.close()
    assert timed_out(before, match_id)[0] == (1000, SeatTimedOut(1, "bot"))


def test_two_clock_workers_record_each_time_out_once(
    hall: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontors = [hall(), hall()]
    one, other = Guest(kontors[0]), Guest(kontors[1])
    workers = [make_worker(kontor) for kontor in kontors]
    for worker in workers:
        worker.start()
    match_ids = [table(one, other, clock=PER_MOVE) for _ in range(4)]
    clock.pass_by(1000)
    for match_id in match_ids:
        wait_until(both_timed_out(kontors[0], match_id))
    for worker in workers:
        worker.close()
    for match_id in match_ids:
        rows = [row["topic"] for row in stored_rows(kontors[0], match_id)]
        assert rows.count("match.time_out") == 2


def test_contributions_that_are_not_opened_in_time_end_the_match(
    pair: tuple[Guest, Guest], clock: SettableClock
) -> None:
    match_id = pair[0].create(OPEN, OPEN, sealed=True)
    for guest in pair:
        guest.join(match_id, contribution="0" * 64)
    deadline = expire(pair[0], match_id)
    assert deadline is not None
    clock.pass_by(deadline - NOON)
    expire(pair[0], match_id)
    assert pair[0].look(match_id).match.status == "aborted"


# --- the schedule -------------------------------------------------------------------------------------------


def test_the_schedule_returns_due_matches_in_order(clock: SettableClock) -> None:
    schedule, early, late = Schedule(clock), uuid4(), uuid4()
    schedule.put(late, NOON + 20)
    schedule.put(early, NOON + 10)
    assert schedule.take(0) is None
    clock.pass_by(20)
    assert [schedule.take(0), schedule.take(0), schedule.take(0)] == [(early, ""), (late, ""), None]


def test_a_due_time_is_moved_earlier_but_never_later(clock: SettableClock) -> None:
    schedule, match_id = Schedule(clock), uuid4()
    schedule.put(match_id, NOON + 20)
    schedule.put(match_id, NOON + 10)
    schedule.put(match_id, NOON + 30)
    clock.pass_by(10)
    assert schedule.take(0) == (match_id, "")
    clock.pass_by(100)
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
    """As with house bots: each move makes the match due again."""
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
    clock.pass_by(5)
    assert [schedule.take(0), schedule.take(0)] == [(first, "ann"), (second, "ann")]


def test_waiting_for_a_due_match_ends_when_an_earlier_one_is_added(clock: SettableClock) -> None:
    schedule, match_id, taken = Schedule(clock), uuid4(), list[tuple[UUID, str] | None]()
    waiting = Thread(target=lambda: taken.append(schedule.take(SOON_S)))
    waiting.start()
    schedule.put(match_id, NOON)
    waiting.join()
    assert taken == [(match_id, "")]


def test_matches_without_a_clock_are_not_scheduled(
    hall: Callable[..., Kontor], make_worker: Callable[[Kontor], ClockWorker], clock: SettableClock
) -> None:
    kontor = hall()
    worker = make_worker(kontor)
    guest = Guest(kontor)
    guest.create(ME, OPEN)
    assert len(worker.schedule) == 0
