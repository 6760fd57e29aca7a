"""The processes of one server share the moves of a batch; the answers are the same as without sharing."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from kontor_games.api import create_app
from kontor_games.api.server.listeners import make_process_directory
from kontor_games.api.shared_moves import answer_sibling
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.many_moves import MoveRequest
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch
from tests.api.conftest import ApiUser, Clock

ELSEWHERE = 4
"""How many matches the other process owns; this one owns at least half as many."""


@pytest.fixture
def other(
    kontor: Kontor, settings: dict[str, Any], clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kontor]:
    """Another process of the same server, beside the one that gets the requests."""
    made = Kontor(Settings(**settings), clock)
    create_app(made)
    directory = tmp_path_factory.mktemp("s")
    kontor.siblings.join(partial(answer_sibling, kontor), directory, "1")
    made.siblings.join(partial(answer_sibling, made), directory, "2")
    yield made
    made.close()


@pytest.fixture
def played(kontor: Kontor, other: Kontor, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The matches in which each of the two processes has played."""
    seen: dict[str, list[str]] = {"here": [], "there": []}
    for name, process in (("here", kontor), ("there", other)):
        monkeypatch.setattr(process.many_moves, "play", recorded_play(process.many_moves.play, seen[name]))
    return seen


def recorded_play(play: Callable[[Sequence[MoveRequest]], Any], seen: list[str]) -> Callable[..., Any]:
    def play_and_record(commands: Sequence[MoveRequest]) -> Any:
        seen.extend(one.match_id for one in commands)
        return play(commands)

    return play_and_record


def first_move(match: dict[str, Any]) -> dict[str, Any]:
    return {"match": match["id"], "move": match["legal_moves"][0], "version": match["version"]}


@pytest.fixture
def commands(ada: ApiUser, kontor: Kontor, other: Kontor) -> list[dict[str, Any]]:
    """The first legal move in each of several new matches; each process owns some of them."""
    made: list[dict[str, Any]] = []
    while len(elsewhere := owned_elsewhere(kontor, made)) < ELSEWHERE or len(made) < 1.5 * len(elsewhere):
        made.append(first_move(ada.match()))
    return made


def owned_elsewhere(kontor: Kontor, commands: Sequence[dict[str, Any]]) -> list[str]:
    ids = [one["match"] for one in commands]
    return [ids[index] for index in kontor.siblings.indices_by_owner(ids).get("2", ())]


def logs(kontor: Kontor, commands: Sequence[dict[str, Any]]) -> list[CachedMatch]:
    return [kontor.cache.get_fresh(UUID(one["match"])) for one in commands]


def test_each_match_is_played_by_its_owner_and_answered_in_order(
    ada: ApiUser, kontor: Kontor, played: dict[str, list[str]], commands: list[dict[str, Any]]
) -> None:
    commands[3]["version"] += 1
    answers = ada.post("/v1/moves", {"commands": commands}).json["answers"]
    assert [one["match"] for one in answers] == [one["match"] for one in commands]
    assert [one["status"] for one in answers] == [
        412 if index == 3 else 201 for index in range(len(commands))
    ]
    assert played["there"] == owned_elsewhere(kontor, commands)
    assert sorted(played["here"] + played["there"]) == sorted(one["match"] for one in commands)


def test_the_answers_are_those_of_single_moves(
    ada: ApiUser, played: dict[str, list[str]], commands: list[dict[str, Any]]
) -> None:
    answers = ada.post("/v1/moves", {"commands": commands}).json["answers"]
    assert played["there"]
    for command, answer in zip(commands, answers, strict=True):
        now = ada.get(f"/v1/matches/{command['match']}").json
        assert {name: now[name] for name in ("version", "head", "view", "legal_moves", "to_act")} == {
            name: answer["answer"][name] for name in ("version", "head", "view", "legal_moves", "to_act")
        }


@pytest.mark.parametrize("stored", [False, True], ids=["before it played", "after it had stored the moves"])
def test_if_the_owner_dies_the_moves_are_made_once(
    ada: ApiUser,
    kontor: Kontor,
    other: Kontor,
    commands: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    *,
    stored: bool,
) -> None:
    lost, play = list[Sequence[MoveRequest]](), other.many_moves.play

    def fail_like_a_dead_owner(requests: Sequence[MoveRequest]) -> None:
        if stored:
            play(requests)
        lost.append(requests)
        raise ConnectionResetError

    monkeypatch.setattr(other.many_moves, "play", fail_like_a_dead_owner)
    before = [len(log.entries) for log in logs(kontor, commands)]
    answers = ada.post("/v1/moves", {"commands": commands}).json["answers"]
    assert len(lost) == 1
    replayed = owned_elsewhere(kontor, commands) if stored else []
    assert [one["match"] for one in answers if one["replayed"]] == replayed
    assert [one["status"] for one in answers] == [201] * len(commands)
    assert [len(log.entries) for log in logs(other, commands)] == [count + 1 for count in before]
    assert [one["answer"]["head"] for one in answers] == [log.heads[-1] for log in logs(other, commands)]


def test_a_single_move_is_also_made_by_the_owner_which_has_the_match_in_memory(
    ada: ApiUser, kontor: Kontor, played: dict[str, list[str]], commands: list[dict[str, Any]]
) -> None:
    (single, *_) = [one for one in commands if one["match"] in owned_elsewhere(kontor, commands)]
    answers = ada.post("/v1/moves", {"commands": [single]}).json["answers"]
    assert [one["status"] for one in answers] == [201]
    assert played == {"here": [], "there": [single["match"]]}


def test_the_directory_of_the_processes_is_private() -> None:
    directory = make_process_directory()
    assert directory.stat().st_mode & 0o777 == 0o700
    directory.rmdir()
