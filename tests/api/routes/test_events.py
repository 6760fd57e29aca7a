import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from kontor_games.api import create_app, streams
from kontor_games.api.streams import (
    Chunk,
    Live,
    MatchFactReader,
    Pace,
    PlayerFactReader,
    Wait,
    _follow,
    _ndjson,
    _sse,
)
from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser, Clock

ME, OPEN = {"type": "me"}, {"type": "open"}
SSE, NDJSON = {"Accept": "text/event-stream"}, {"Accept": "application/x-ndjson"}


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    """The path of a running match of Ada and Ben."""
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def sse(answer: TestResponse) -> list[dict[str, str]]:
    """The events of a stream as dicts of their fields; comments have an empty field name."""
    assert answer.mimetype == "text/event-stream"
    blocks = [block for block in answer.text.split("\n\n") if block]
    return [dict(map(field_of, block.split("\n"))) for block in blocks]


def field_of(line: str) -> tuple[str, str]:
    """The field name and the value of a line of a stream."""
    name, _, value = line.partition(": ")
    return ("", line) if line.startswith(":") else (name, value)


def facts_of(answer: TestResponse) -> list[dict[str, Any]]:
    return [json.loads(event["data"]) for event in sse(answer) if event.get("event") == "fact"]


def test_a_page_with_records_has_the_lines_of_the_readers_export(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN)
    path = f"/v1/matches/{match['id']}"
    ben.post(f"{path}/seats")
    for user in (ada, ben):
        lines = [json.loads(line) for line in user.get(f"{path}/export").text.splitlines()[1:-1]]
        for line in lines:
            line.pop("key", None)
            line.pop("signature", None)
        events = user.get(f"{path}/events?records=true").json["events"]
        assert [one["record"] for one in events] == lines
        [second] = user.get(f"{path}/events?records=true&after=1&limit=1").json["events"]
        assert second["record"] == lines[1]
    assert any("salts" in line for line in lines), "Ben may check his own cards"
    assert "record" not in ada.get(f"{path}/events").json["events"][0]
    assert ada.get(f"{path}/events?records=true&after=999").json["events"] == []


def test_the_log_is_read_page_by_page(ada: ApiUser, path: str) -> None:
    whole = ada.get(f"{path}/events").json
    assert [event["version"] for event in whole["events"]] == list(range(1, whole["version"] + 1))
    pages: list[Any] = []
    after = 0
    while len(pages) < whole["version"]:
        page = ada.get(f"{path}/events?after={after}&limit=3").json
        assert len(page["events"]) <= 3
        pages += page["events"]
        after = page["next"]
    assert pages == whole["events"]
    assert ada.get(f"{path}/events?after={after}").json["events"] == []


def test_an_event_has_its_fact_time_and_author(ada: ApiUser, path: str) -> None:
    move = ada.get(path).json["legal_moves"][0]
    answer = ada.post(f"{path}/moves", move).json
    event = ada.get(f"{path}/events?after={answer['first'] - 1}&limit=1").json["events"][0]
    assert event == {
        "version": answer["first"],
        "at": "2026-03-01T12:00:00.000Z",
        "by": ada.id,
        "fact": answer["facts"][0],
    }


def test_players_see_their_own_secrets_until_the_end_and_then_everything(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str
) -> None:
    ada.post(f"{path}/moves", ada.get(path).json["legal_moves"][0])

    def fact_of_card_laid(who: ApiUser) -> dict[str, Any]:
        return next(
            e["fact"] for e in who.get(f"{path}/events").json["events"] if e["fact"]["type"] == "card_laid"
        )

    assert "card" in fact_of_card_laid(ada)
    assert (
        fact_of_card_laid(ben)
        == fact_of_card_laid(anonymous)
        == {"type": "card_laid", "seat": 0, "hidden": ["card"]}
    )
    ada.post(f"{path}/resignation")
    assert fact_of_card_laid(anonymous) == fact_of_card_laid(ada)


