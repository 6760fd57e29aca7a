"""`?tell=…`: every answer with facts or legal moves can also describe them in sentences."""

import json
from typing import Any

import pytest

from kontor_games.domain.toolkit.languages import LANGUAGES
from tests.api.conftest import ApiUser

LINES = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    """The path of a running match of Ada and Ben."""
    match = ada.match({"type": "me"}, {"type": "invited", "player": ben.id}, seed="7")["id"]
    ben.post(f"/v1/matches/{match}/seats")
    return f"/v1/matches/{match}"


def test_each_fact_has_a_sentence_and_each_legal_move_a_label(ada: ApiUser, path: str) -> None:
    page = ada.get(f"{path}/events?tell=en").json["events"]
    texts = [event["text"] for event in page]
    assert texts[:4] == [
        "The match is created.",
        "Ada takes a seat.",
        "Ben takes a seat.",
        "The match starts.",
    ]
    assert texts[-1] == "Ben draws a card."
    match = ada.get(f"{path}?tell=en").json
    assert match["names"] == ["Ada", "Ben"]
    assert match["scene"].startswith("Round 1 of ")
    assert match["labels"] == [f"Lay a {value}" for value in _values(ada, match)]


def _values(who: ApiUser, match: Any) -> list[int]:
    values = who.get("/v1/games/fair/data-sets/plain").json["document"]["values"]
    return [values[move["card"]] for move in match["legal_moves"]]


def test_without_tell_there_are_no_texts(ada: ApiUser, path: str) -> None:
    assert {"labels", "names"} & {*ada.get(path).json} == set()
    assert all("text" not in event for event in ada.get(f"{path}/events").json["events"])
    move = ada.get(path).json["legal_moves"][0]
    assert {"texts", "labels", "names"} & {*ada.post(f"{path}/moves", move).json} == set()


def test_the_answer_to_a_move_has_texts_and_so_has_its_repetition(ada: ApiUser, path: str) -> None:
    move, label = (ada.get(f"{path}?tell=en").json[key][0] for key in ("legal_moves", "labels"))
    key = {"Idempotency-Key": "first"}
    answers = [ada.post(f"{path}/moves?tell=en", move, headers=key).json for _ in range(2)]
    for answer in answers:
        assert answer["texts"] == [f"Ada {label.replace('Lay', 'lays')}."]
        assert answer["labels"] == []
    assert "texts" not in ada.post(f"{path}/moves", move, headers=key).json


def test_texts_contain_nothing_that_their_reader_may_not_know(ada: ApiUser, ben: ApiUser, path: str) -> None:
    move = ada.get(path).json["legal_moves"][0]
    version = ada.post(f"{path}/moves", move).json["version"]
    texts = [
        who.get(f"{path}/events?after={version - 1}&tell=en").json["events"][0]["text"] for who in (ada, ben)
    ]
    assert texts[0].startswith("Ada lays a ")
    assert texts[1] == "Ada lays a card."


@pytest.mark.parametrize("headers", [LINES, SSE], ids=["ndjson", "sse"])
def test_streams_have_texts(ada: ApiUser, path: str, headers: dict[str, str]) -> None:
    body = ada.get(f"{path}/events?tell=en&wait=0", headers=headers).text
    events = [json.loads(line.removeprefix("data: ")) for line in body.splitlines() if '"fact"' in line]
    page = ada.get(f"{path}/events?tell=en").json["events"]
    assert [event["text"] for event in events] == [event["text"] for event in page]


def test_the_stream_of_all_matches_has_texts(ada: ApiUser, ben: ApiUser) -> None:
    cursor = ben.get("/v1/events").json["next"]
    match = ada.match({"type": "me"}, {"type": "invited", "player": ben.id})["id"]
    ben.post(f"/v1/matches/{match}/seats")
    events = ben.get(f"/v1/events?after={cursor}&tell=en").json["events"]
    assert [event["text"] for event in events][1:3] == ["Ada takes a seat.", "Ben takes a seat."]


def test_positions_have_texts(ada: ApiUser, path: str) -> None:
    found = ada.get(f"{path}/positions?tell=en")
    texts = [text for position in found.json["positions"] for text in position["texts"]]
    assert texts == [event["text"] for event in ada.get(f"{path}/events?tell=en").json["events"]]
    assert found.json["names"] == ["Ada", "Ben"]
    known = {"If-None-Match": found.headers["ETag"]}
    assert ada.get(f"{path}/positions?tell=en", headers=known).status_code == 304
    ada.patch("/v1/me", {"name": "Ida"})
    assert ada.get(f"{path}/positions?tell=en", headers=known).json["names"] == ["Ida", "Ben"]
    assert "texts" not in ada.get(f"{path}/positions").json["positions"][0]


