"""`kontor serve` and `kontor openapi`, as an operator starts them."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.support.serving import children_of, free_port
from tests.support.waiting import SOON_S

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
KONTOR = [sys.executable, "-m", "kontor_games"]


@dataclass
class Server:
    """A running `kontor serve`."""

    port: int
    log: Path
    process: "subprocess.Popen[bytes]"

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, None if body is None else json.dumps(body), {**sent, **headers})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(
            text
        ) if answer.headers.get_content_type() == "application/json" else text.decode()


@contextmanager
def kontor_serve(folder: Path, **settings: str) -> Iterator[Server]:
    port, log = free_port(), folder / "log"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
    environment = {
        **kept,
        "KONTOR_DATABASE_URL": f"sqlite:///{folder}/new/kontor.db",
        "PYTHONPATH": str(ROOT),
        **settings,
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*KONTOR, "serve", "--port", str(port)], cwd=folder, env=environment, stdout=output, stderr=output
        )
    server = Server(port, log, process)
    try:
        _wait(server)
        yield server
    finally:
        process.terminate()
        process.wait(60)


def _wait(server: Server) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until and server.process.poll() is None:
        try:
            if server.send("GET", "/readyz")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(server.log.read_text())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with kontor_serve(tmp_path_factory.mktemp("serve")) as running:
        yield running


def test_every_line_in_a_file_is_json(server: Server) -> None:
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    [serving] = [line for line in lines if line["event"] == "serving"]
    assert serving["port"] == server.port
    assert re.search(r"/new/kontor\.db \(created now\)$", serving["database"])


def test_it_prints_its_address_and_how_to_begin(tmp_path: Path) -> None:
    with kontor_serve(tmp_path, KONTOR_LOG_FORMAT="text") as server:
        output = server.log.read_text()
    assert f"Kontor is running at http://127.0.0.1:{server.port}. Press Ctrl-C to stop." in output
    assert re.search(r"Database: +/\S+/new/kontor\.db \(created now\)\n", output)
    assert f"curl -s http://127.0.0.1:{server.port}/v1/players" in output


@pytest.mark.parametrize("path", ["/", "/v1/games", "/openapi.json", "/v1/matches", "/web/unknown.js"])
def test_every_answer_has_one_date(server: Server, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    for known in ({}, {"If-None-Match": "*"}):
        connection.request("GET", path, headers=known)
        answer = connection.getresponse()
        answer.read()
        assert len(answer.headers.get_all("Date", [])) == 1, known
    connection.close()


def test_the_threads_of_a_process_share_two_heaps(server: Server) -> None:
    [worker] = children_of(server.process.pid)
    assert len(list(Path(f"/proc/{worker}/task").iterdir())) > 8
    assert len(further_heaps(worker)) <= 1, "beside the first one of the process"


def further_heaps(pid: int) -> list[str]:
    """The heaps that glibc has made for threads of a process: each begins at a multiple of 64 MiB."""
    mapped = [line.split() for line in Path(f"/proc/{pid}/maps").read_text(encoding="ascii").splitlines()]
    own = [fields[0] for fields in mapped if len(fields) == 5 and fields[1] == "rw-p"]
    return [addresses for addresses in own if int(addresses.partition("-")[0], 16) % (64 << 20) == 0]


def test_a_new_player_can_play_a_house_bot_immediately(server: Server) -> None:
    _, player = server.send("POST", "/v1/players", {"name": "Ada"})
    token = {"Authorization": f"Bearer {player['token']}"}
    _, games = server.send("GET", "/v1/games")
    game = games["games"][-1]
    seats = [{"type": "me"}, *[{"type": "bot", "bot": game["bots"][-1]}] * (game["seats"][0] - 1)]
    status, match = server.send("POST", "/v1/matches", {"game": game["id"], "seats": seats}, **token)
    assert (status, match["status"]) == (201, "running")
    look, until = match, time.monotonic() + SOON_S
    while look["you"] not in look["to_act"] and time.monotonic() < until:
        server.send(
            "GET", f"/v1/matches/{match['id']}/events?after={look['version']}&wait=5&limit=1", **token
        )
        _, look = server.send("GET", f"/v1/matches/{match['id']}", **token)
    move = next(move for move in look["legal_moves"] if "schema" not in move)
    assert server.send("POST", f"/v1/matches/{match['id']}/moves", move, **token)[0] == 201


def test_a_stream_of_a_finished_match_sends_its_end_once(server: Server) -> None:
    _, player = server.send("POST", "/v1/players", {"name": "Ada"})
    token = {"Authorization": f"Bearer {player['token']}"}
    seats = [{"type": "me"}, {"type": "open"}]
    _, match = server.send("POST", "/v1/matches", {"game": "speicherstadt", "seats": seats}, **token)
    assert server.send("POST", f"/v1/matches/{match['id']}/abort", **token)[0] == 201
    _, stream = server.send("GET", f"/v1/matches/{match['id']}/events", Accept="text/event-stream", **token)
    assert stream.count("event: end\n") == 1


def test_a_stopping_server_ends_its_streams_properly(tmp_path: Path) -> None:
    with kontor_serve(tmp_path) as server:
        token = server.send("POST", "/v1/players", {"name": "Ada"})[1]["token"]
        seats = [{"type": "me"}, {"type": "open"}]
        match = server.send(
            "POST", "/v1/matches", {"game": "speicherstadt", "seats": seats}, Authorization=f"Bearer {token}"
        )[1]["id"]
        connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", f"/v1/matches/{match}/events", headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        server.process.terminate()
        stream.read()  # IncompleteRead if it were cut off
        connection.close()
        assert server.process.wait(60) == 0


def test_its_log_is_json_and_holds_no_token(server: Server) -> None:
    server.send("GET", "/healthz", **{"Request-Id": "find-me"})
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    assert [line["operation"] for line in lines if line.get("id") == "find-me"] == ["get_health"]
    assert re.search(r"kontor_(?!games\.)", server.log.read_text()) is None


def test_a_port_in_use_is_reported_immediately_in_one_sentence_with_a_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        command = [*KONTOR, "serve", "--port", port, "--database", f"sqlite:///{tmp_path}/new.db"]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"Error: Port {port} is in use by another program. "
        "Choose another port: `make serve PORT=9000` or `kontor serve --port 9000`.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_listening_on_an_address_of_another_machine_is_an_error(tmp_path: Path) -> None:
    command = [*KONTOR, "serve", "--host", "192.0.2.1", "--database", f"sqlite:///{tmp_path}/new.db"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert re.fullmatch(r"Error: Cannot listen on 192\.0\.2\.1, port 8000: .+\.\n", ended.stderr)


def test_wrong_settings_are_explained(tmp_path: Path) -> None:
    environment = {**os.environ, "KONTOR_DATABASE": "x", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [*KONTOR, "serve"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "did you mean KONTOR_DATABASE_URL?" in ended.stderr


def test_the_contract_is_written_by_one_command(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([*KONTOR, "openapi", "here.yaml"], cwd=tmp_path, env=environment, check=True, timeout=60)
    assert (tmp_path / "here.yaml").read_text() == (ROOT / "openapi.yaml").read_text()
    nowhere = [*KONTOR, "openapi", "nowhere/openapi.yaml"]
    refused = subprocess.run(
        nowhere, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert refused.returncode == 1
    assert refused.stderr == "Error: nowhere/openapi.yaml: No such file or directory.\n"