def test_a_missing_next_marks_the_end(ada: ApiUser, path: str) -> None:
    ada.post(f"{path}/resignation")
    assert ada.get(f"{path}/events").json["next"] is None
    assert ada.get(f"{path}/events?limit=1").json["next"] == 1


def test_ndjson_has_the_same_events(ada: ApiUser, path: str) -> None:
    answer = ada.get(f"{path}/events?wait=0", headers=NDJSON)
    assert answer.mimetype == "application/x-ndjson"
    assert [json.loads(line) for line in answer.text.splitlines() if line] == ada.get(f"{path}/events").json[
        "events"
    ]


def test_a_stream_gives_each_event_its_version_as_id(ada: ApiUser, path: str) -> None:
    answer = ada.get(f"{path}/events?wait=0", headers=SSE)
    assert answer.headers["Cache-Control"] == "no-store"
    events = sse(answer)
    assert events[0] == {"retry": "2000"}
    assert [int(event["id"]) for event in events[1:]] == list(range(1, len(events)))
    assert facts_of(answer) == ada.get(f"{path}/events").json["events"]


def test_a_dropped_stream_resumes_after_its_last_event_id(ada: ApiUser, path: str) -> None:
    whole = ada.get(f"{path}/events").json["events"]
    resumed = ada.get(f"{path}/events?after=1&wait=0", headers={**SSE, "Last-Event-ID": "3"})
    assert facts_of(resumed) == whole[3:]
    wrong = ada.get(f"{path}/events", headers={**SSE, "Last-Event-ID": "three"})
    assert (wrong.status_code, wrong.json["errors"][0]["header"]) == (400, "Last-Event-ID")


def test_an_idle_stream_sends_heartbeats(ada: ApiUser, path: str) -> None:
    version = ada.get(path).json["version"]
    events = sse(ada.get(f"{path}/events?after={version}", headers=SSE))
    assert events[0] == {"retry": "2000"}
    assert len(events) >= 3
    assert all(event == {"": ": still here"} for event in events[1:])
    assert set(ada.get(f"{path}/events?after={version}", headers=NDJSON).text) == {"\n"}


def test_a_stream_ends_with_the_match_and_is_not_reopened(ada: ApiUser, path: str) -> None:
    ada.post(f"{path}/resignation")
    version = ada.get(path).json["version"]
    last = sse(ada.get(f"{path}/events", headers=SSE))[-1]
    assert last == {
        "event": "end",
        "id": str(version),
        "data": f'{{"status":"finished","version":{version}}}',
    }
    for kind in (SSE, NDJSON):
        assert ada.get(f"{path}/events", headers={**kind, "Last-Event-ID": str(version)}).status_code == 204


LONG_S = 30
"""The longest wait that a request can ask for, in seconds."""


def test_a_long_poll_is_answered_by_the_next_fact(
    ada: ApiUser, ben: ApiUser, path: str, kontor: Kontor, register: Callable[..., ApiUser]
) -> None:
    version, move = ada.get(path).json["version"], ben.get(path).json["legal_moves"][0]
    answers: dict[str, Any] = {}

    def wait() -> None:
        began = time.monotonic()
        answers["page"] = patient.get(f"{path}/events?after={version}&wait={LONG_S}").json
        answers["took"] = time.monotonic() - began

    # The longest duration of streams also applies to long polls, so this ends even if the wake-up fails.
    patient = ApiUser(create_app(kontor, Pace(longest_s=LONG_S, heartbeat_s=5.0)).test_client(), ada.token)
    waiting = threading.Thread(target=wait)
    waiting.start()
    while not kontor.feed.topics():
        time.sleep(0.005)
    ben.post(f"{path}/moves", move)
    waiting.join()
    assert answers["page"]["events"][0]["fact"] == {"type": "card_laid", "seat": 1, "hidden": ["card"]}
    assert answers["took"] < LONG_S


