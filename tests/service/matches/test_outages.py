"""Time during an outage of the service is not charged to any player."""

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.log_leaves import OutageLeaf
from kontor_games.domain.match_facts import SeatTimedOut, TimeReturned
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.cli.verify_report import match_checks
from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import Outage, Reading
from kontor_games.service.stalls import Stalls
from kontor_games.service.store.database import Statement
from kontor_games.service.trust.audits import AuditTarget, audit_match
from kontor_games.service.trust.inclusion_check import read_inclusion, read_kept_note
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import LocalPlayer, logged_facts, start_match
from tests.service.trust.conftest import take_checkpoint
from tests.support.node import node, verdicts

FIVE_SECONDS = {"kind": "per_move", "ms": 5000}
BANK = {"kind": "bank", "ms": 5000, "increment_ms": 0}


class Process:
    """A process of the service whose heartbeats a test triggers, on the clock of the test."""

    def __init__(self, kontor: Kontor, clock: SettableClock, role: str = "serves") -> None:
        self.kontor = kontor
        self.player = LocalPlayer(kontor)
        outages = kontor.outages
        outages.role = role  # type: ignore[assignment]
        self.ahead_ms = 0
        """By how many ms the clock of the machine of this process is ahead."""
        outages._monotonic = lambda: clock.now / 1000
        outages._clock = lambda: clock.now + self.ahead_ms
        outages.shared_clock = lambda: Reading("shared", clock.now)
        self.used_ms = 0
        """The CPU time of this process, which runs no thread that measures stalls unless a test pulses."""
        outages._stalls = self.stalls = Stalls(lambda: clock.now / 1000, lambda: self.used_ms / 1000)

    def beat(self) -> None:
        self.kontor.outages.beat()


@pytest.fixture
def start(new_process: Callable[..., Kontor], clock: SettableClock) -> Callable[..., Process]:
    """Return a function that starts processes on one database."""
    first = new_process()
    first.database.write(("DELETE FROM service_heartbeat", ()), ("DELETE FROM outages", ()))
    return lambda role="serves": Process(new_process(), clock, role)


def serve_for(clock: SettableClock, ms: int, *processes: Process) -> None:
    """Advance the clock while the processes send heartbeats."""
    for _ in range(ms // 500):
        clock.advance(500)
        for process in processes:
            process.beat()


def returned_times(process: Process, match_id: str) -> list[TimeReturned]:
    return [h.fact for h in logged_facts(process.kontor, match_id) if isinstance(h.fact, TimeReturned)]


@pytest.mark.parametrize("on_timeout", ["bot", "forfeit"])
@pytest.mark.parametrize("who_first", ["player", "clock"])
def test_a_player_who_moved_at_once_does_not_lose_by_an_outage_longer_than_the_clock(
    start: Callable[..., Process], clock: SettableClock, who_first: str, on_timeout: str
) -> None:
    one = start()
    one.beat()
    ann, ben = one.player, LocalPlayer(one.kontor)
    match_id = start_match(ann, ben, clock=FIVE_SECONDS, on_timeout=on_timeout)
    serve_for(clock, 500, one)
    clock.advance(7000)  # no heartbeats; both players get 503 for the moves that they send at once
    if who_first == "clock":
        one.kontor.house.expire(UUID(match_id))
    clock.advance(2000)  # as Retry-After says
    for player in (ann, ben):
        player.play(match_id)
    assert returned_times(one, match_id) in (
        [TimeReturned(NOON + 500, NOON + 7500 + 2000)],
        [TimeReturned(NOON + 500, NOON + 9500 + 2000)],
    )
    facts = [happened.fact for happened in logged_facts(one.kontor, match_id)]
    assert not any(isinstance(fact, SeatTimedOut) for fact in facts)


def test_a_bank_does_not_run_down_during_an_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.beat()
    ann, ben = one.player, LocalPlayer(one.kontor)
    match_id = start_match(ann, ben, clock=BANK)
    serve_for(clock, 1000, one)
    clock.advance(60_000)
    one.beat()
    clock.advance(3000)
    ann.play(match_id)
    assert one.player.read_match(match_id).match.clock.remaining[0] == 5000 - 1000 - 1000


def test_only_the_part_of_an_outage_after_the_last_command_is_credited(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one, other = start(), start()
    one.beat()
    clock.advance(1000)
    match_id = start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS)
    clock.advance(4000)
    other.beat()
    assert other.kontor.outages.last == Outage(NOON, NOON + 5000)
    one.kontor.house.expire(UUID(match_id))
    assert returned_times(one, match_id) == [TimeReturned(NOON + 1000, NOON + 5000 + 2000)]


def test_while_one_process_serves_there_is_no_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one, other = start(), start()
    one.beat()
    serve_for(clock, 5000, one)
    other.beat()
    assert (one.kontor.outages.last, other.kontor.outages.last) == (None, None)


def test_two_processes_that_come_back_store_one_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one, other = start(), start()
    one.beat()
    other.beat()
    clock.advance(7000)
    one.beat()
    clock.advance(100)
    other.beat()
    assert one.kontor.outages.last == other.kontor.outages.last == Outage(NOON, NOON + 7000)


def test_two_that_come_back_in_the_same_millisecond_store_one_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one, other = start(), start()
    one.beat()
    other.beat()
    clock.advance(7000)
    write = one.kontor.database.write
    late = Reading("shared", clock.now + 2)

    def write_after_the_other(*statements: Statement) -> None:
        other.kontor.outages.shared_clock = lambda: late
        one.kontor.database.write = write  # type: ignore[method-assign]
        other.beat()
        write(*statements)

    one.kontor.database.write = write_after_the_other  # type: ignore[method-assign]
    one.beat()
    assert [tuple(row.values()) for row in one.kontor.database.read("SELECT since, until FROM outages")] == [
        (NOON - 2, NOON + 7000)
    ]


def test_a_restart_of_the_whole_service_is_an_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.beat()
    match_id = start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS)
    clock.advance(3_600_000)
    after = start()
    assert after.kontor.house.expire(UUID(match_id)) == NOON + 3_600_000 + 2000 + 5000
    assert returned_times(after, match_id) == [TimeReturned(NOON, NOON + 3_602_000)]


