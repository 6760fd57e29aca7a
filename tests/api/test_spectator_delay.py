"""Who does not play sees a running match with its delay, in every answer of the contract."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from kontor_games.api.streams import MatchFactReader
from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser, Clock
from tests.api.contract import operations

ME, OPEN = {"type": "me"}, {"type": "open"}
DELAY_S = 120
BODIES = {
    "play_moves": {"type": "lay_card", "card": 0},
    "dry_run_moves": {"type": "lay_card", "card": 0},
    "open_contribution": {"value": "0a" * 32},
    "branch_match": {"version": 5},
    "seat_bot": {"seat": 1, "bot": "random"},
}
LISTS = (
    "/v1/matches",
    "/v1/matches?status=running",
    "/v1/seeks",
    "/v1/players",
    "/v1/checkpoints",
    "/v1/fairness",
)


@pytest.fixture
def olga(register: Any) -> ApiUser:
    """An organiser, who creates the match and does not play."""
    return register("Olga")  # type: ignore[no-any-return]


@pytest.fixture
def match(olga: ApiUser, ada: ApiUser, ben: ApiUser) -> str:
    clock = {"kind": "per_move", "ms": 3_600_000}
    made = olga.match(OPEN, OPEN, spectator_delay=DELAY_S, clock=clock)
    assert made["spectator_delay"] == DELAY_S
    path = f"/v1/matches/{made['id']}"
    for player in (ada, ben):
        assert player.post(f"{path}/seats").status_code == 201
    return path


def move(path: str, *players: ApiUser) -> None:
    """Make a move of whoever is to act."""
    for player in players:
        moves = player.get(path).json["legal_moves"]
        if moves:
            assert player.post(f"{path}/moves", moves[0]).status_code == 201
            return
    raise AssertionError("nobody has a move")


def requests(path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each operation on a match, with several parameters, and the lists in which it may be."""
    for method, at, _, operation in operations():
        if "{match_id}" in at and method in ("get", "post", "delete"):
            name = operation["operationId"]
            body = {"json": BODIES[name]} if name in BODIES else {}
            own = at.replace("/v1/matches/{match_id}", path)
            queries = ["?size=1"] if name == "prove_inclusion" else [""]
            if name in ("get_match", "list_events", "list_positions"):
                queries += ["?tell=en"]
            if name == "get_match":
                queries += [f"?version={number}" for number in range(1, 30)]
            if name == "list_events":
                queries += ["?records=true", "?after=3&limit=100", "?limit=1"]
            if name == "list_positions":
                queries += ["?from=3", "?viewer=0", "?from=1&to=500"]
            for query in queries:
                yield method, own + query, body
                yield method, own + query, {**body, "headers": {"If-Match": '"9"'}}
    for at in LISTS:
        yield "get", at, {}


def answers(path: str, who: ApiUser) -> list[tuple[str, int, str]]:
    found = []
    for method, at, more in requests(path):
        answer = who.send(method.upper(), at, **more)
        text = re.sub(r'"request_id":"[^"]*"', "", answer.text)
        found.append((f"{method} {at} {more}", answer.status_code, text + str(answer.headers.get("ETag"))))
    return found


def test_no_answer_tells_those_who_do_not_play_of_moves_within_the_delay(
    match: str, kontor: Kontor, clock: Clock, anonymous: ApiUser, olga: ApiUser, ada: ApiUser, ben: ApiUser,
    register: Any,
) -> None:  # fmt: skip
    eve = register("Eve")
    move(match, ada, ben)
    clock.now += DELAY_S * 1000
    kontor.checkpoints.take()
    watchers = (anonymous, eve, olga)
    before = [answers(match, who) for who in watchers]
    version = anonymous.get(match).json["version"]
    assert ada.get(match).json["version"] == version
    for _ in range(3):
        move(match, ada, ben)
    kontor.checkpoints.take()
    assert ada.get(match).json["version"] > version
    again = [answers(match, who) for who in watchers]
    for old, new in zip(before, again, strict=True):
        changed = {one[0] for one, other in zip(old, new, strict=True) if one != other}
        assert changed <= {"get /v1/checkpoints"}
    clock.now += DELAY_S * 1000
    assert anonymous.get(match).json["version"] == ada.get(match).json["version"]
    assert anonymous.get(f"{match}/events?limit=500").json["events"][-1]["version"] > version


def test_the_delayed_position_has_the_clocks_and_the_hash_of_its_time(
    match: str, clock: Clock, anonymous: ApiUser, ada: ApiUser, ben: ApiUser
) -> None:
    clock.now += 1000
    move(match, ada, ben)
    first = anonymous.get(match).json  # nothing before the start is shown, however short ago that is
    assert (first["status"], first["head"]) == (
        "running",
        ada.get(f"{match}?version={first['version']}").json["head"],
    )
    now = ada.get(match).json
    clock.now += DELAY_S * 1000
    then = anonymous.get(match).json
    assert (then["version"], then["clock"]["seats"]) == (now["version"], now["clock"]["seats"])


def test_a_stream_brings_facts_when_they_may_be_shown(
    match: str, kontor: Kontor, clock: Clock, ada: ApiUser, ben: ApiUser
) -> None:
    match_id = match.rpartition("/")[2]
    reader = MatchFactReader(kontor, match_id, 0, None)
    seen = len(reader(None).items)
    with kontor.feed.waiting_for([match_id]) as waiter:
        waiter.take_changes()
        move(match, ada, ben)
        assert (waiter.is_set(), reader(waiter.take_changes()).items) == (True, [])
        waiter.clear()
        clock.now += DELAY_S * 1000 - 1
        kontor.delays.wake_due()
        assert not waiter.is_set()
        clock.now += 1
        kontor.delays.wake_due()
        assert waiter.is_set()
        late = reader(waiter.take_changes())
    assert [int(mark) for mark, _ in late.items] == list(range(seen + 1, ada.get(match).json["version"] + 1))


def test_the_end_of_the_match_is_shown_at_once(
    match: str, anonymous: ApiUser, ada: ApiUser, ben: ApiUser
) -> None:
    move(match, ada, ben)
    ben.post(f"{match}/resignation")
    assert anonymous.get(match).json["status"] == "finished"