def test_a_long_poll_gives_up_in_time(ada: ApiUser, path: str) -> None:
    version = ada.get(path).json["version"]
    began = time.monotonic()
    assert ada.get(f"{path}/events?after={version}&wait={LONG_S}").json["events"] == []
    assert 0.2 < time.monotonic() - began < LONG_S


def test_a_stream_sends_new_facts_while_it_is_open(kontor: Kontor) -> None:
    chunks = [
        Chunk([("1", {"fact": {}})], "1"),
        Chunk([], "1"),
        Chunk([], "1"),
        Chunk([("2", {"fact": {}})], "2", {"status": "finished"}),
    ]
    later_chunks = iter(chunks[1:])
    live = Live(Wait(kontor, "topic", None, 5), lambda _: next(later_chunks), _sse, heartbeat_s=0.01)
    written = b"".join(_follow(live, b"retry: 2000\n\n" + _sse(chunks[0]))).decode()
    assert written == (
        "retry: 2000\n\n"
        'event: fact\nid: 1\ndata: {"fact":{}}\n\n'
        ": still here\n\n: still here\n\n"
        'event: fact\nid: 2\ndata: {"fact":{}}\n\n'
        'event: end\nid: 2\ndata: {"status":"finished"}\n\n'
    )
    assert kontor.feed.topics() == []


def test_a_stream_with_no_wait_sends_only_the_existing_facts() -> None:
    assert _ndjson(Chunk([("1", {"a": 1}), ("2", {"a": 2})], "2", {})) == b'{"a":1}\n{"a":2}\n'


def test_a_stream_in_a_shared_thread_has_the_same_content_without_waiting(kontor: Kontor) -> None:
    chunks = iter([Chunk([("1", {"fact": {}})], "1"), Chunk([], "1"), Chunk([], "1", {"status": "finished"})])
    woken: list[bool] = []
    live = Live(Wait(kontor, "topic", None, 5), lambda _: next(chunks), _sse, 15.0)
    live.begin(lambda: woken.append(True))
    assert [live.take() for _ in range(3)] == [
        b'event: fact\nid: 1\ndata: {"fact":{}}\n\n',
        b"",
        b'event: end\nid: 1\ndata: {"status":"finished"}\n\n',
    ]
    assert (live.over, live.heartbeat) == (True, b": still here\n\n")
    kontor.feed.wake(["topic"])
    live.close()
    kontor.feed.wake(["topic"])
    assert (woken, kontor.feed.topics()) == ([True], [])


def test_readers_who_may_see_the_same_share_one_rendering(
    kontor: Kontor, ada: ApiUser, ben: ApiUser, path: str
) -> None:
    match = path.rpartition("/")[2]
    players = [kontor.tokens.authenticate(str(who.token)) for who in (ada, ben)]
    first, again = (MatchFactReader(kontor, match, 3, None)(None) for _ in range(2))
    mine, other = (MatchFactReader(kontor, match, 3, who)(None) for who in players)
    assert first.items is again.items
    assert _sse(first) is _sse(again)
    assert len({id(chunk.items) for chunk in (first, mine, other)}) == 3, "each seat has its own rendering"


# --- all my matches -----------------------------------------------------------------------------------------


def test_my_events_begin_now_with_a_list_of_my_matches(ada: ApiUser, path: str) -> None:
    page = ada.get("/v1/events").json
    assert [match["id"] for match in page["matches"]] == [path.rpartition("/")[2]]
    assert page["matches"][0]["to_act"] == [0, 1]
    assert page["events"] == []


def test_my_events_contain_every_fact_once(ada: ApiUser, ben: ApiUser, path: str, clock: Clock) -> None:
    cursor = ada.get("/v1/events").json["next"]
    other = ada.match(ME, OPEN)
    ben.post(f"{path}/moves", ben.get(path).json["legal_moves"][0])
    page = ada.get(f"/v1/events?after={cursor}").json
    received = [(event["match"], event["fact"]["type"]) for event in page["events"]]
    assert sorted(received) == sorted(
        [(other["id"], "match_created"), (other["id"], "seat_taken"), (path.rpartition("/")[2], "card_laid")]
    )
    assert ada.get(f"/v1/events?after={page['next']}").json["events"] == []


