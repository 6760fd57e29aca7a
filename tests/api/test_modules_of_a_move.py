"""How many of our modules run code for one move (ARCHITECTURE.md describes its steps).

As in production: from the socket to the answer, with our worker of gunicorn and PostgreSQL.
"""

import asyncio
from collections.abc import Iterator

import pytest

from tests.api import visited_modules
from tests.support.http_connection import HttpConnection
from tests.support.serving import Served, served

MOST_SHARED = 43
"""The most modules outside the games, those of worker and store included."""
MOST_OF_GAME = 10
"""The most modules of the game, for a move that concerns one chapter of its rules."""


@pytest.fixture(scope="module")
def server(postgres_url: str) -> Iterator[Served]:
    application = f"{visited_modules.__name__}:create_app()"
    with served(postgres_url, workers=1, application=application) as server:
        yield server


async def visited_by_a_move(connection: HttpConnection, game: str) -> set[str]:
    """The modules for the third move of a match: earlier ones fill caches."""
    call, visited = connection.call, list[str]()
    players = [await call("POST", "/v1/players", None, {"name": name}) for name in ("Ada", "Ben", "Cem")]
    seats = [{"type": "me"}, *({"type": "invited", "player": player["id"]} for player in players[1:])]
    match = await call(
        "POST", "/v1/matches", players[0]["token"], {"game": game, "seats": seats, "seed": "7"}
    )
    path = f"/v1/matches/{match['id']}"
    for player in players[1:]:
        await call("POST", f"{path}/seats", player["token"])
    for _ in range(3):
        token = players[(await call("GET", path))["to_act"][0]]["token"]
        move = (await call("GET", path, token))["legal_moves"][0]
        await call("GET", visited_modules.PATH)
        await call("POST", f"{path}/moves", token, move)
        visited = await call("GET", visited_modules.PATH)
    return set(visited)


async def measured(port: int, game: str) -> set[str]:
    connection = await HttpConnection.open(port)
    try:
        return await visited_by_a_move(connection, game)
    finally:
        await connection.close()


@pytest.mark.parametrize("game", ["europe", "speicherstadt"])
def test_one_move_runs_code_of_few_modules(server: Served, game: str) -> None:
    visited = asyncio.run(measured(server.port, game))
    of_game = {name for name in visited if name.startswith("kontor_games.domain.games.")}
    shared = visited - of_game
    assert shared >= {"kontor_games.api.server.exchange", "kontor_games.service.store.group_commit"}
    assert len(shared) <= MOST_SHARED, sorted(shared)
    assert 1 < len(of_game) <= MOST_OF_GAME, sorted(of_game)
