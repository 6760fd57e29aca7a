"""Exactly one process leads; when it stops, another takes over."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

import psycopg
import pytest

from kontor_games.service.background import leader as leader_module
from kontor_games.service.background.leader import FileLeaderLock, Leader, PostgresLeaderLock
from kontor_games.service.kontor import Kontor
from kontor_games.service.threads import ThreadGroup
from tests.service.tables import LocalPlayer, bot
from tests.support.auditing import audit_all
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3]


class RecordingTask(ThreadGroup):
    """A task that records when it is started, closed and restarted."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []

    def start(self) -> None:
        self.log.append("started")

    def close(self) -> None:
        self.log.append("closed")

    def restart_dead(self) -> None:
        self.log.append("restarted")

    @property
    def changes(self) -> list[str]:
        return [word for word in self.log if word != "restarted"]


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leader_module, "_PAUSE_S", 0.05)


@pytest.fixture
def candidate(store_url: str) -> Iterator[Callable[[], tuple[Leader, RecordingTask]]]:
    """Return a function that starts leaders which compete for one database."""
    made: list[Leader] = []

    def make() -> tuple[Leader, RecordingTask]:
        task = RecordingTask()
        path = Path(store_url.removeprefix("sqlite:///") + ".lead")
        made.append(
            Leader(
                PostgresLeaderLock(store_url) if store_url.startswith("postgresql") else FileLeaderLock(path),
                [task],
            )
        )
        made[-1].start()
        return made[-1], task

    yield make
    for leader in made:
        leader.close()


Candidate = Callable[[], tuple[Leader, RecordingTask]]


def test_one_process_leads_and_the_others_wait(candidate: Candidate) -> None:
    first, task = candidate()
    wait_until(first.leads.is_set)
    others = [candidate() for _ in range(3)]
    wait_until(lambda: task.log.count("restarted") >= 3)
    assert task.changes == ["started"]
    assert [other.leads.is_set() for other, _ in others] == [False] * 3
    assert [waiting.log for _, waiting in others] == [[]] * 3


def test_when_the_leader_stops_another_process_takes_over(candidate: Candidate) -> None:
    first, task = candidate()
    wait_until(first.leads.is_set)
    second, _ = candidate()
    first.close()
    assert task.changes == ["started", "closed"]
    wait_until(second.leads.is_set)


HOLDER = """
import sys
from pathlib import Path
from kontor_games.service.background.leader import FileLeaderLock, PostgresLeaderLock
url = sys.argv[1]
path = Path(url.removeprefix("sqlite:///") + ".lead")
lock = PostgresLeaderLock(url) if url.startswith("postgresql") else FileLeaderLock(path)
print(lock.acquire(), flush=True)
sys.stdin.readline()
"""


@pytest.mark.slow
def test_when_the_leader_is_killed_another_process_takes_over(candidate: Candidate, store_url: str) -> None:
    command = [sys.executable, "-c", HOLDER, store_url]
    holder = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    leader, task = candidate()
    assert not leader.leads.wait(0.3)
    holder.kill()
    holder.communicate()
    wait_until(leader.leads.is_set)
    assert task.changes == ["started"]


CONFIRMING_HOLDER = HOLDER.replace(
    "sys.stdin.readline()",
    """
import time
while True:
    time.sleep(0.05)
    began = time.monotonic()
    print(began, lock.acquire(), time.monotonic(), flush=True)
""",
)


