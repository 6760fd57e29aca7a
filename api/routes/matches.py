"""Matches: announce, find, look, sit down, stand up, start, give up, break off."""

from typing import Any

from flask import Response, request

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import LASTING, PRIVATE, facts, full_match, json_response, receipt, summary
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import Joining, MatchesQuery, NewBranch, NewMatch, Nothing, Opening, VersionQuery
from kontor_games.api.routes.players import mark_replay
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Answer
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.people.tokens import PLAY

routes = Routes("matches", __name__, description="Announce a match, find one, sit down, look at it.")
_DONE = ("ETag", "Idempotency-Replayed")
_ON_MATCH: dict[str, Any] = {"who": PLAY, "versioned": True, "problems": (409,)}
"""What all commands on an announced match have in common."""


def _answered(name: str, status: int = 201, headers: tuple[str, ...] = _DONE) -> Reply:
    return Reply(status, "What happened, and the match after it.", schemas.CommandAnswer, headers=headers, links=LINKS[name])


@routes.post("/v1/matches", _answered("create_match", headers=("Location", *_DONE)), who=PLAY, body=NewMatch(), problems=(409,))
def create_match(call: ApiRequest) -> Response:
    """Announces a match.

    With a seat of type `me` you sit down at once. House bots sit down by themselves. When all seats are taken, the match starts by
    itself unless `autostart` is false.
    """
    answer = call.kontor.matches.create(call.player, _spec(call.body), call.key, call.digest)
    response = _command(call.kontor, answer)
    response.headers["Location"] = f"/v1/matches/{answer.id}"
    return response


@routes.post(
    "/v1/matches/<id:match_id>/branches",
    _answered("branch_match", headers=("Location", *_DONE)),
    who=PLAY,
    body=NewBranch(),
    problems=(409,),
)
def branch_match(call: ApiRequest, match_id: str) -> Response:
    """Starts a new match from a position of this one, against house bots.

    From a match that is over anyone who may see it can go on, with all that was hidden as it really was. From a running match only its own
    players can, if it was announced with `practice`, and everything hidden from them is drawn anew. Branches are private and never rated.
    """
    answer = call.kontor.branches.branch(call.player, match_id, BranchSpec(**call.body), call.key, call.digest)
    response = _command(call.kontor, answer)
    response.headers["Location"] = f"/v1/matches/{answer.id}"
    return response


def _spec(wish: dict[str, object]) -> MatchSpec:
    seats = tuple(SeatSpec(seat["type"], seat["player"], seat["bot"]) for seat in wish["seats"])  # type: ignore[attr-defined]
    return MatchSpec(**{**wish, "seats": seats})  # type: ignore[arg-type]  # the form has checked every field


def _command(kontor: Kontor, answer: Answer, status: int = 201) -> Response:
    response = json_response({**full_match(kontor, answer), **facts(answer), **receipt(kontor, answer)}, status)
    response.headers["ETag"] = f'"{answer.match.version}"'
    return mark_replay(response, replayed=answer.replayed)


@routes.get("/v1/matches", Reply(200, "Some matches.", schemas.MatchPage, links=LINKS["list_matches"]), query=MatchesQuery())
def list_matches(call: ApiRequest) -> Response:
    """Lists the matches that you may know of, the newest first."""
    query = call.query
    page = call.kontor.matches.page(call.caller, query["game"], query["status"], query["player"], query["cursor"], query["limit"])
    return json_response({"matches": [summary(call.kontor, look) for look in page.looks], "next": page.next})


@routes.get(
    "/v1/matches/<id:match_id>",
    Reply(200, "The match.", schemas.Match, headers=("ETag",), links=LINKS["get_match"]),
    Reply(304, "You have it already.", headers=("ETag",)),
    query=VersionQuery(),
    headers=("If-None-Match",),
    problems=(409,),
)
def get_match(call: ApiRequest, match_id: str) -> Response:
    """Shows a match as you may see it: now, or with `version` as you could see it then.

    Once the match is over, `truth=true` shows everything that was hidden at that version too, for everyone who may see the match.
    """
    wanted = call.query["version"]
    look = call.kontor.matches.look(call.caller, match_id, wanted, truth=call.query["truth"])
    if request.environ.get("HTTP_IF_NONE_MATCH") and request.if_none_match.contains_weak(str(look.match.version)):
        response = Response(status=304)
    else:
        response = json_response(full_match(call.kontor, look))
    response.headers["ETag"] = f'"{look.match.version}"'
    response.headers["Cache-Control"] = PRIVATE if wanted is None else _lasting(call, private=look.match.created.private)
    response.vary.add("Authorization")
    return response


def _lasting(call: ApiRequest, *, private: bool) -> str:
    return f"{'private' if private or call.caller else 'public'}, {LASTING}"


@routes.post("/v1/matches/<id:match_id>/seats", _answered("join_match"), body=Joining(), optional_body=True, **_ON_MATCH)
def join_match(call: ApiRequest, match_id: str) -> Response:
    """Sits down at a match, on the seat you name or on the first that is free for you."""
    wish, matches = call.body, call.kontor.matches
    answer = matches.join(call.player, match_id, wish["seat"], wish["contribution"], call.key, call.digest, call.if_version)
    return _command(call.kontor, answer)


@routes.delete("/v1/matches/<id:match_id>/seats/me", _answered("leave_match", 200), **_ON_MATCH)
def leave_match(call: ApiRequest, match_id: str) -> Response:
    """Stands up again, before the match starts."""
    answer = call.kontor.matches.leave(call.player, match_id, call.key, call.digest, call.if_version)
    return _command(call.kontor, answer, 200)


@routes.post("/v1/matches/<id:match_id>/contribution", _answered("open_contribution"), body=Opening(), **_ON_MATCH)
def open_contribution(call: ApiRequest, match_id: str) -> Response:
    """Opens the contribution to the seed that you sealed when you sat down; the last one starts the match."""
    value, matches = call.body["value"], call.kontor.matches
    answer = matches.open_contribution(call.player, match_id, value, call.key, call.digest, call.if_version)
    return _command(call.kontor, answer)


@routes.post("/v1/matches/<id:match_id>/start", _answered("start_match"), body=Nothing(), optional_body=True, **_ON_MATCH)
def start_match(call: ApiRequest, match_id: str) -> Response:
    """Starts a full match that you announced without `autostart`."""
    answer = call.kontor.matches.start(call.player, match_id, call.key, call.digest, call.if_version)
    return _command(call.kontor, answer)


@routes.post("/v1/matches/<id:match_id>/resignation", _answered("resign_match"), body=Nothing(), optional_body=True, **_ON_MATCH)
def resign_match(call: ApiRequest, match_id: str) -> Response:
    """Gives a running match up; where others play on, your seat makes harmless moves."""
    answer = call.kontor.matches.resign(call.player, match_id, call.key, call.digest, call.if_version)
    return _command(call.kontor, answer)


@routes.post("/v1/matches/<id:match_id>/abort", _answered("abort_match"), body=Nothing(), optional_body=True, **_ON_MATCH)
def abort_match(call: ApiRequest, match_id: str) -> Response:
    """Breaks a match off: its creator before the first move, later only when all players ask for it."""
    answer = call.kontor.matches.abort(call.player, match_id, call.key, call.digest, call.if_version)
    return _command(call.kontor, answer)
