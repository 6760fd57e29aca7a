from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from kontor_games.api import problems
from kontor_games.api.page_files import POLICY, page
from kontor_games.api.problems import Problem, RequestError, problem_of, status_of
from kontor_games.domain.codec import Fault, MalformedError, key_of
from kontor_games.domain.game import NotYourTurnError, Refusal
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_refusals import NotSeatedError
from kontor_games.service.errors import (
    RateLimitedError,
    RecordDamagedError,
    ServiceError,
    StaleVersionError,
    UnavailableError,
)
from kontor_games.service.kontor import Kontor
from kontor_games.service.store.streams import DAMAGED_RETRY_S
from tests.api.conftest import ApiUser


def kinds(base: type[Exception]) -> Iterator[type[Exception]]:
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


ABSTRACT = {ServiceError, RequestError}


def test_no_error_class_falls_back_to_status_500() -> None:
    bases = (ServiceError, RequestError, Refusal, MalformedError)
    every = {kind for base in bases for kind in kinds(base)}
    unplaced = [kind for kind in every - ABSTRACT if status_of(kind) == 500]
    assert unplaced == []
    assert len(every) > 30


def test_the_nearest_class_decides_on_the_status() -> None:
    assert (status_of(Refusal), status_of(NotYourTurnError), status_of(NotSeatedError)) == (409, 409, 403)


def test_a_refused_move_cites_its_rule() -> None:
    refusal = NotYourTurnError("it is for seat 1 to move", rule="S-14")
    refusal.index = 2
    assert problem_of(refusal) == Problem(
        409, "not_your_turn", "It is not your turn", "it is for seat 1 to move", {"rule": "S-14", "index": 2}
    )


def test_a_stale_version_is_answered_with_the_current_version() -> None:
    problem = problem_of(StaleVersionError(3, 7))
    assert (problem.status, problem.more, problem.headers) == (412, {"current_version": 7}, {"ETag": '"7"'})


def test_errors_have_json_pointers() -> None:
    problem = problem_of(MalformedError([Fault("/seats/1/bot", "is missing")]))
    assert (problem.status, problem.more) == (
        422,
        {"errors": [{"pointer": "/seats/1/bot", "detail": "is missing"}]},
    )


def test_a_429_or_503_says_how_long_to_wait() -> None:
    limited = problem_of(RateLimitedError("too many", retry_after_ms=1001, limit=60, reset_ms=5000))
    assert (limited.status, limited.headers) == (429, {"Retry-After": "2"})
    away = problem_of(UnavailableError("away"))
    assert (away.status, away.headers) == (503, {"Retry-After": "2"})


def test_a_damaged_match_is_a_server_error_that_reveals_nothing_hidden() -> None:
    problem = problem_of(RecordDamagedError(7, "deck is [3, 1, 2]"))
    assert (problem.status, problem.code) == (503, "match_damaged")
    assert problem.headers == {"Retry-After": str(int(DAMAGED_RETRY_S))}
    assert "deck" not in str(problem)


def test_an_unknown_path_is_answered_with_a_problem(anonymous: ApiUser) -> None:
    answer = anonymous.get("/v1/nothing/hëre?x=1")
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")
    assert answer.json == {
        "type": "/docs#not_found",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no resource at this path. `/docs` and `/openapi.json` list all paths.",
        "instance": "/v1/nothing/h%C3%ABre",
        "code": "not_found",
    }


def test_a_browser_that_opens_an_unknown_path_gets_the_page(anonymous: ApiUser) -> None:
    asked = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nothing", "/v1/nothing", "/web/0/app.js"):
        answer = anonymous.get(path, headers=asked)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert answer.data == page().index.content
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["Cache-Control"] == "no-store"
    assert anonymous.get("/nothing", headers={"Accept": "*/*"}).content_type == "application/problem+json"
    assert anonymous.post("/nothing", headers=asked).content_type == "application/problem+json"
    for path in ("/v1/games/nothing", "/v1/matches/1"):
        known = anonymous.get(path, headers={"Accept": "text/html, application/json"})
        assert (known.status_code, known.content_type) == (404, "application/problem+json")


