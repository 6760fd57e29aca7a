"""Fixtures: the API with the toy games, on SQLite, with a clock that the test sets."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from kontor_games import api
from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.contract import Answer, CheckedClient
from tests.domain.toy.games import toy_games

NOON = 1_772_366_400_000
"""2026-03-01T12:00:00Z."""
NO_LIMITS: dict[str, Any] = {
    "rate_limit_read": 10**9,
    "rate_limit_write": 10**9,
    "rate_limit_move": 10**9,
    "rate_limit_register": 10**9,
    "rate_limit_stream": 10**9,
    "accounts_per_hour": 10**9,
    "open_matches": 10**9,
    "running_matches": 10**9,
    "smallest_clock_ms": 1,
    "public_url": "https://kontor.example",
    "smtp_url": "smtp://127.0.0.1:9",
    "mail_from": "kontor@kontor.example",
}
"""Settings that switch off all rate limits and quotas, and switch on calls to players who are away."""


@dataclass
class Clock:
    """A clock that stands still unless the test changes `now` (milliseconds since 1970)."""

    now: int = NOON

    def __call__(self) -> int:
        return self.now


@dataclass
class ApiUser:
    """A user of the API, who sends requests with a token or anonymously."""

    client: Any
    token: str | None = None
    id: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, **kwargs: Any) -> Answer:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers = {**bearer, **self.headers, **kwargs.pop("headers", {})}
        answer: Answer = self.client.open(path, method=method, headers=headers, **kwargs)
        return answer

    def get(self, path: str, **kwargs: Any) -> Answer:
        return self.send("GET", path, **kwargs)

    def post(self, path: str, json: Any = None, **kwargs: Any) -> Answer:
        return self.send("POST", path, **({} if json is None else {"json": json}), **kwargs)

    def patch(self, path: str, json: Any, **kwargs: Any) -> Answer:
        return self.send("PATCH", path, json=json, **kwargs)

    def put(self, path: str, json: Any, **kwargs: Any) -> Answer:
        return self.send("PUT", path, json=json, **kwargs)

    def delete(self, path: str, **kwargs: Any) -> Answer:
        return self.send("DELETE", path, **kwargs)

    def match(self, *seats: Any, **fields: Any) -> dict[str, Any]:
        """Create a match of the toy game, by default against a house bot; these do not move by themselves."""
        answer = self.post(
            "/v1/matches",
            {
                "game": "fair",
                "seats": [*seats] or [{"type": "me"}, {"type": "bot", "bot": "random"}],
                **fields,
            },
        )
        assert answer.status_code == 201, answer.text
        return dict(answer.json)


@contextmanager
def toy_games_installed() -> Iterator[None]:
    """Add the toy games to the installed games inside the `with` block."""
    games: dict[str, Any] = installed_games()  # type: ignore[assignment]  # the cached dict itself
    new = {name: game for name, game in toy_games().items() if name not in games}
    games.update(new)
    try:
        yield
    finally:
        for name in new:
            del games[name]


@pytest.fixture(autouse=True, scope="package")
def _toy_game() -> Iterator[None]:
    with toy_games_installed():
        yield


_first_application = cache(api.Application)


@pytest.fixture(autouse=True, scope="package")
def _one_set_of_routes() -> Iterator[None]:
    """Let all applications share routes and contract, since building them takes a tenth of a second."""
    first = _first_application()

    def another() -> api.Application:
        app = copy(first)
        app.config, app.extensions = copy(first.config), dict(first.extensions)
        return app

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "Application", another)
        yield


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    return {"database_url": f"sqlite:///{tmp_path}/kontor.db", "workers_in_process": False, **NO_LIMITS}


@pytest.fixture
def kontor(settings: dict[str, Any], clock: Clock) -> Iterator[Kontor]:
    made = Kontor(Settings(**settings), clock)
    made.migrate()
    yield made
    made.close()


@pytest.fixture
def app(kontor: Kontor) -> Flask:
    made = create_app(kontor, Pace(longest_s=0.3, heartbeat_s=0.1))
    made.testing = True
    made.test_client_class = CheckedClient
    return made


@pytest.fixture
def anonymous(app: Flask) -> ApiUser:
    """A user without a token."""
    return ApiUser(app.test_client())


@pytest.fixture
def register(anonymous: ApiUser) -> Callable[..., ApiUser]:
    """A function that registers a player."""

    def make(name: str = "Ada", *, bot: bool = False) -> ApiUser:
        answer = anonymous.post("/v1/players", {"name": name, "bot": bot})
        assert answer.status_code == 201, answer.text
        return ApiUser(anonymous.client, answer.json["token"], answer.json["id"])

    return make


@pytest.fixture
def ada(register: Callable[..., ApiUser]) -> ApiUser:
    return register("Ada")


@pytest.fixture
def ben(register: Callable[..., ApiUser]) -> ApiUser:
    return register("Ben")