def test_every_other_command_has_texts(ada: ApiUser, ben: ApiUser) -> None:
    seats = [{"type": "me"}, {"type": "open"}]
    made = ada.post("/v1/matches?tell=en", {"game": "fair", "seats": seats}).json
    assert made["texts"] == ["The match is created.", "Ada takes a seat."]
    assert made["names"] == ["Ada", "Player 2"]
    path = f"/v1/matches/{made['id']}"
    assert ben.post(f"{path}/seats?tell=en").json["texts"][0] == "Ben takes a seat."
    assert ben.post(f"{path}/resignation?tell=en").json["texts"] == [
        "Ben resigns.",
        "The match is over: Ada won.",
    ]


def test_texts_still_name_a_player_who_left(ada: ApiUser, ben: ApiUser) -> None:
    path = f"/v1/matches/{ada.match({'type': 'me'}, {'type': 'open'}, {'type': 'open'})['id']}"
    ben.post(f"{path}/seats", {"seat": 1})
    ben.delete(f"{path}/seats/me")
    texts = [event["text"] for event in ada.get(f"{path}/events?tell=en").json["events"]]
    assert texts[2:] == ["Ben takes a seat.", "Ben leaves the seat."]
    ben.delete("/v1/me")
    texts = [event["text"] for event in ada.get(f"{path}/events?tell=en").json["events"]]
    assert texts[2:] == ["Somebody takes a seat.", "Somebody leaves the seat."]


def test_an_erased_name_is_no_longer_in_texts(ada: ApiUser, ben: ApiUser, path: str) -> None:
    assert "Ben takes a seat." in ada.get(f"{path}/events?tell=en").text
    ben.delete("/v1/me")
    assert "Ben" not in ada.get(f"{path}/events?tell=en").text
    assert "Player 2 takes a seat." in ada.get(f"{path}/events?tell=en").text


def test_players_of_the_same_name_are_numbered(ada: ApiUser) -> None:
    house = {"type": "bot", "bot": "random"}
    path = f"/v1/matches/{ada.match({'type': 'me'}, house, house)['id']}"
    assert ada.get(f"{path}?tell=en").json["names"] == ["Ada", "random 1", "random 2"]


def test_texts_do_not_depend_on_the_order_in_which_pages_are_read(ada: ApiUser, path: str) -> None:
    whole = [event["text"] for event in ada.get(f"{path}/events?tell=en").json["events"]]
    for after in (5, 0, 3, len(whole) - 1):
        page = ada.get(f"{path}/events?tell=en&after={after}&limit=3").json["events"]
        assert [event["text"] for event in page] == whole[after : after + 3]


@pytest.mark.parametrize("operation", ["", "/events", "/seats", "/moves"])
def test_an_unknown_language_is_refused_and_the_known_ones_are_named(
    ada: ApiUser, path: str, operation: str
) -> None:
    ask = ada.post if operation in ("/seats", "/moves") else ada.get
    answer = ask(f"{path}{operation}?tell=xx")
    assert answer.status_code == 422
    assert answer.json["errors"] == [
        {"parameter": "tell", "detail": f"must be one of {', '.join(LANGUAGES)}"}
    ]


def test_moves_in_many_matches_have_the_same_texts_as_single_ones(
    ada: ApiUser, ben: ApiUser, path: str
) -> None:
    legal = ada.get(path).json["legal_moves"][0]
    body = {"commands": [{"match": path.rpartition("/")[2], "move": legal, "key": "k"}]}
    (batched,) = ada.post("/v1/moves?tell=de", body).json["answers"]
    assert batched["answer"]["texts"][0].startswith("Ada ")
    assert {"names", "labels", "scene"} <= set(batched["answer"])
    alone = ada.post(f"{path}/moves?tell=de", legal, headers={"Idempotency-Key": "k"})
    assert alone.json == batched["answer"]
    (plain,) = ada.post("/v1/moves", body).json["answers"]
    assert "texts" not in plain["answer"]
    assert ada.post("/v1/moves?tell=xx", body).status_code == 422