MATCH = "/v1/matches/0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/match", "/v1/matches"),
        ("/v1/games/", "/v1/games"),
        ("/games", "/v1/games"),
        (f"{MATCH}/move", f"{MATCH}/moves"),
        (MATCH.replace("matches", "matchs"), MATCH),
        ("/health", "/healthz"),
        ("/v1", None),
        ("/" + "x" * 4000, None),
    ],
)
def test_a_path_that_is_nearly_right_is_answered_with_the_right_one(
    anonymous: ApiUser, path: str, meant: str | None
) -> None:
    suggestion = f" Did you mean `{meant}`?" if meant else ""
    answer = anonymous.get(path)
    assert answer.status_code == 404
    assert answer.json["detail"] == (
        f"There is no resource at this path.{suggestion} `/docs` and `/openapi.json` list all paths."
    )


def test_the_detail_of_a_malformed_request_names_the_first_fault(anonymous: ApiUser) -> None:
    answer = anonymous.post("/v1/players", {"names": "Ada", "bot": "yes"})
    first = answer.json["errors"][0]
    assert answer.json["detail"].startswith(f"{first['pointer']} {first['detail']}")
    assert answer.json["detail"].endswith(" `errors` lists 2 more.")
    query = anonymous.get("/v1/matches?statis=open")
    assert query.json["detail"] == (
        "The query parameter `statis` is not a known parameter; did you mean `status`?"
    )


def test_of_thousands_of_unknown_fields_only_a_few_are_compared_with_the_known_ones(
    anonymous: ApiUser,
) -> None:
    answer = anonymous.post("/v1/players", {f"names{number}": 0 for number in range(3000)})
    assert answer.status_code == 422
    assert len(answer.json["errors"]) > 3000
    assert sum("did you mean" in fault["detail"] for fault in answer.json["errors"]) <= 5


def test_a_method_that_is_not_allowed_is_answered_with_the_allowed_ones(anonymous: ApiUser) -> None:
    answer = anonymous.client.put("/v1/players")
    assert (answer.status_code, answer.json["code"], answer.headers["Allow"]) == (
        405,
        "method_not_allowed",
        "GET, HEAD, OPTIONS, POST",
    )