def test_my_events_miss_no_match_that_began_and_ended_meanwhile(ada: ApiUser, clock: Clock) -> None:
    cursor = ada.get("/v1/events").json["next"]
    clock.now += 60_000
    brief = ada.match(ME, OPEN)["id"]
    ada.post(f"/v1/matches/{brief}/abort")
    clock.now += 60_000
    page = ada.get(f"/v1/events?after={cursor}").json
    assert [event["fact"]["type"] for event in page["events"]] == [
        "match_created",
        "seat_taken",
        "match_aborted",
    ]
    for _ in range(3):
        page = ada.get(f"/v1/events?after={page['next']}").json
        assert page["events"] == []
        clock.now += 60_000
    assert len(page["next"]) == 36, "finished matches are removed, so that cursors stay short"


def test_a_player_who_leaves_a_match_gets_no_more_of_its_events(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    match = ada.match(ME, OPEN, OPEN)["id"]
    cursor = ben.get("/v1/events").json["next"]
    ben.post(f"/v1/matches/{match}/seats")
    ben.delete(f"/v1/matches/{match}/seats/me")
    page = ben.get(f"/v1/events?after={cursor}").json
    assert page["events"] == []
    register("Cem").post(f"/v1/matches/{match}/seats")
    assert ben.get(f"/v1/events?after={page['next']}").json["events"] == []


def test_my_stream_is_resumed_by_its_last_id(ada: ApiUser, ben: ApiUser, path: str) -> None:
    opened = sse(ada.get("/v1/events?wait=0", headers=SSE))
    assert [match["id"] for match in json.loads(opened[1]["data"])["matches"]] == [path.rpartition("/")[2]]
    assert opened[1]["event"] == "matches"
    ben.post(f"{path}/moves", ben.get(path).json["legal_moves"][0])
    ada.post(f"{path}/moves", ada.get(path).json["legal_moves"][0])
    whole = [
        e
        for e in sse(ada.get("/v1/events?wait=0", headers={**SSE, "Last-Event-ID": opened[1]["id"]}))
        if e.get("event") == "fact"
    ]
    assert len(whole) >= 3
    for index, event in enumerate(whole):
        rest = [
            e
            for e in sse(ada.get("/v1/events?wait=0", headers={**SSE, "Last-Event-ID": event["id"]}))
            if e.get("event") == "fact"
        ]
        assert [json.loads(e["data"]) for e in rest] == [json.loads(e["data"]) for e in whole[index + 1 :]]


@pytest.mark.parametrize("cursor", ["abc", "start_match", "A" * 12, "_" * 11, "_" * 38])
def test_a_forged_cursor_is_refused(ada: ApiUser, cursor: str) -> None:
    answer = ada.get(f"/v1/events?after={cursor}")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_my_events_contain_only_my_matches(ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> None:
    cursor = ben.get("/v1/events").json["next"]
    ada.match(ME, OPEN, private=True)
    assert ben.get(f"/v1/events?after={cursor}").json["events"] == []
    assert anonymous.get("/v1/events").status_code == 401


def test_a_finished_match_is_removed_from_the_cursor_when_all_matches_were_read(
    kontor: Kontor, ada: ApiUser, clock: Clock, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_new = PlayerFactReader(kontor, kontor.tokens.authenticate(str(ada.token)), None)
    match_id = path.rpartition("/")[2]
    read_new(None)
    ada.post(f"{path}/resignation")
    clock.now += 60_000
    version = ada.get(path).json["version"]
    assert read_new({match_id: version}).items[-1][1].fact["type"] == "match_finished"
    read_new({})
    assert match_id in read_new._feed.cursors.read(read_new.cursor).versions
    monkeypatch.setattr(streams, "_READ_ALL_S", -1.0)
    assert read_new({}).items == read_new({}).items == []
    assert match_id not in read_new._feed.cursors.read(read_new.cursor).versions
