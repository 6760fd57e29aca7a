"""Turns in streams: a player who can act is sent view and legal moves once, after the facts before them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from kontor_games.api import streams
from kontor_games.api.render import encode
from kontor_games.api.streams import MatchFactReader, PlayerFactReader, Turns
from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser
from tests.api.contract import contract, violations
from tests.api.routes.test_events import ME, NDJSON, OPEN, SSE, sse


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    """The path of a running match of Ada and Ben, in which both have to lay a card."""
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def turns_of(answer: TestResponse) -> list[dict[str, Any]]:
    return [json.loads(event["data"]) for event in sse(answer) if event.get("event") == "turn"]


def play(path: str, *players: ApiUser) -> None:
    for player in players:
        assert player.post(f"{path}/moves", player.get(path).json["legal_moves"][0]).status_code == 201


def sent_by(items: list[tuple[str, Any]]) -> list[Any]:
    """The items as JSON."""
    return [json.loads(encode(item)) for _, item in items]


def kinds(items: list[tuple[str, Any]]) -> list[str]:
    """The types of facts and the versions of turns, in the order in which they were sent."""
    return [
        f"turn {item['turn']['version']}" if "turn" in item else item["fact"]["type"]
        for item in sent_by(items)
        if "matches" not in item
    ]


def test_a_turn_has_the_same_content_as_the_match(ada: ApiUser, path: str) -> None:
    shown = ada.get(path).json
    [turn] = turns_of(ada.get(f"{path}/events?turns=true&wait=0", headers=SSE))
    assert turn == {"match": shown["id"], **{name: shown[name] for name in turn if name != "match"}}
    assert violations(contract()["components"]["schemas"]["Turn"], turn) == []
    assert turn["legal_moves"]


def test_a_turn_has_texts_in_the_requested_language(ada: ApiUser, path: str) -> None:
    shown = ada.get(f"{path}?tell=en").json
    for place in (f"{path}/events", "/v1/events"):
        [turn] = turns_of(ada.get(f"{place}?turns=true&tell=en&wait=0", headers=SSE))
        assert (turn["labels"], turn["names"]) == (shown["labels"], shown["names"])
        assert len(turn["labels"]) == len(turn["legal_moves"])


def test_a_turn_comes_after_the_facts_and_resumes_after_them(ada: ApiUser, path: str) -> None:
    version = ada.get(path).json["version"]
    *facts, turn = sse(ada.get(f"{path}/events?turns=true&wait=0", headers=SSE))[1:]
    assert (turn["event"], turn["id"]) == ("turn", str(version))
    assert [event["event"] for event in facts] == ["fact"] * version
    resumed = sse(ada.get(f"{path}/events?turns=true&wait=0", headers={**SSE, "Last-Event-ID": turn["id"]}))
    assert resumed[1:] == [turn], "a client that reconnects may have missed it"


def test_ndjson_has_turns_as_separate_objects(ada: ApiUser, path: str) -> None:
    answer = ada.get(f"{path}/events?turns=true&wait=0", headers=NDJSON)
    *facts, turn = [json.loads(line) for line in answer.text.splitlines() if line]
    assert all("fact" in fact for fact in facts)
    assert [turn["turn"]] == turns_of(ada.get(f"{path}/events?turns=true&wait=0", headers=SSE))


def test_turns_are_sent_only_to_players_who_may_act(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, register: Callable[..., ApiUser], path: str
) -> None:
    play(path, ada)
    sent = {
        name: len(turns_of(who.get(f"{path}/events?turns=true&wait=0", headers=SSE)))
        for name, who in {"ada": ada, "ben": ben, "cem": register("Cem"), "anonymous": anonymous}.items()
    }
    assert sent == {"ada": 0, "ben": 1, "cem": 0, "anonymous": 0}


def test_turns_are_sent_only_on_request(ada: ApiUser, path: str) -> None:
    assert turns_of(ada.get(f"{path}/events?wait=0", headers=SSE)) == []
    assert turns_of(ada.get("/v1/events?wait=0", headers=SSE)) == []


def test_a_page_has_no_turns(ada: ApiUser, path: str) -> None:
    for place in (f"{path}/events", "/v1/events"):
        assert ada.get(f"{place}?turns=true").json == ada.get(place).json


def test_every_turn_of_a_stream_is_sent_once(kontor: Kontor, ada: ApiUser, ben: ApiUser, path: str) -> None:
    caller = kontor.tokens.authenticate(str(ada.token))
    read = MatchFactReader(kontor, id_of(path), 0, caller, turns=Turns(kontor, caller))
    start = ada.get(path).json["version"]
    assert kinds(read(None).items)[-1] == f"turn {start}"
    assert read(None).items == read({}).items == []
    play(path, ben)
    version = start + 1
    assert kinds(read({id_of(path): version}).items) == ["card_laid", f"turn {version}"], "with a newer view"
    play(path, ada)
    assert read({id_of(path): version}).items != []


def test_a_turn_that_is_over_before_it_is_sent_is_left_out(
    kontor: Kontor, ada: ApiUser, ben: ApiUser, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = kontor.tokens.authenticate(str(ada.token))
    read = MatchFactReader(kontor, id_of(path), 0, caller, turns=Turns(kontor, caller))
    events = kontor.queries.events

    def meanwhile(*arguments: Any) -> Any:
        """Make a move after the stream has read the facts and before it reads the turn."""
        found = events(*arguments)
        monkeypatch.setattr(kontor.queries, "events", events)
        play(path, ben)
        return found

    monkeypatch.setattr(kontor.queries, "events", meanwhile)
    version = ada.get(path).json["version"]
    assert not [kind for kind in kinds(read(None).items) if kind.startswith("turn")]
    assert kinds(read(None).items) == ["card_laid", f"turn {version + 1}"]


# --- all my matches -----------------------------------------------------------------------------------------


def test_my_stream_begins_with_the_current_turns(ada: ApiUser, ben: ApiUser, path: str) -> None:
    other = f"/v1/matches/{ada.match(ME, OPEN)['id']}"
    ben.post(f"{other}/seats")
    play(other, ada)
    events = sse(ada.get("/v1/events?turns=true&wait=0", headers=SSE))
    assert [event["event"] for event in events[1:]] == ["matches", "turn"]
    assert json.loads(events[2]["data"])["match"] == id_of(path)
    assert events[1]["id"] == events[2]["id"]
    again = ada.get("/v1/events?turns=true&wait=0", headers={**SSE, "Last-Event-ID": events[2]["id"]})
    assert [turn["match"] for turn in turns_of(again)] == [id_of(path)]


def test_my_stream_sends_turns_after_their_facts(
    kontor: Kontor, ada: ApiUser, ben: ApiUser, path: str
) -> None:
    caller = kontor.tokens.authenticate(str(ada.token))
    read = PlayerFactReader(kontor, caller, None, turns=Turns(kontor, caller))
    version = ada.get(path).json["version"]
    assert kinds(read(None).items) == [f"turn {version}"]
    assert kinds(read({}).items) == []
    play(path, ben)
    assert kinds(read({id_of(path): version + 1}).items) == ["card_laid", f"turn {version + 1}"]
    new = ada.match(ME, OPEN)["id"]
    ben.post(f"/v1/matches/{new}/seats")
    sent = kinds(read({new: ada.get(f"/v1/matches/{new}").json["version"]}).items)
    assert sent[0] == "match_created"
    assert [kind for kind in sent if kind.startswith("turn")] == sent[-1:]


def test_turns_wait_until_all_facts_are_sent(
    kontor: Kontor, ada: ApiUser, ben: ApiUser, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = kontor.tokens.authenticate(str(ada.token))
    cursor = ada.get("/v1/events").json["next"]
    others = [ada.match(ME, OPEN)["id"] for _ in range(3)]
    for other in others:
        ben.post(f"/v1/matches/{other}/seats")
    monkeypatch.setattr(streams, "_BATCH", 4)
    read = PlayerFactReader(kontor, caller, cursor, turns=Turns(kontor, caller))
    sent: dict[str, int] = {id_of(path): ada.get(path).json["version"]}
    turns = list[str]()
    while len(turns) < 4:
        for item in sent_by(read(None).items):
            if "turn" in item:
                turns.append(item["turn"]["match"])
                assert item["turn"]["version"] == sent[item["turn"]["match"]]
            else:
                sent[item["match"]] = item["version"]
    assert sorted(turns) == sorted([*others, id_of(path)])
    assert read(None).items == []


def test_a_player_who_leaves_while_reading_gets_no_turn(kontor: Kontor, ada: ApiUser) -> None:
    missing = "00000000-0000-4000-8000-000000000000"
    assert Turns(kontor, kontor.tokens.authenticate(str(ada.token))).of(missing, 3) == []
