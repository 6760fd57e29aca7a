"""A whole installation without containers: two API nodes, two workers and a proxy on one PostgreSQL.

The tests kill its parts one by one.
"""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from kontor_client import Kontor, KontorError
from tests.client.service import KONTOR, ROOT, Service
from tests.client.tables import GAMES, create_bot_match
from tests.support.installation import Installation, installed, leader
from tests.support.postgres import Cluster, find_binaries
from tests.support.proxy import NGINX

GAME = GAMES[-1]
TIMEOUT_S = 300.0


@pytest.fixture(autouse=True)
def _state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients keep their files in a temporary folder instead of the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, postgres_cluster: Cluster
) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("installation")
    database_url = postgres_cluster.fresh_database()
    with ExitStack() as stack:
        stack.callback(postgres_cluster.drop_database, database_url)
        subprocess.run(
            [str(KONTOR), "migrate"],
            env={"KONTOR_DATABASE_URL": database_url},
            check=True,
            capture_output=True,
        )
        yield stack.enter_context(installed(folder, database_url))


def play_on(player: Kontor, match: str, moves: int = 10_000) -> int:
    """Play at most this many moves, or to the end; return how many."""
    made = 0
    for turn in islice(player.turns(match), moves):
        player.play(turn.id, turn.legal_moves[-1], turn.version)
        made += 1
    return made


def test_a_match_is_played_through_the_proxy_and_every_node_serves_requests(
    installation: Installation,
) -> None:
    with installation.player() as ada:
        match = create_bot_match(ada, GAME)
        assert play_on(ada, match.id) > 3
        assert ada.match(match.id).status == "finished"
    for node in installation.nodes:
        with urlopen(f"{node.url}/metrics") as metrics:  # noqa: S310  # our own
            operations = set(re.findall(r'requests_total\{operation="(\w+)"', metrics.read().decode()))
        assert operations & {"list_events", "play_moves"}


def test_a_fresh_account_registers_its_key_and_plays_at_once_whichever_node_answers(
    installation: Installation,
) -> None:
    for number in range(10):
        with closing(Kontor(installation.url)) as fresh:
            fresh.sign_in(f"Fresh {number}")
            match = create_bot_match(fresh, GAME)
            assert play_on(fresh, match.id, moves=2) == 2
            assert any(seat["key"] for seat in fresh.match(match.id).data["seats"])
            fresh.connection.command("DELETE", "/v1/me/key")
            assert fresh.me().public_key is None
            game = {"game": GAME, "seats": [{"type": "open"}] * 3}
            opened = fresh.connection.command("POST", "/v1/matches", game)
            fresh.connection.command("POST", f"/v1/matches/{opened['id']}/seats", {})


def test_the_proxy_forwards_each_fact_of_a_stream_immediately(installation: Installation) -> None:
    with installation.player() as ada, installation.player() as watcher:
        match = create_bot_match(ada, GAME)
        arrived: dict[int, float] = {}

        def watch() -> None:
            for event in watcher.events(match.id):
                arrived[event.version] = time.monotonic()

        watching = Thread(target=watch)
        watching.start()
        answered = []
        for turn in ada.turns(match.id):
            answered.append(ada.play(turn.id, turn.legal_moves[-1], turn.version).version)
            time.sleep(0.02)
        ended = time.monotonic()
        watching.join(TIMEOUT_S)
        in_time = [version for version in answered if arrived[version] < ended]
        assert len(in_time) > len(answered) / 2, "a buffering proxy would send everything at the end"
        assert list(arrived) == list(range(1, ada.match(match.id).version + 1))


def test_errors_of_the_proxy_itself_are_problems_too(installation: Installation) -> None:
    with installation.player() as ada:
        with pytest.raises(KontorError) as hidden:
            ada.connection.get("/metrics")
        assert (hidden.value.status, hidden.value.code) == (404, "not_found")
        for size in (100_000, 300_000):  # refused by the service, and by the proxy
            with pytest.raises(KontorError) as refused:
                ada.register("x" * size)
            assert (refused.value.status, refused.value.code) == (413, "body_too_large")


def test_when_the_leading_worker_is_killed_the_other_takes_over(installation: Installation) -> None:
    with installation.player() as ada:
        match = create_bot_match(ada, GAME)
        play_on(ada, match.id, moves=3)
        first = leader(installation.workers)
        first.end(signal.SIGKILL)
        began = time.monotonic()
        assert play_on(ada, match.id) > 0
        assert ada.match(match.id).status == "finished"
        assert leader(installation.workers) is not first
        assert time.monotonic() - began < TIMEOUT_S
        first.start()


def test_a_worker_stops_gracefully_and_another_leads(
    installation: Installation,
) -> None:
    first = leader(installation.workers)
    assert first.end(signal.SIGTERM) == 0
    assert leader(installation.workers) is not first
    first.start()


def test_when_a_node_is_killed_the_other_serves_all_requests(installation: Installation) -> None:
    with installation.player() as ada:
        match = create_bot_match(ada, GAME)
        for number, turn in enumerate(ada.turns(match.id)):
            if number == 1:
                installation.nodes[0].end(signal.SIGKILL)
            ada.play(turn.id, turn.legal_moves[-1], turn.version)
        assert number > 1
        assert ada.match(match.id).status == "finished"
    installation.nodes[0].start()
    installation.nodes[0].wait_until_ready()


RUNBOOK = (ROOT / "deploy" / "RUNBOOK.md").read_text(encoding="utf-8")


def run_as_the_runbook_says(command: str, database_url: str, container: str = "exec -T work") -> str:
    """Run a command that the runbook gives in a container; return its output."""
    assert f"docker compose {container} kontor {command}\n" in RUNBOOK
    environment = {"KONTOR_DATABASE_URL": database_url}
    return subprocess.run(
        [KONTOR, *command.split()], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_a_backup_restored_elsewhere_holds_every_match_and_passes_the_audit(
    installation: Installation, postgres_cluster: Cluster, tmp_path: Path
) -> None:
    with installation.player() as ada:
        match = create_bot_match(ada, GAME)
        play_on(ada, match.id)
        dump = tmp_path / "kontor.dump"
        programs = find_binaries()
        subprocess.run(
            [programs / "pg_dump", "--format=custom", f"--file={dump}", installation.database_url], check=True
        )
        restored = postgres_cluster.fresh_database()
        subprocess.run(
            [programs / "pg_restore", "--exit-on-error", "--no-owner", f"--dbname={restored}", str(dump)],
            check=True,
        )
        elsewhere = Service(tmp_path, KONTOR_DATABASE_URL=restored)
        with elsewhere.running(), closing(Kontor(elsewhere.url, ada.connection.token)) as again:
            assert again.match(match.id).data == ada.match(match.id).data
        assert re.search(r"([1-9]\d*) of \1 match", run_as_the_runbook_says("audit --all", restored))
        assert "signs from" in run_as_the_runbook_says("keys rotate", restored, "run --rm migrate")
        postgres_cluster.drop_database(restored)


def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    text = (
        (ROOT / "deploy" / "nginx.conf")
        .read_text(encoding="utf-8")
        .replace("server api:8000", "server 127.0.0.1:8000")
    )
    (tmp_path / "nginx.conf").write_text(text.replace("/tmp/", f"{tmp_path}/"), encoding="utf-8")  # noqa: S108
    checked = subprocess.run(
        [NGINX, "-t", "-c", str(tmp_path / "nginx.conf")], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
