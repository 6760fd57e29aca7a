"""Whole matches of every installed game over HTTP, on both stores."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kontor_games.api import create_app
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, ApiUser
from tests.api.contract import CheckedClient
from tests.api.whole_match import MoveChooser, Table, play_all, read_log
from tests.support.coroutines import run_coroutine
from tests.support.http_connection import HttpConnection
from tests.support.serving import served

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

MATCHES = {"sqlite": 4, "postgresql": 6}
"""The number of matches: on SQLite one of each kind; on PostgreSQL, with two processes, more."""
GAMES = sorted(installed_games())


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once on SQLite and once on PostgreSQL."""
    return (
        f"sqlite:///{tmp_path}/kontor.db"
        if request.param == "sqlite"
        else request.getfixturevalue("database_url")
    )


@pytest.fixture
def client(store_url: str) -> Iterator[ApiUser]:
    """An anonymous user of the API in this process; every answer is checked against the contract."""
    kontor = Kontor(Settings(database_url=store_url, workers_in_process=False, **NO_LIMITS))
    kontor.migrate()
    app = create_app(kontor)
    app.testing = True
    app.test_client_class = CheckedClient
    yield ApiUser(app.test_client())
    kontor.close()


@pytest.mark.parametrize("game", GAMES)
def test_two_players_play_a_whole_match_with_the_api_alone(client: ApiUser, game: str) -> None:
    title = installed_games()[game]
    seats = min(title.rules().seat_counts)
    players = [_register(client, f"Player {seat}") for seat in range(seats)]
    match = (
        players[0]
        .post(
            "/v1/matches",
            {"game": game, "seats": [{"type": "me"}, *[{"type": "open"}] * (seats - 1)], "seed": "7"},
        )
        .json
    )
    path = f"/v1/matches/{match['id']}"
    for seat, player in enumerate(players[1:], 1):
        player.post(f"{path}/seats", {"seat": seat})
    choosers = [MoveChooser(title, seat, f"{game}.{seat}") for seat in range(seats)]
    position, moves = client.get(path).json, 0
    while position["status"] == "running":
        seat = position["to_act"][0]
        answer = players[seat].post(f"{path}/moves", choosers[seat].choose(players[seat].get(path).json))
        assert answer.status_code == 201, answer.text
        position, moves = answer.json, moves + 1
    assert moves > 50
    assert sorted(position["result"]["places"])[0] == 1
    assert {
        who.get(path).text.replace(f'"you":{seat}', '"you":null') for seat, who in enumerate(players)
    } == {client.get(path).text}
    log = client.get(f"{path}/events?limit=1000").json["events"]
    assert [event["version"] for event in log] == list(range(1, min(position["version"], 1000) + 1))


def _register(anonymous: ApiUser, name: str) -> ApiUser:
    made = anonymous.post("/v1/players", {"name": name}).json
    return ApiUser(anonymous.client, made["token"], made["id"])


def test_many_matches_are_played_concurrently_against_players_and_house_bots(store_url: str) -> None:
    store = store_url.partition(":")[0]
    with served(store_url, workers=1 if store == "sqlite" else 2) as server:
        tables, logs = run_coroutine(_play_and_read_logs(server.port, MATCHES[store]))
    assert len(tables) == MATCHES[store]
    assert {table.game for table in tables} == set(GAMES)
    assert {len(table.players) == 1 for table in tables} == {True, False}, (
        "some with players only, some with house bots"
    )
    for table, log in zip(tables, logs, strict=True):
        _check(table, log)


async def _play_and_read_logs(port: int, matches: int) -> tuple[list[Table], list[list[dict[str, Any]]]]:
    tables = await play_all(port, [installed_games()[game] for game in GAMES], matches)
    connection = await HttpConnection.open(port)
    logs = [await read_log(connection, table.match) for table in tables]
    for opened in (connection, *(player.connection for table in tables for player in table.players)):
        await opened.close()
    return tables, logs


def _check(table: Table, log: list[dict[str, Any]]) -> None:
    """The log has no gap, and has every acknowledged move at the versions that its answer named."""
    assert [event["version"] for event in log] == list(range(1, len(log) + 1))
    assert log[-1]["fact"]["type"] == "match_finished"
    acknowledged = 0
    for player in table.players:
        assert player.answers
        assert not [code for code in player.refused if code != "412 stale_version"], player.refused
        for answer in player.answers:
            stored = [event["fact"] for event in log[answer["first"] - 1 : answer["version"]]]
            assert [fact["type"] for fact in stored] == [fact["type"] for fact in answer["facts"]]
            assert all(
                fact.items() <= kept.items()
                for fact, kept in zip(map(_shown, answer["facts"]), stored, strict=True)
            )
            acknowledged += len(stored)
    assert acknowledged <= len(log)


def _shown(fact: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fact.items() if name != "hidden"}
