"""Servers of a killed test run end, and its files are removed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.memory_disk import remove_left_behind
from tests.support.postgres import is_alive
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
A_RUN = """
import sys, tempfile
from pathlib import Path
from tests.client.service import Service
from tests.support.proxy import proxy
from tests.support.serving import children_of, served
folder = Path(sys.argv[1])
service = Service(folder)
with served(f"sqlite:///{folder}/served.db") as server, service.running(), proxy(folder, [server.port]):
    import os
    print(*[pid for one in children_of(os.getpid()) for pid in (one, *children_of(one))], flush=True)
    sys.stdin.read()
"""


def test_the_servers_of_a_killed_run_end(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", A_RUN, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as run:
        assert run.stdout is not None
        pids = [int(pid) for pid in run.stdout.readline().split()]
        assert len(pids) >= 5, "gunicorn and two workers, `kontor serve`, nginx"
        assert all(map(is_alive, pids))
        os.kill(run.pid, signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, pids)))


def test_the_files_of_a_run_that_has_ended_are_removed_by_the_next_one(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    for name in (
        f"kontor-run-{ended.pid}-a1",
        f"kontor-run-{os.getpid()}-b2",
        "kontor-run-c3",
        "others-1-d4",
    ):
        (tmp_path / name / "data").mkdir(parents=True)
    remove_left_behind(tmp_path)
    assert {folder.name for folder in tmp_path.iterdir()} == {
        f"kontor-run-{os.getpid()}-b2", "kontor-run-c3", "others-1-d4"
    }  # fmt: skip