def test_a_clock_that_was_set_while_the_service_ran_makes_no_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    for jump in (0, 3_600_000, -7_200_000, 500):
        clock.advance(500)
        one.ahead_ms += jump
        one.beat()
    assert one.kontor.outages.last is None
    row = one.kontor.database.read("SELECT at FROM service_heartbeat")
    assert row == [{"at": clock.now + one.ahead_ms}], "and the heartbeat follows the clock"


@pytest.mark.parametrize("ahead_ms", [-3_600_000, -5000, 5000, 3_600_000])
def test_a_process_that_is_restarted_with_a_wrong_clock_makes_no_outage(
    start: Callable[..., Process], clock: SettableClock, ahead_ms: int
) -> None:
    one = start()
    serve_for(clock, 1000, one)
    clock.advance(700)
    again = start()
    again.ahead_ms = ahead_ms
    for _ in range(2):
        again.beat()
        clock.advance(600)
        one.beat()
    assert (one.kontor.outages.last, again.kontor.outages.last) == (None, None)


@pytest.mark.parametrize("ahead_ms", [-3_600_000, 5000, 3_600_000])
def test_the_length_of_an_outage_does_not_depend_on_the_clock_after_it(
    start: Callable[..., Process], clock: SettableClock, ahead_ms: int
) -> None:
    serve_for(clock, 1000, start())
    clock.advance(7000)
    again = start()
    again.ahead_ms = ahead_ms
    again.beat()
    now = clock.now + ahead_ms
    assert again.kontor.outages.last == Outage(now - 7000, now)


