"""Matches: announce, find, look, sit down, stand up, start, give up, break off."""

from typing import Any

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import LASTING, PRIVATE, effects, full_match, json_response, summary
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import (
    Joining,
    MatchesQuery,
    NewBranch,
    NewMatch,
    Nothing,
    Opening,
    VersionQuery,
)
from kontor_games.api.routes.players import mark_replay
from kontor_games.domain.commands import Abort, Command, Join, Leave, Open, Resign, Start
from kontor_games.service.matches.answers import CommandAnswer, NotModified
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.people.tokens import PLAY

routes = Routes("matches", __name__, description="Create, find, join and view matches.")
_DONE = ("ETag", "Idempotency-Replayed")
_ON_MATCH: dict[str, Any] = {"who": PLAY, "versioned": True, "problems": (409,)}
"""What all commands on an announced match have in common."""


def _answered(name: str, status: int = 201, headers: tuple[str, ...] = _DONE) -> Reply:
    return Reply(
        status,
        "The facts that the command caused, and the match afterwards.",
        schemas.CommandAnswer,
        headers=headers,
        links=LINKS[name],
    )


@routes.post(
    "/v1/matches",
    _answered("create_match", headers=("Location", *_DONE)),
    who=PLAY,
    body=NewMatch(),
    problems=(409,),
)
def create_match(request: ApiRequest) -> Response:
    """Create a match.

    A seat of type `me` is yours at once, and house bots take their seats at once. The match starts as soon as
    all seats are taken, unless `autostart` is false.
    """
    answer = request.kontor.matches.create(request.call, _spec(request.body))
    response = _respond(answer)
    response.headers["Location"] = f"/v1/matches/{answer.position.id}"
    return response


@routes.post(
    "/v1/matches/<id:match_id>/branches",
    _answered("branch_match", headers=("Location", *_DONE)),
    who=PLAY,
    body=NewBranch(),
    problems=(409,),
)
def branch_match(request: ApiRequest, match_id: str) -> Response:
    """Create a match against house bots that starts in a position of this match (a branch).

    If this match is over, anyone who may see it can branch from it; hidden cards are as they really were. If
    it is running, only its players can, and only if it was created with `practice`; everything hidden from
    them is drawn again at random. Branches are private and never rated.
    """
    answer = request.kontor.branches.branch(request.call, match_id, BranchSpec(**request.body))
    response = _respond(answer)
    response.headers["Location"] = f"/v1/matches/{answer.position.id}"
    return response


def _spec(wish: dict[str, object]) -> MatchSpec:
    seats = tuple(SeatSpec(seat["type"], seat["player"], seat["bot"]) for seat in wish["seats"])  # type: ignore[attr-defined]
    return MatchSpec(**{**wish, "seats": seats})  # type: ignore[arg-type]  # the form has checked every field


def _execute(request: ApiRequest, match_id: str, command: Command, status: int = 201) -> Response:
    return _respond(request.kontor.matches.execute(request.call, match_id, command), status)


def _respond(answer: CommandAnswer, status: int = 201) -> Response:
    response = json_response({**full_match(answer.position, answer.details), **effects(answer)}, status)
    response.headers["ETag"] = f'"{answer.position.version}"'
    return mark_replay(response, replayed=answer.replayed)


@routes.get(
    "/v1/matches",
    Reply(200, "One page of matches.", schemas.MatchPage, links=LINKS["list_matches"]),
    query=MatchesQuery(),
)
def list_matches(request: ApiRequest) -> Response:
    """List the matches that you may see, newest first."""
    query = request.query
    page = request.kontor.queries.page(
        request.caller, query["game"], query["status"], query["player"], query["cursor"], query["limit"]
    )
    return json_response({"matches": [summary(one) for one in page.matches], "next": page.next})


@routes.get(
    "/v1/matches/<id:match_id>",
    Reply(200, "The match.", schemas.Match, headers=("ETag",), links=LINKS["get_match"]),
    Reply(304, "Your copy is current.", headers=("ETag",)),
    query=VersionQuery(),
    headers=("If-None-Match",),
    problems=(409,),
)
def get_match(request: ApiRequest, match_id: str) -> Response:
    """Get a match as you may see it now or, with `version`, as you could see it at that version.

    Once the match is over, `truth=true` also shows what was hidden at that version, to everyone who may see
    the match.
    """
    version, http = request.query["version"], request.http
    is_known = (
        (lambda found: http.if_none_match.contains_weak(str(found)))
        if "HTTP_IF_NONE_MATCH" in http.environ
        else _unknown
    )
    found = request.kontor.queries.look(
        request.caller, match_id, version, truth=request.query["truth"], is_known=is_known
    )
    if isinstance(found, NotModified):
        response, shown, private = Response(status=304), found.version, found.private
    else:
        response = json_response(full_match(found.position, found.details))
        shown, private = found.position.version, found.details.private
    response.headers["ETag"] = f'"{shown}"'
    response.headers["Cache-Control"] = PRIVATE if version is None else _lasting(request, private=private)
    response.vary.add("Authorization")
    return response


def _unknown(version: int) -> bool:
    return False


def _lasting(request: ApiRequest, *, private: bool) -> str:
    return f"{'private' if private or request.caller else 'public'}, {LASTING}"


@routes.post(
    "/v1/matches/<id:match_id>/seats",
    _answered("join_match"),
    body=Joining(),
    optional_body=True,
    **_ON_MATCH,
)
def join_match(request: ApiRequest, match_id: str) -> Response:
    """Join a match: take the given seat, or the first one that is free for you."""
    body = request.body
    join = Join(body["seat"], request.player.bot, body["contribution"], body["key"])
    return _respond(request.kontor.matches.join(request.call, match_id, join))


@routes.delete("/v1/matches/<id:match_id>/seats/me", _answered("leave_match", 200), **_ON_MATCH)
def leave_match(request: ApiRequest, match_id: str) -> Response:
    """Leave your seat before the match starts."""
    return _execute(request, match_id, Leave(), 200)


@routes.post(
    "/v1/matches/<id:match_id>/contribution", _answered("open_contribution"), body=Opening(), **_ON_MATCH
)
def open_contribution(request: ApiRequest, match_id: str) -> Response:
    """Open the contribution that you sealed when you joined.

    The match starts when the last contribution is opened.
    """
    return _execute(request, match_id, Open(request.body["value"]))


@routes.post(
    "/v1/matches/<id:match_id>/start",
    _answered("start_match"),
    body=Nothing(),
    optional_body=True,
    **_ON_MATCH,
)
def start_match(request: ApiRequest, match_id: str) -> Response:
    """Start a full match that you created with `autostart` set to false."""
    return _execute(request, match_id, Start())


@routes.post(
    "/v1/matches/<id:match_id>/resignation",
    _answered("resign_match"),
    body=Nothing(),
    optional_body=True,
    **_ON_MATCH,
)
def resign_match(request: ApiRequest, match_id: str) -> Response:
    """Resign from a running match. If others play on, the service makes harmless moves for your seat."""
    return _execute(request, match_id, Resign())


@routes.post(
    "/v1/matches/<id:match_id>/abort",
    _answered("abort_match"),
    body=Nothing(),
    optional_body=True,
    **_ON_MATCH,
)
def abort_match(request: ApiRequest, match_id: str) -> Response:
    """Abort a match, or agree to abort it.

    Its creator can abort it before the first move; later all players must agree.
    """
    return _execute(request, match_id, Abort())
