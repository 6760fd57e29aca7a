"""Whole matches of every installed game over HTTP, on both stores."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kontor_games.api import create_app
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import PATIENT, Someone
from tests.api.contract import CheckedClient
from tests.api.whole_match import Decider, Table, play_all, read_log
from tests.support.coroutines import run_coroutine
from tests.support.serving import served
from tests.support.wire import Wire

MATCHES = {"sqlite": 4, "postgresql": 6}
"""On SQLite one of each kind; on PostgreSQL, where two processes serve, more."""
GAMES = sorted(installed_games())


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: once an SQLite file, once on a PostgreSQL server."""
    return (
        f"sqlite:///{tmp_path}/kontor.db"
        if request.param == "sqlite"
        else request.getfixturevalue("database_url")
    )


@pytest.fixture
def alone(store_url: str) -> Iterator[Someone]:
    """The API in this process; every answer is held against the contract."""
    kontor = Kontor(Settings(database_url=store_url, workers_in_process=False, **PATIENT))
    kontor.migrate()
    app = create_app(kontor)
    app.testing = True
    app.test_client_class = CheckedClient
    yield Someone(app.test_client())
    kontor.close()


@pytest.mark.parametrize("game", GAMES)
def test_two_players_play_a_whole_match_with_the_api_alone(alone: Someone, game: str) -> None:
    title = installed_games()[game]
    seats = min(title.rules().seat_counts)
    players = [_registered(alone, f"Player {seat}") for seat in range(seats)]
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
    deciders = [Decider(title, seat, f"{game}.{seat}") for seat in range(seats)]
    look, moves = alone.get(path).json, 0
    while look["status"] == "running":
        seat = look["to_act"][0]
        answer = players[seat].post(f"{path}/moves", deciders[seat].choose(players[seat].get(path).json))
        assert answer.status_code == 201, answer.text
        look, moves = answer.json, moves + 1
    assert moves > 50
    assert sorted(look["result"]["places"])[0] == 1
    assert {
        who.get(path).text.replace(f'"you":{seat}', '"you":null') for seat, who in enumerate(players)
    } == {alone.get(path).text}
    log = alone.get(f"{path}/events?limit=1000").json["events"]
    assert [event["version"] for event in log] == list(range(1, min(look["version"], 1000) + 1))


def _registered(anyone: Someone, name: str) -> Someone:
    made = anyone.post("/v1/players", {"name": name}).json
    return Someone(anyone.client, made["token"], made["id"])


def test_many_matches_are_played_concurrently_against_players_and_house_bots(store_url: str) -> None:
    store = store_url.partition(":")[0]
    with served(store_url, workers=1 if store == "sqlite" else 2) as server:
        tables, logs = run_coroutine(_tournament(server.port, MATCHES[store]))
    assert len(tables) == MATCHES[store]
    assert {table.game for table in tables} == set(GAMES)
    assert {len(table.people) == 1 for table in tables} == {True, False}, (
        "some with people only, some with house bots"
    )
    for table, log in zip(tables, logs, strict=True):
        _check(table, log)


async def _tournament(port: int, matches: int) -> tuple[list[Table], list[list[dict[str, Any]]]]:
    tables = await play_all(port, [installed_games()[game] for game in GAMES], matches)
    wire = await Wire.open(port)
    logs = [await read_log(wire, table.match) for table in tables]
    for connection in (wire, *(person.wire for table in tables for person in table.people)):
        await connection.close()
    return tables, logs


def _check(table: Table, log: list[dict[str, Any]]) -> None:
    """The log has no gap, and holds every move that was acknowledged, where its answer said."""
    assert [event["version"] for event in log] == list(range(1, len(log) + 1))
    assert log[-1]["fact"]["type"] == "match_finished"
    told = 0
    for person in table.people:
        assert person.answers
        assert not [code for code in person.refused if code != "412 stale_version"], person.refused
        for answer in person.answers:
            stored = [event["fact"] for event in log[answer["first"] - 1 : answer["version"]]]
            assert [fact["type"] for fact in stored] == [fact["type"] for fact in answer["facts"]]
            assert all(
                fact.items() <= kept.items()
                for fact, kept in zip(map(_shown, answer["facts"]), stored, strict=True)
            )
            told += len(stored)
    assert told <= len(log)


def _shown(fact: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fact.items() if name != "hidden"}
