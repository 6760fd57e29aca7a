"""Events: the log of a match, or of all my matches, as pages, long polls and streams."""

from typing import Any

from flask import Response, current_app, request

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import JSON, PLAYER, Cost, Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.problems import BadHeaderError
from kontor_games.api.render import PRIVATE, UNSTORED, events_page, json_response
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import EventsQuery, MyEventsQuery
from kontor_games.api.streams import NDJSON, SSE, MatchLook, MyLook, Pace, Versions, respond, wait_for
from kontor_games.domain.plain import LARGEST

routes = Routes("events", __name__, description="What happened, and what is happening.")
_KINDS = (JSON, NDJSON, SSE)
_ENDED = Reply(204, "The match is over and you know all of it: an SSE client stops coming back.")


def _cost(call: ApiRequest) -> Cost:
    """Whatever waits holds a thread, so it is counted apart."""
    return "stream" if call.media_type != JSON or call.query["wait"] else "read"


@routes.get(
    "/v1/matches/<id:match_id>/events",
    Reply(200, "The log.", schemas.EventPage, _KINDS, links=LINKS["list_events"]),
    _ENDED,
    cost=_cost,
    query=EventsQuery(),
    headers=("Last-Event-ID",),
)
def list_events(call: ApiRequest, match_id: str) -> Response:
    """Reads the log of a match: a page, a long poll, or a stream.

    `Accept: application/json` gives a page; with `wait` it waits for something new (long poll). `application/x-ndjson` and
    `text/event-stream` give a stream: what there is after `after`, then every new fact, until the match ends or the time is over. Come back
    with the last version you saw, as `after` or `Last-Event-ID`: nothing is lost. Empty lines and comments are heartbeats.
    """
    after = _resumed(call.query["after"])
    look = MatchLook(call.kontor, call.caller, match_id, after)
    if call.media_type == JSON:
        return _page(call, match_id, look)
    found = look.page(1)
    if found.match.over and not found.happenings:
        return Response(status=204, headers={"Cache-Control": UNSTORED})
    return respond(call.kontor, match_id, look, call.media_type, _seconds(call), _pace())


def _resumed(after: int | None) -> int:
    """Where to go on: an SSE client that comes back says so itself, and knows better than its first address."""
    header = request.environ.get("HTTP_LAST_EVENT_ID")
    if header is None:
        return after or 0
    if not (header.isascii() and header.isdigit() and int(header[:20]) <= LARGEST):
        raise BadHeaderError("the header Last-Event-ID must be a version", [{"header": "Last-Event-ID", "detail": "must be a version"}])
    return int(header)


def _page(call: ApiRequest, match_id: str, look: MatchLook) -> Response:
    found = look.page(call.query["limit"])
    if call.query["wait"] and not found.happenings and not found.match.over:
        wait_for(call.kontor, match_id, lambda versions: bool(look.page(1, versions).happenings), _seconds(call))
        found = look.page(call.query["limit"])
    response = json_response(events_page(found, look.after), cache_control=PRIVATE)
    response.vary.add("Authorization")
    return response


def _seconds(call: ApiRequest) -> float:
    wanted = call.query["wait"]
    return _pace().longest_s if wanted is None else min(float(wanted), _pace().longest_s)


def _pace() -> Pace:
    pace: Pace = current_app.extensions["kontor.pace"]
    return pace


@routes.get(
    "/v1/events",
    Reply(200, "What happened in your matches.", schemas.MyEventPage, _KINDS, links=LINKS["list_my_events"]),
    who=PLAYER,
    cost=_cost,
    query=MyEventsQuery(),
    headers=("Last-Event-Cursor",),
)
def list_my_events(call: ApiRequest) -> Response:
    """Reads what happens in all your matches, as one log.

    Without `after` it begins now: the first page, or the first event of a stream, lists your matches. The id of each SSE event is a cursor;
    come back with it, as `after` or `Last-Event-ID`, and nothing is lost. One connection is enough for any number of matches.
    """
    look = MyLook(call.kontor, call.player, request.environ.get("HTTP_LAST_EVENT_ID") or call.query["after"])
    if call.media_type != JSON:
        return respond(call.kontor, call.player.player, look, call.media_type, _seconds(call), _pace())
    return json_response(_my_page(call, look))


def _my_page(call: ApiRequest, look: MyLook) -> dict[str, Any]:
    found: list[Any] = []

    def happened(versions: Versions) -> bool:
        found.extend(item for _, item in look(versions).items if "fact" in item)
        return bool(found)

    wait_for(call.kontor, call.player.player, happened, _seconds(call) if call.query["wait"] else 0.0)
    return {"matches": look.matches(), "events": found, "next": look.cursor}
