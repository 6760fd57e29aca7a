"""`POST /mcp`: who may use it, what it costs, and that its tools tell only what their caller may know."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import find_rules
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, ApiUser, Clock
from tests.api.test_two_worlds import worlds
from tests.api.two_services import World, play_same_looking_moves, two_services

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def app(kontor: Kontor) -> Flask:
    """An application whose answers are not compared with openapi.yaml, which does not describe /mcp."""
    made = create_app(kontor, Pace(longest_s=0.3, heartbeat_s=0.1))
    made.testing = True
    made.test_client_class = FlaskClient
    return made


def call(user: ApiUser, tool: str, /, **arguments: Any) -> Any:
    """Send a tool call of an earlier revision; return the response."""
    params = {"name": tool, "arguments": arguments}
    return user.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def result(user: ApiUser, tool: str, /, **arguments: Any) -> dict[str, Any]:
    answer = call(user, tool, **arguments)
    assert answer.status_code == 200, answer.text
    return dict(answer.json["result"])


def data(user: ApiUser, tool: str, /, **arguments: Any) -> dict[str, Any]:
    found = result(user, tool, **arguments)
    assert not found["isError"], found
    return dict(found["structuredContent"])


def text(user: ApiUser, tool: str, /, **arguments: Any) -> str:
    return str(result(user, tool, **arguments)["content"][0]["text"])


@pytest.mark.parametrize("token", [None, "kontor_" + "x" * 49])
def test_a_caller_without_a_valid_token_is_told_where_the_resource_is_described(
    anonymous: ApiUser, token: str | None
) -> None:
    answer = call(ApiUser(anonymous.client, token), "rules")
    assert answer.status_code == 401
    assert answer.json["code"] == "unauthorised"
    challenge = answer.headers["WWW-Authenticate"]
    found = re.fullmatch(
        r'Bearer realm="kontor", resource_metadata="http://localhost(.*)", scope="play"', challenge
    )
    assert found is not None
    described = anonymous.get(found[1]).json
    assert described["resource"] == "http://localhost/mcp"
    assert described["bearer_methods_supported"] == ["header"]


def test_other_operations_keep_their_challenge(anonymous: ApiUser) -> None:
    assert anonymous.get("/v1/me").headers["WWW-Authenticate"] == 'Bearer realm="kontor"'


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post_is_allowed(ada: ApiUser, method: str) -> None:
    answer = ada.send(method, "/mcp")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


def test_a_web_page_may_use_it_only_if_the_operator_allows_its_origin(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kontor.db"
    allowed, foreign = "https://models.example", "https://evil.example"
    kontor = Kontor(Settings(database_url=url, cors_origins=(allowed,), **NO_LIMITS), Clock())
    kontor.migrate()
    client = create_app(kontor).test_client()
    token = client.post("/v1/players", json={"name": "Ada"}).json["token"]  # type: ignore[index]
    for origin, status in ((allowed, 200), (foreign, 403), ("http://localhost", 403), ("null", 403)):
        user = ApiUser(client, token, headers={"Origin": origin})
        assert call(user, "rules").status_code == status, origin
    preflight = {"Origin": allowed, "Access-Control-Request-Method": "POST"}
    asked = client.options("/mcp", headers=preflight)
    assert "Mcp-Method" in asked.headers["Access-Control-Allow-Headers"]
    kontor.close()


def test_each_message_costs_a_read_and_its_tool_what_its_calls_cost(tmp_path: Path, clock: Clock) -> None:
    url = f"sqlite:///{tmp_path}/kontor.db"
    limits = NO_LIMITS | {"rate_limit_read": 4}
    kontor = Kontor(Settings(database_url=url, workers_in_process=False, **limits), clock)
    kontor.migrate()
    client = create_app(kontor).test_client()
    ada = ApiUser(client, client.post("/v1/players", json={"name": "Ada"}).json["token"])  # type: ignore[index]
    first = call(ada, "rules")
    assert first.headers["RateLimit"].startswith('"read";r=2;')
    assert not result(ada, "rules")["isError"]
    refused = call(ada, "rules")
    assert (refused.status_code, refused.json["code"]) == (429, "rate_limited")
    clock.now += 15_000
    inner = result(ada, "rules")
    assert inner["isError"]
    assert inner["structuredContent"]["problem"]["code"] == "rate_limited"
    kontor.close()


def test_a_token_needs_the_scope_of_what_its_tool_does(ada: ApiUser) -> None:
    made = ada.post("/v1/tokens", {"label": "x", "scopes": ["organise"]}).json
    organiser = ApiUser(ada.client, made["token"])
    assert "fair" in text(organiser, "rules")
    assert "forbidden" in text(organiser, "find_match", game="fair")


def test_a_model_plays_waits_and_resigns(ada: ApiUser, ben: ApiUser) -> None:
    made = data(ada, "find_match", game="fair", against="anyone")
    assert (made["status"], made["you"]) == ("open", 0)
    joined = data(ben, "find_match", game="fair", against="anyone")
    assert (joined["match"], joined["you"], joined["status"]) == (made["match"], 1, "running")
    users, match = [ada, ben], made["match"]
    now = data(ada, "wait_for_turn", match=match, seconds=0)
    [mover] = now["to_act"][:1]
    seen = data(users[mover], "wait_for_turn", match=match)
    assert seen["your_turn"]
    assert "YOUR TURN" in text(users[mover], "my_matches")
    listed = next(move for move in seen["legal_moves"] if "move" in move)
    at = {"match": match, "version": seen["version"], "number": listed["number"]}
    assert data(users[mover], "play", **at, dry_run=True)["legal"]
    after = data(users[mover], "play", **at)
    assert after["version"] > seen["version"]
    assert data(users[mover], "play", **at)["version"] == after["version"], "a repeated call is one move"
    news = data(users[1 - mover], "wait_for_turn", match=match, after=seen["version"])["news"]
    assert len(news) == len(after["news"])
    ended = data(ada, "resign", match=match)
    assert ended["status"] in ("running", "finished")


def test_invitations_and_private_matches(ada: ApiUser, ben: ApiUser) -> None:
    invited = ada.match({"type": "me"}, {"type": "invited", "player": ben.id})["id"]
    assert "you are invited: take_seat" in text(ben, "my_matches")
    assert data(ben, "take_seat", match=invited)["you"] == 1
    private = data(ada, "find_match", game="fair", against="anyone", private=True)
    assert "not_found" in text(ben, "take_seat", match=private["match"])
    joined = data(ben, "take_seat", match=private["match"], link_key=private["link_key"])
    assert (joined["you"], "link_key" in joined) == (1, False)


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("find_match", {"game": "chess"}, "There is no game 'chess'"),
        ("find_match", {"game": "fair", "players": 16}, "fair is for "),
        ("find_match", {"game": "fair", "bot": "hal"}, "has no house bot 'hal'"),
        ("wait_for_turn", {"match": NOBODY}, "Refused (not_found)"),
        ("wait_for_turn", {"match": f"{NOBODY}/../me"}, "copy it from an earlier answer"),
        ("rules", {"game": "fair", "rule": "Z-9"}, "There is no rule 'Z-9'"),
        ("rules", {"game": "fair", "chapter": "Z"}, "There is no such chapter"),
    ],
)
def test_what_cannot_be_done_is_said(ada: ApiUser, tool: str, arguments: dict[str, Any], answer: str) -> None:
    found = result(ada, tool, **arguments)
    assert found["isError"]
    assert answer in found["content"][0]["text"]


def test_the_documents_name_the_address_by_which_the_client_reached_them(anonymous: ApiUser) -> None:
    assert anonymous.get("/.well-known/mcp.json").json["remotes"][0]["url"] == "http://localhost/mcp"
    told = anonymous.get("/llms.txt")
    assert told.mimetype == "text/plain"
    assert told.text.startswith("# Kontor\n")
    for path in re.findall(r"\]\(http://localhost(/[^)]*)\)", told.text):
        assert anonymous.get(path).status_code == 200, path


# Secrecy


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_no_tool_tells_what_its_caller_may_not_know(
    tmp_path: Path, game: str, viewer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor_games.service.people.limits.time.thread_time", lambda: 0.0)
    title = installed_games()[game]
    rules = find_rules(game, None, title.data_sets[0].name)
    seats = min(rules.seat_counts)
    state, lookalike = worlds(rules, seats, viewer)
    with two_services(tmp_path, seats + 1) as (truth, other, clock):
        truth.open(rules, title, state, seats)
        other.open(rules, title, lookalike, seats)
        compare(truth, other, viewer)
        clock.now += 1500
        play_same_looking_moves(truth, other, viewer, 8, clock.now)
        compare(truth, other, viewer)
        assert truth.match.state.digest() != other.match.state.digest(), "the worlds still differ"


def compare(truth: World, other: World, viewer: int) -> None:
    """Call every tool in both worlds, and compare the answers byte for byte; nothing is changed."""
    for tool, arguments in calls(truth, viewer):
        # The last player has no seat: the tools need a token.
        one, two = (
            call(world.players[viewer if viewer >= 0 else -1], tool, **arguments) for world in (truth, other)
        )
        assert (one.status_code, one.data) == (two.status_code, two.data), (tool, arguments)


def calls(world: World, viewer: int) -> list[tuple[str, dict[str, Any]]]:
    match, version = world.match_id, world.match.version
    state = world.match
    listed = len(state.rules.legal_moves(state.state, viewer)) if viewer in state.may_act else 0
    tried = [{"match": match, "version": version, "number": n, "dry_run": True} for n in range(1, listed + 3)]
    stale = [{"match": match, "version": n, "number": 1} for n in range(1, version)]
    return [
        ("rules", {}),
        ("rules", {"game": world.match.created.game}),
        ("my_matches", {}),
        *(("wait_for_turn", {"match": match, "seconds": 0, "after": n}) for n in range(version + 1)),
        ("wait_for_turn", {"match": match, "seconds": 0, "moves_from": 3}),
        ("take_seat", {"match": match}),
        *(("play", one) for one in tried),
        *(("play", one) for one in stale if listed == 0),
        ("play", {"match": match, "version": version, "move": {"type": "nonsense"}}),
    ]


def test_tools_tell_those_who_do_not_play_nothing_within_the_delay_of_a_match(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    seats = [{"type": "me"}, {"type": "invited", "player": ben.id}]
    path = f"/v1/matches/{ada.match(*seats, spectator_delay=60)['id']}"
    ben.post(f"{path}/seats")
    eve = ApiUser(anonymous.client, anonymous.post("/v1/players", {"name": "Eve"}).json["token"])
    match = path.rpartition("/")[2]
    tools: dict[str, dict[str, Any]] = {
        "wait_for_turn": {"match": match, "seconds": 0},
        "resign": {"match": match},
    }

    def told() -> list[str]:
        return [call(eve, name, **arguments).text for name, arguments in tools.items()]

    before = told()
    mover = next(one for one in (ada, ben) if one.get(path).json["legal_moves"])
    assert mover.post(f"{path}/moves", mover.get(path).json["legal_moves"][0]).status_code == 201
    assert told() == before