def test_an_outage_is_detected_although_the_clock_before_it_was_ahead(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.ahead_ms = 50_000
    one.beat()
    clock.advance(7000)
    again = start()
    again.beat()
    assert again.kontor.outages.last == Outage(NOON, NOON + 7000)


def test_a_worker_with_a_wrong_clock_knows_that_players_are_served(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    serving, worker = start(), start("watches")
    worker.ahead_ms = 60_000
    serve_for(clock, 1000, serving)
    worker.beat()
    clock.advance(2500)
    with pytest.raises(UnavailableError, match="No process serves players"):
        worker.beat()


def test_after_a_reboot_the_length_of_an_outage_is_taken_from_the_clocks_of_the_processes(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    start().beat()
    clock.advance(7000)
    again = start()
    again.kontor.outages.shared_clock = lambda: Reading("after the start", 1)
    again.beat()
    assert again.kontor.outages.last == Outage(NOON, NOON + 7000)


def test_a_process_that_is_busy_for_long_makes_no_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.stalls.pulse()
    one.beat()
    match_id = start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS)
    clock.advance(7000)
    one.used_ms += 6500
    one.kontor.house.expire(UUID(match_id))
    assert (one.kontor.outages.last, returned_times(one, match_id)) == (None, [])
    facts = [happened.fact for happened in logged_facts(one.kontor, match_id)]
    assert any(isinstance(fact, SeatTimedOut) for fact in facts)


def test_a_process_that_was_suspended_makes_an_outage(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.stalls.pulse()
    one.beat()
    clock.advance(7000)
    one.used_ms += 20
    one.beat()
    assert one.kontor.outages.last == Outage(NOON, NOON + 7000)


def test_a_database_that_fails_while_the_process_is_busy_makes_an_outage_without_the_stall(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.stalls.pulse()
    one.beat()
    clock.advance(1100)
    one.used_ms += 1100  # one second late
    for _ in range(60):  # the database does not answer; the other threads run on time
        one.stalls.pulse()
        clock.advance(100)
        one.used_ms += 100
    one.beat()
    assert one.kontor.outages.last == Outage(NOON + 1000, NOON + 7100)


def test_no_time_runs_out_while_no_process_serves_players(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    serving, worker = start(), start("watches")
    serving.beat()
    match_id = start_match(serving.player, LocalPlayer(serving.kontor), clock=FIVE_SECONDS)
    clock.advance(6000)
    with pytest.raises(UnavailableError, match="No process serves players"):
        worker.kontor.house.expire(UUID(match_id))
    serving.beat()
    clock.advance(1500)
    serving.beat()
    worker.kontor.house.expire(UUID(match_id))
    assert returned_times(worker, match_id) == [TimeReturned(NOON, NOON + 8000)]


def test_after_an_outage_every_match_with_a_running_clock_is_processed(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.beat()
    matches = [start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS) for _ in range(3)]
    worker = ClockWorker(one.kontor.house, one.kontor.feed, clock, one.kontor.outages)
    for after in (0, 1000, 7000):
        clock.advance(after)
        one.beat()
        worker.scan()
        processed = []
        while (taken := worker.schedule.take(0)) is not None:
            processed.append(str(taken[0]))
        assert set(matches) <= set(processed) if after != 1000 else processed == []


@pytest.mark.e2e
def test_a_match_with_an_outage_verifies_and_the_time_is_the_operators_word(
    start: Callable[..., Process], clock: SettableClock, tmp_path: Path
) -> None:
    one = start()
    one.beat()
    match_id = start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS)
    clock.advance(7000)
    one.player.play(match_id)
    one.player.do(match_id, Resign())
    content = one.kontor.exports.export(one.player.caller, match_id)
    verdict = verify(content, None, [])
    [returned] = returned_times(one, match_id)
    length = returned.until - returned.since
    assert (verdict.outages, verdict.returned_ms, verdict.logged_outages) == (1, length, None)
    [javascript] = verdicts(tmp_path, [content])
    assert (javascript["outages"], javascript["returned_ms"]) == (1, length)
    says = "only the operator says that the service was down"
    assert any(says in words for _, _, words in match_checks(verdict, ""))
    assert any(says in line for line in node(tmp_path / "0.ndjson")[1])
    assert audit_match(one.kontor.store, AuditTarget(UUID(match_id))).returned_ms == length


def test_an_outage_is_bound_in_the_log_for_all_matches_when_it_ends(
    start: Callable[..., Process], clock: SettableClock
) -> None:
    one = start()
    one.beat()
    match_id = start_match(one.player, LocalPlayer(one.kontor), clock=FIVE_SECONDS)
    log = one.kontor.checkpoints
    log.take_if_due()
    clock.advance(7000)
    one.player.play(match_id)
    log.take_if_due()  # although a minute is not over
    assert OutageLeaf(*one.kontor.outages.last or (0, 0)) in list(log.leaves())
    one.player.do(match_id, Resign())
    kept = take_checkpoint(one.kontor)
    answer = {"size": kept.size, **log.inclusion(match_id, kept.size).plain()}
    answer["keys"] = [key.plain() for key in log.keys(kept.size)]
    content = one.kontor.exports.export(None, match_id)
    answer["outages"] = [outage.plain() for outage in log.outages(kept.size, NOON, clock.now)]
    verdict = verify(content, None, log=read_inclusion(answer, *read_kept_note(kept.note)))
    assert (verdict.outages, verdict.logged_outages) == (1, 1)
    answer["outages"] = []  # as if it had been invented for this match
    with pytest.raises(
        BrokenFileError, match="1 of 1 times given back to clocks lie in no outage of the log"
    ):
        verify(content, None, log=read_inclusion(answer, *read_kept_note(kept.note)))


@pytest.mark.parametrize(("limit", "given"), [(0, []), (3000, [3000]), (None, [9000])])
def test_a_match_gets_back_at_most_the_time_that_its_creator_has_chosen(
    start: Callable[..., Process], clock: SettableClock, limit: int | None, given: list[int]
) -> None:
    one = start()
    one.beat()
    ann = one.player
    match_id = start_match(ann, LocalPlayer(one.kontor), clock=FIVE_SECONDS, max_returned_ms=limit)
    clock.advance(7000)
    one.kontor.house.expire(UUID(match_id))
    assert [time.until - time.since for time in returned_times(one, match_id)] == given
    facts = [happened.fact for happened in logged_facts(one.kontor, match_id)]
    assert any(isinstance(fact, SeatTimedOut) for fact in facts) == (limit == 0)
    verify(one.kontor.exports.export(ann.caller, match_id), None)
