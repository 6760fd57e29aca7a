"""A Dask cluster on this machine: a scheduler and two workers, each a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kontor_games.service.arena import Contest, cluster, outcomes
from kontor_games.service.arena.cluster import ClusterError, cluster_outcomes, play_chunk
from kontor_games.service.arena.journal import encode_outcome
from tests.service.arena.test_arena import fair_contest
from tests.support.serving import free_port

pytestmark = pytest.mark.e2e

if TYPE_CHECKING:
    from distributed import Client

CONTEST = fair_contest("random", "greedy", "random")


@contextmanager
def dask(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def worker(address: str) -> Any:
    words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return dask("worker", address, *words)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    port = str(free_port())
    with dask("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"):
        yield f"tcp://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def client(scheduler: str) -> Iterator["Client"]:
    from distributed import Client  # slow to import

    with Client(scheduler, timeout=60, set_as_default=False) as connected:
        yield connected


@pytest.fixture(scope="module")
def address(scheduler: str, client: "Client") -> Iterator[str]:
    with pytest.raises(ClusterError, match="The cluster has no workers"):
        list(cluster_outcomes(CONTEST, 3, scheduler))
    with worker(scheduler), worker(scheduler):
        client.wait_for_workers(2, timeout=120)
        yield scheduler


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide the matches into many small tasks, all of them for workers."""
    monkeypatch.setattr(cluster, "_MEASURED_S", 0)
    monkeypatch.setattr(cluster, "_MAX_CHUNK", 7)
    monkeypatch.setattr(cluster, "_SAMPLE", 3)


@pytest.mark.usefixtures("small_chunks")
def test_a_cluster_gives_the_outcomes_of_one_process_byte_by_byte(address: str) -> None:
    played = [encode_outcome(one) for one in cluster_outcomes(CONTEST, 100, address)]
    assert played == [encode_outcome(one) for one in outcomes(CONTEST, 100)]


@pytest.mark.usefixtures("small_chunks")
def test_a_run_resumes_where_its_journal_ends(address: str) -> None:
    assert list(cluster_outcomes(CONTEST, 40, address, first=25)) == list(outcomes(CONTEST, 40, first=25))


@pytest.mark.usefixtures("small_chunks")
def test_a_killed_worker_does_not_change_the_outcomes(address: str, client: "Client") -> None:
    with worker(address) as third:
        client.wait_for_workers(3, timeout=120)
        run = cluster_outcomes(CONTEST, 150, address)
        played = [next(run) for _ in range(30)]
        os.kill(third.pid, signal.SIGKILL)
        played += run
    assert played == list(outcomes(CONTEST, 150))


def pretend_other_code() -> None:
    """Run on a worker: report another hash of the code."""
    cluster._code_hash = lambda: "other"  # type: ignore[assignment]


def restore_code() -> None:
    from importlib import reload

    reload(cluster)


def test_a_worker_with_other_code_is_refused_before_it_plays(address: str, client: "Client") -> None:
    one = next(iter(client.nthreads()))
    client.run(pretend_other_code, workers=[one])
    try:
        with pytest.raises(ClusterError, match=f"Worker {one} has other code or data"):
            list(cluster_outcomes(CONTEST, 3, address))
        failed = client.submit(
            play_chunk, CONTEST, [0], cluster.fingerprint(CONTEST), workers=[one], pure=False
        )
        assert type(failed.exception(timeout=60)).__name__ == "_OtherCodeError"
    finally:
        client.run(restore_code, workers=[one])


def play_dishonestly() -> None:
    """Run on a worker: report outcomes of other matches."""
    honest = Contest.outcome
    Contest.honest = honest  # type: ignore[attr-defined]
    Contest.outcome = lambda self, number: honest(self, number + 1)  # type: ignore[method-assign]


def play_honestly() -> None:
    Contest.outcome = Contest.honest  # type: ignore[attr-defined, method-assign]


@pytest.mark.usefixtures("small_chunks")
def test_a_worker_that_reports_wrong_outcomes_is_found_by_the_sample(address: str, client: "Client") -> None:
    client.run(play_dishonestly)
    try:
        with pytest.raises(ClusterError, match="reported another outcome of match"):
            list(cluster_outcomes(CONTEST, 60, address))
    finally:
        client.run(play_honestly)


def test_an_own_bot_in_python_plays_if_the_workers_have_the_same_file(address: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "class First:\n    def choose(self, seat, view, legal_moves):\n        return legal_moves[0]\n"
    )
    contest = fair_contest(f"mine={tmp_path}/bot.py:First", "random")
    assert list(cluster_outcomes(contest, 4, address)) == list(outcomes(contest, 4))


@pytest.mark.parametrize("bots", [("mine=exec:cat", "random"), ("mine=http://127.0.0.1:1/", "random")])
def test_bots_that_run_elsewhere_are_refused(bots: Sequence[str]) -> None:
    with pytest.raises(ClusterError, match="can't play on a cluster"):
        list(cluster_outcomes(fair_contest(*bots), 3, "tcp://127.0.0.1:1"))


def test_an_error_names_an_unreachable_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_S", 1)
    with pytest.raises(ClusterError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1\."):
        list(cluster_outcomes(CONTEST, 3, "tcp://127.0.0.1:1"))


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'kontor-games\[cluster\]'"):
        list(cluster_outcomes(CONTEST, 3, "tcp://127.0.0.1:1"))
