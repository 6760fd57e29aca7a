"""Events: the log of a match, or of all my matches, as pages, long polls and streams."""

from typing import Any

from flask import Response, current_app

from kontor_games.api import response_schemas as schemas
from kontor_games.api import streams
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.problems import BadHeaderError, BadParameterError
from kontor_games.api.render import PRIVATE, UNSTORED, events_page, json_response
from kontor_games.api.request import JSON, PLAYER, ApiRequest, Cost
from kontor_games.api.request_schemas import EventsQuery, MyEventsQuery
from kontor_games.domain.plain import LARGEST

routes = Routes("events", __name__, description="The facts of matches, as pages, long polls and streams.")
_KINDS = (JSON, streams.NDJSON, streams.SSE)
_ENDED = Reply(204, "The match is over and you have all its facts. An SSE client then stops reconnecting.")


def _cost(request: ApiRequest) -> Cost:
    """Whatever waits holds a thread, so it is counted apart."""
    return "stream" if request.media_type != JSON or request.query["wait"] else "read"


@routes.get(
    "/v1/matches/<id:match_id>/events",
    Reply(200, "Facts of the match.", schemas.EventPage, _KINDS),
    _ENDED,
    cost=_cost,
    query=EventsQuery(),
    headers=("Last-Event-ID", "Match-Key"),
)
def list_events(request: ApiRequest, match_id: str) -> Response:
    """Read the facts of a match as a page, a long poll or a stream.

    `Accept: application/json` returns a page; with `wait`, the server waits for a new fact (long poll).
    `application/x-ndjson` and `text/event-stream` return a stream: the facts after `after`, then every new
    fact, until the match ends or the time is over. To resume without a gap, send the last version that you
    received as `after` or `Last-Event-ID`. Empty lines and comments are heartbeats.

    With `turns=true`, a stream also has a turn whenever your seat may act: your position with version, view,
    clock and legal moves (schema `Turn`), so that you can decide without another request. In SSE it is an
    event `turn`, in NDJSON an object `{"turn": …}`. If you may act when the stream begins, it is sent at once.
    """
    after = _resumed(request)
    look = streams.MatchLogReader(
        request.kontor, request.reader, match_id, after, request.query["tell"], _turns(request)
    )
    if request.media_type == JSON:
        return _page(request, match_id, look)
    first = look(None)
    if first.over is not None and not first.items:
        return Response(status=204, headers={"Cache-Control": UNSTORED})
    wait, environ = _wait(request, match_id), request.http.environ
    if request.match_key is not None:  # the key is looked up each time, so it needs a thread of its own
        return streams.respond(wait, look, first, request.media_type, _pace())
    return streams.respond_live(environ, wait, look, first, request.media_type, _pace())


def _resumed(request: ApiRequest) -> int:
    """The version to start after; Last-Event-ID of a reconnecting SSE client takes precedence."""
    header = request.http.environ.get("HTTP_LAST_EVENT_ID")
    if header is None:
        return request.query["after"] or 0
    if not (header.isascii() and header.isdigit() and int(header[:20]) <= LARGEST):
        raise BadHeaderError(
            "The header Last-Event-ID must be a version.",
            [{"header": "Last-Event-ID", "detail": "must be a version"}],
        )
    return int(header)


def _turns(request: ApiRequest) -> streams.Turns | None:
    if not request.query["turns"]:
        return None
    if request.media_type == JSON:
        fault = {"parameter": "turns", "detail": "is possible only in a stream"}
        raise BadParameterError("Turns come only in a stream: accept text/event-stream.", [fault])
    return streams.Turns(request.kontor, request.caller, request.query["tell"])


def _page(request: ApiRequest, match_id: str, look: streams.MatchLogReader) -> Response:
    found = look.page(request.query["limit"])
    if request.query["wait"] and not found.events and not found.over:
        streams.wait_for(_wait(request, match_id), lambda versions: bool(look.page(1, versions).events))
        found = look.page(request.query["limit"])
    response = json_response(events_page(found, look.after), cache_control=PRIVATE)
    response.vary.add("Authorization")
    return response


def _wait(request: ApiRequest, topic: str, seconds: float | None = None) -> streams.Wait:
    seconds = _seconds(request) if seconds is None else seconds
    return streams.Wait(request.kontor, topic, request.caller, seconds)


def _seconds(request: ApiRequest) -> float:
    wanted = request.query["wait"]
    return _pace().longest_s if wanted is None else min(float(wanted), _pace().longest_s)


def _pace() -> streams.Pace:
    pace: streams.Pace = current_app.extensions["kontor.pace"]
    return pace


@routes.get(
    "/v1/events",
    Reply(200, "Facts of your matches.", schemas.MyEventPage, _KINDS),
    who=PLAYER,
    cost=_cost,
    query=MyEventsQuery(),
    problems=(404,),
    headers=("Last-Event-Cursor",),
)
def list_my_events(request: ApiRequest) -> Response:
    """Read the new facts of all your matches together.

    Without `after`, reading begins now; the first page, or the first event of a stream, lists your matches.
    The id of each SSE event is a cursor. To resume without a gap, send the last one as `after` or
    `Last-Event-ID`. One connection serves any number of matches. `turns=true` adds your turns in all of them
    to a stream, as in the stream of one match.
    """
    look = streams.PlayerLogReader(
        request.kontor,
        request.player,
        request.http.environ.get("HTTP_LAST_EVENT_ID") or request.query["after"],
        request.query["tell"],
        _turns(request),
    )
    if request.media_type != JSON:
        wait = _wait(request, request.player.player)
        return streams.respond(wait, look, look(None), request.media_type, _pace())
    return json_response(_my_page(request, look))


def _my_page(request: ApiRequest, look: streams.PlayerLogReader) -> dict[str, Any]:
    found: list[Any] = []

    def has_news(versions: streams.Versions) -> bool:
        found.extend(item for _, item in look(versions).items if "fact" in item)
        return bool(found)

    seconds = _seconds(request) if request.query["wait"] else 0.0
    streams.wait_for(_wait(request, request.player.player, seconds), has_news)
    return {"matches": look.matches(), "events": found, "next": look.cursor}