@pytest.mark.parametrize("accept", ["text/html", "application/xml, image/*;q=0.5", "application/json;q=0"])
def test_a_client_that_does_not_accept_json_gets_406(anonymous: ApiUser, accept: str) -> None:
    answer = anonymous.get("/v1/games", headers={"Accept": accept})
    assert (answer.status_code, answer.json["code"], answer.json["detail"]) == (
        406,
        "not_acceptable",
        "Available media types: application/json.",
    )


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/*",
        "text/html, application/json;q=0.1",
        "application/json; charset=utf-8",
        "text/html \t ; q = 1 ,  application/json ; q=0.1",
    ],
)
def test_a_client_that_accepts_json_gets_it(anonymous: ApiUser, accept: str) -> None:
    assert anonymous.get("/v1/games", headers={"Accept": accept}).status_code == 200


def test_a_large_body_is_not_read(anonymous: ApiUser) -> None:
    answer = anonymous.client.post("/v1/players", data=b" " * 70_000, content_type="application/json")
    assert (answer.status_code, answer.json["code"]) == (413, "body_too_large")
    assert answer.json["detail"] == "The request body is too large: the limit is 65536 bytes."


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""]
)
def test_a_body_must_be_json(anonymous: ApiUser, kind: str) -> None:
    answer = anonymous.client.post("/v1/players", data=b'{"name": "Ada"}', content_type=kind)
    assert (answer.status_code, answer.json["code"]) == (415, "wrong_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=UTF-8", "Application/JSON;charset=utf8"]
)
def test_the_media_type_of_json_may_name_a_charset(anonymous: ApiUser, kind: str) -> None:
    assert anonymous.client.post("/v1/players", data=b'{"name": "Ada"}', content_type=kind).status_code == 201


def test_malformed_json_is_refused(anonymous: ApiUser) -> None:
    answer = anonymous.client.post("/v1/players", data=b'{"name": }', content_type="application/json")
    assert (answer.status_code, answer.json["code"]) == (400, "unreadable")
    assert answer.json["detail"] == "Expecting value at line 1, column 10."


def test_every_error_in_a_body_is_reported(anonymous: ApiUser) -> None:
    answer = anonymous.post("/v1/players", {"bot": "yes", "names": 1, "a/b": 2})
    assert answer.status_code == 422
    assert sorted(answer.json["errors"], key=lambda fault: fault["pointer"]) == [
        {"pointer": "/a~1b", "detail": "is not a known field; known are name, bot"},
        {"pointer": "/bot", "detail": "must be true or false"},
        {"pointer": "/name", "detail": "is missing"},
        {"pointer": "/names", "detail": "is not a known field; did you mean `name`?"},
    ]


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("limit=ten", {"parameter": "limit", "detail": "must be an integer"}),
        ("limit=0", {"parameter": "limit", "detail": "must be between 1 and 200"}),
        ("limit=%2B5", {"parameter": "limit", "detail": "must be an integer"}),
        ("limit=1_0", {"parameter": "limit", "detail": "must be an integer"}),
        ("limit=1&limit=2", {"parameter": "limit", "detail": "must be given only once"}),
        (
            "statis=open",
            {"parameter": "statis", "detail": "is not a known parameter; did you mean `status`?"},
        ),
        ("status=lost", {"parameter": "status", "detail": "must be one of open, running, finished, aborted"}),
        ("player=%00", {"parameter": "player", "detail": "must be Unicode text without NUL"}),
        ("player=%ff", {"parameter": "player", "detail": "must be an id: a UUID in lower case"}),
        ("cursor=!", {"parameter": "cursor", "detail": "must be a cursor from an earlier response"}),
    ],
)
def test_invalid_query_parameters_are_refused_not_ignored(
    anonymous: ApiUser, query: str, fault: dict[str, str]
) -> None:
    answer = anonymous.get(f"/v1/matches?{query}")
    assert (answer.status_code, answer.json["code"], answer.json["errors"]) == (422, "bad_parameter", [fault])


def test_an_operation_without_parameters_refuses_any(anonymous: ApiUser) -> None:
    assert anonymous.get("/v1/games?page=2").json["errors"] == [
        {"parameter": "page", "detail": "is not a known parameter; there are none here"}
    ]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("If-Match", "seven"),
        ("If-Match", '"7", "8"'),
        ("If-Match", '"7'),
        ("If-Match", 'W/"7"'),
        ("Idempotency-Key", "two words"),
        ("Idempotency-Key", "x" * 256),
    ],
)
def test_malformed_headers_are_refused(ada: ApiUser, header: str, value: str) -> None:
    match = ada.match()
    answer = ada.post(f"/v1/matches/{match['id']}/abort", headers={header: value})
    assert (answer.status_code, answer.json["code"], answer.json["errors"][0]["header"]) == (
        400,
        "bad_header",
        header,
    )


def test_an_internal_error_reveals_no_details_to_the_client(
    app: Flask,
    kontor: Kontor,
    ada: ApiUser,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(*args: object) -> None:
        raise KeyError("the card under the pile is 13")

    app.testing = False
    monkeypatch.setattr(kontor.players, "get", crash)
    answer = FlaskClient(app, Response).get("/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
    problem: Any = answer.json
    assert (answer.status_code, answer.content_type, problem["code"]) == (
        500,
        "application/problem+json",
        "internal_error",
    )
    assert "card" not in answer.text
    logged = capsys.readouterr().out
    assert "KeyError" in logged
    assert "test_problems.py" in logged
    assert "13" not in logged.split("crash")[1].split("trace")[0]


def test_all_problems_are_listed_for_readers() -> None:
    listed = problems.all_problems()
    assert listed["stale_version"] == {
        "status": 412,
        "title": "The match has changed since the version in If-Match",
    }
    assert not [code for code, known in listed.items() if known["status"] == 500 and code != "internal_error"]
    assert not [code for code in listed if code in ("refusal", "life_refusal")]
    known = {key_of(kind) for kind in problems.error_kinds() if kind.__module__.startswith("kontor_games.")}
    games = {
        key_of(kind)
        for kind in problems.error_kinds()
        if kind.__module__.startswith("kontor_games.domain.games.")
    }
    assert known - games <= listed.keys()


@pytest.mark.parametrize(
    "path", ["/v1/matches/nope", "/v1/players/nope", "/v1/matches/nope/events", f"/v1/matches/{'A' * 36}"]
)
def test_an_invalid_id_in_the_path_is_answered_with_the_expected_format(ada: ApiUser, path: str) -> None:
    answer = ada.get(path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    assert answer.json["detail"].startswith("The id in this path is not valid. An id has 36 characters")


@pytest.mark.parametrize("game", ["chess", "Chess!", "a" * 100])
def test_a_path_with_an_unknown_game_or_data_set_is_answered_with_the_known_ones(
    ada: ApiUser, game: str
) -> None:
    answer = ada.get(f"/v1/games/{game}")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    assert (
        answer.json["detail"]
        == f"There is no such game. The games of this service are {', '.join(installed_games())}."
    )
    answer = ada.get(f"/v1/games/fair/data-sets/{game}")
    assert (answer.status_code, answer.json["detail"]) == (
        404,
        "fair has no cards with this name. Available: plain, steep.",
    )
