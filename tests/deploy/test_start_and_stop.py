"""Starting without a database and stopping a busy service: clear messages and log lines, no tracebacks."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from kontor_client import KontorError
from tests.client.service import KONTOR, ROOT, Service, free_port
from tests.client.tables import GAMES, create_bot_match
from tests.support.postgres import Cluster
from tests.support.waiting import wait_until


def status_of(url: str) -> int:
    """The status of an answer; 0 if there is none."""
    try:
        with urlopen(url, timeout=30) as answer:  # noqa: S310  # our own
            return int(answer.status)
    except HTTPError as error:
        return error.code
    except (URLError, OSError):
        return 0


def read_log(service: Service) -> str:
    return service.log.read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_command_that_needs_the_database_immediately_reports_that_it_is_unavailable(command: str) -> None:
    environment = {**os.environ, "KONTOR_DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:1/kontor"}
    environment["KONTOR_DATABASE_WAIT_S"] = "0"
    port = ["--port", str(free_port())] if command == "serve" else []
    ended = subprocess.run(
        [KONTOR, command, *port], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1
    message = "Error: The database kontor on the PostgreSQL server 127.0.0.1:1 cannot be reached.\n"
    assert ended.stderr.endswith(message)
    assert "Traceback" not in ended.stdout + ended.stderr
    assert "hunter2" not in ended.stdout + ended.stderr


def test_a_server_that_refuses_is_named_as_what_it_is_and_not_waited_for() -> None:
    with Cluster.temporary(durable=False) as cluster:
        urls = {
            "There is no role nobody on it": cluster.url("postgres").replace("//postgres@", "//nobody@", 1),
            "There is no database nowhere on it": cluster.url("nowhere"),
        }
        for message, url in urls.items():
            ended = subprocess.run(
                [KONTOR, "serve", "--port", str(free_port()), "--database", url],
                cwd=ROOT, capture_output=True, text=True, timeout=50, check=False,
            )  # fmt: skip
            assert ended.returncode == 1
            assert message in ended.stderr
            assert "waiting_for_database" not in ended.stdout


def test_serve_waits_for_its_database_and_then_logs_nothing_but_json(tmp_path: Path) -> None:
    with Cluster.temporary(durable=False) as cluster:
        url = cluster.fresh_database()
        cluster.stop()
        service = Service(tmp_path, KONTOR_DATABASE_URL=url, KONTOR_LOG_FORMAT="json")
        try:
            service.start()
            wait_until(lambda: "waiting_for_database" in read_log(service))
            cluster.start()
            wait_until(lambda: status_of(f"{service.url}/readyz") == 200)
            assert service.end(signal.SIGTERM) == 0
        finally:
            service.kill()
    events = [json.loads(line)["event"] for line in read_log(service).splitlines()]
    assert {"waiting_for_database", "serving", "started", "server"} <= {*events}


class Node(Service):
    """A node as the image starts it: gunicorn, without creating tables first."""

    def __init__(self, folder: Path, database_url: str) -> None:
        super().__init__(folder, "work", KONTOR_DATABASE_URL=database_url, WEB_CONCURRENCY="1")
        self._environment["BIND"] = f"127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]


def test_nodes_and_workers_wait_for_a_database_that_is_unavailable_at_the_start(tmp_path: Path) -> None:
    with Cluster.temporary(durable=False) as cluster:
        url = cluster.fresh_database()
        migrated = subprocess.run(
            [KONTOR, "migrate", "--database", url], cwd=ROOT, capture_output=True, timeout=120
        )
        assert migrated.returncode == 0
        cluster.stop()
        node, worker = Node(tmp_path, url), Service(tmp_path, "work", KONTOR_DATABASE_URL=url)
        try:
            node.start()
            worker.start()
            wait_until(lambda: status_of(f"{node.url}/healthz") == 200)
            assert status_of(f"{node.url}/readyz") == 503
            assert status_of(f"{node.url}/v1/matches") == 503
            wait_until(lambda: "leadership_interrupted" in read_log(worker))
            cluster.start()
            wait_until(lambda: status_of(f"{node.url}/readyz") == 200)
            wait_until(lambda: '"leads":true' in read_log(worker) + read_log(node))
            with node.player() as ada:
                assert ada.match(create_bot_match(ada).id).status == "running"
            assert [service.end(signal.SIGTERM) for service in (node, worker)] == [0, 0]
        finally:
            node.kill()
            worker.kill()
    for service in (node, worker):
        assert "Traceback" not in read_log(service)
    reasons = [json.loads(line) for line in read_log(node).splitlines() if line.startswith("{")]
    assert {"waiting_for_database", "server"} <= {line["event"] for line in reasons}
    assert len(reasons) == len(read_log(node).splitlines())
    assert any(line["event"] == "database_unavailable" and line["reason"] for line in reasons)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_service_that_is_stopped_while_bots_and_players_play_shuts_down_gracefully(
    tmp_path: Path, how: signal.Signals
) -> None:
    service = Service(tmp_path)
    with service.running(), service.player(retry_s=0.1) as ada:
        matches = [create_bot_match(ada, game).id for game in GAMES * 3]
        made: list[int] = []

        def play() -> None:
            for turn in ada.turns(matches[0]):
                ada.play(turn.id, turn.legal_moves[-1], turn.version)
                made.append(turn.version)

        def play_until_the_service_stops() -> None:
            try:
                play()
            except (KontorError, OSError):
                return

        playing = Thread(target=play_until_the_service_stops)
        playing.start()
        wait_until(lambda: len(made) >= 2 or not playing.is_alive())
        assert service.end(how) == 0
        playing.join(60)
    assert "Traceback" not in read_log(service)
    assert '"event":"crash"' not in read_log(service)
    assert "thread_died" not in read_log(service)
