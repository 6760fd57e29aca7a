"""When a token expires or is revoked, its streams and long polls end, in every process."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor, wall_clock
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, ApiUser
from tests.support.waiting import wait_until

ME, OPEN = {"type": "me"}, {"type": "open"}
LINES = {"Accept": "application/x-ndjson"}


@dataclass
class Node:
    """A process of the service with its threads, and a client of it."""

    kontor: Kontor
    anonymous: ApiUser

    def user(self, token: str) -> ApiUser:
        return ApiUser(self.anonymous.client, token)


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Callable[[], Node]]:
    """A function that starts a process of the service on the shared database."""
    started: list[Kontor] = []

    def start() -> Node:
        settings = Settings(
            database_url=f"sqlite:///{tmp_path}/kontor.db", workers_in_process=False, **NO_LIMITS
        )
        started.append(Kontor(settings, wall_clock))
        started[-1].migrate()
        started[-1].start()
        app = create_app(started[-1], Pace(longest_s=120, heartbeat_s=60))
        return Node(started[-1], ApiUser(app.test_client()))

    yield start
    for kontor in started:
        kontor.close()


class StreamReader(Thread):
    """Reads a stream to its end."""

    def __init__(self, user: ApiUser, path: str) -> None:
        super().__init__(daemon=True)
        self._answer = user.get(path, headers=LINES, buffered=False)
        self.lines: list[str | bytes] = []
        self.start()

    def run(self) -> None:
        for line in self._answer.response:
            self.lines += [line] if line.strip() else []

    def end(self) -> None:
        """Wait for the end of the stream, which would otherwise last two minutes."""
        self.join(60)
        assert not self.is_alive()


def register(node: Node) -> tuple[ApiUser, str]:
    made: Any = node.anonymous.post("/v1/players", {"name": "Ada"}).json
    return node.user(made["token"]), made["id"]


@pytest.mark.parametrize("where", ["here", "elsewhere"])
@pytest.mark.parametrize("end", ["revoked", "erased"])
@pytest.mark.parametrize("stream", ["match", "player"])
def test_the_streams_of_a_token_end_with_it(
    nodes: Callable[[], Node], where: str, end: str, stream: str
) -> None:
    here = nodes()
    there = here if where == "here" else nodes()
    ada, _ = register(here)
    token = ada.post("/v1/tokens", {"label": "phone", "scopes": ["play"]}).json
    match = ada.match(ME, OPEN, game="speicherstadt", private=True)["id"]
    path = f"/v1/matches/{match}/events" if stream == "match" else "/v1/events"
    reading = StreamReader(there.user(token["token"]), path)
    wait_until(lambda: bool(reading.lines))
    seen = list(reading.lines)
    if end == "revoked":
        assert ada.delete(f"/v1/tokens/{token['id']}").status_code == 204
    else:
        assert ada.delete("/v1/me").status_code == 204
    reading.end()
    if end == "revoked":
        ada.post(f"/v1/matches/{match}/abort")
        assert reading.lines == seen
    wait_until(lambda: there.user(token["token"]).get("/v1/me").status_code == 401)


def test_a_long_poll_ends_with_its_token(nodes: Callable[[], Node]) -> None:
    node = nodes()
    ada, _ = register(node)
    token = ada.post("/v1/tokens", {"label": "phone", "scopes": ["play"]}).json
    answers: list[Any] = []
    phone = node.user(token["token"])
    waiting = Thread(target=lambda: answers.append(phone.get("/v1/events?wait=60")), daemon=True)
    waiting.start()
    wait_until(lambda: token["id"] in node.kontor.feed.topics())
    ada.delete(f"/v1/tokens/{token['id']}")
    waiting.join(60)
    assert [answer.status_code for answer in answers] == [401]


def test_a_stream_lasts_no_longer_than_its_token(nodes: Callable[[], Node]) -> None:
    node = nodes()
    ada, _ = register(node)
    body = {"label": "short", "scopes": ["play"], "expires_in_ms": 1500}
    token = ada.post("/v1/tokens", body).json["token"]
    StreamReader(node.user(token), "/v1/events").end()
    assert node.user(token).get("/v1/me").status_code == 401