def record_attempts(leader: Leader, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list that grows by the time of each attempt of this leader to acquire the lock."""
    attempts, acquire = list[float](), leader._lock.acquire

    def recorded_acquire() -> bool:
        attempts.append(time.monotonic())
        return acquire()

    monkeypatch.setattr(leader._lock, "acquire", recorded_acquire)
    return attempts


def longest_gap_s(confirmations: IO[str], until: float) -> float:
    """Read confirmations until one that began after `until`; return the longest possible time between two."""
    longest, before = 0.0, None
    for line in confirmations:
        began, _, ended = line.split()
        longest = max(longest, float(ended) - (before or float(began)))
        before = float(began)
        if before > until:
            return longest
    raise AssertionError("the holder of the lock has ended")


@pytest.mark.slow
def test_a_frozen_leader_is_replaced_and_does_not_lead_when_it_wakes(
    candidate: Candidate, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen_s = 4.0
    monkeypatch.setattr(leader_module, "FROZEN_S", frozen_s)
    command = [sys.executable, "-c", CONFIRMING_HOLDER, store_url]
    frozen = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert frozen.stdout is not None
    try:
        assert frozen.stdout.readline() == "True\n"
        leader, task = candidate()
        attempts = record_attempts(leader, monkeypatch)
        held_long = time.monotonic() + frozen_s + 1
        wait_until(lambda: sum(began > held_long for began in attempts) >= 2)
        leads, checked_at = leader.leads.is_set(), time.monotonic()
        is_slow = longest_gap_s(frozen.stdout, checked_at) >= frozen_s
        assert is_slow or not leads, "a leader that confirms its lock is left alone"
        frozen.send_signal(signal.SIGSTOP)
        wait_until(leader.leads.is_set)
        frozen.send_signal(signal.SIGCONT)
        assert "False" in (frozen.stdout.readline().split()[1] for _ in range(200))
        assert (leader.leads.is_set(), task.changes) == (True, ["started"])
    finally:
        frozen.kill()
        frozen.communicate()


def test_two_processes_that_both_act_as_the_leader_do_no_harm(
    store_url: str, serve: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresLeaderLock, "acquire", lambda _: True)
    monkeypatch.setattr(FileLeaderLock, "acquire", lambda _: True)
    kontors = [serve(store_url), serve(store_url)]
    for kontor in kontors:
        kontor.start()
    player = LocalPlayer(kontors[0])
    matches = [player.create(bot(), bot()) for _ in range(3)]
    for match in matches:
        wait_until(lambda match=match: kontors[1].queries.visible_match(None, match).match.over)  # type: ignore[misc]
    assert audit_all(kontors[0]).problems == []


def two_more_changes(tasks: list[RecordingTask]) -> Callable[[], bool]:
    """Return a condition: two more changes have been recorded than now."""
    before = sum(len(task.changes) for task in tasks)
    return lambda: sum(len(task.changes) for task in tasks) >= before + 2


def test_a_leader_whose_connection_is_cut_stops_and_one_process_leads_again(database_url: str) -> None:
    tasks = [RecordingTask(), RecordingTask()]
    leaders = [Leader(PostgresLeaderLock(database_url), [task]) for task in tasks]
    with closing(leaders[0]), closing(leaders[1]):
        for leader in leaders:
            leader.start()
        wait_until(lambda: any(leader.leads.is_set() for leader in leaders))
        with psycopg.connect(database_url, autocommit=True) as connection:
            for _ in range(3):
                led_again = two_more_changes(tasks)
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                )
                wait_until(led_again)
        wait_until(lambda: sum(leader.leads.is_set() for leader in leaders) == 1)
    assert all(task.changes == ["started", "closed"] * (len(task.changes) // 2) for task in tasks), (
        "no task was started twice or closed twice"
    )


def test_a_leader_waits_for_an_unavailable_database(tmp_path: Path) -> None:
    leader = Leader(PostgresLeaderLock(f"postgresql://postgres@/nowhere?host={tmp_path}"), [])
    leader.start()
    assert not leader.leads.wait(0.3)
    leader.restart_dead()
    leader.close()


def test_house_bots_of_another_process_move_after_the_leader_has_stopped(
    store_url: str, serve: Callable[..., Kontor]
) -> None:
    kontors = [serve(store_url), serve(store_url)]
    for kontor in kontors:
        kontor.start()
    first = LocalPlayer(kontors[1]).create(bot(), bot())
    wait_until(lambda: kontors[1].queries.visible_match(None, first).match.over)
    kontors[0].close()
    second = LocalPlayer(kontors[1]).create(bot(), bot())
    wait_until(lambda: kontors[1].queries.visible_match(None, second).match.over)
