"""Parses requests for events: where to start, how long to wait or stream, and the rate limit."""

from msgspec.structs import replace
from werkzeug.wrappers import Response

from kontor_games.api import streams
from kontor_games.api.render import JSON, NDJSON, NO_STORE, PRIVATE, Answer, json_response
from kontor_games.api.request import ApiRequest, Cost, refuse_header
from kontor_games.api.server.hang_ups import HANG_UP
from kontor_games.domain.plain import MAX_INTEGER

KINDS = (JSON, NDJSON, streams.SSE)


def cost_of(request: ApiRequest) -> Cost:
    """The rate limit of a request: streams and long polls occupy a thread, so they have their own limit."""
    return "stream" if request.media_type != JSON or request.query["wait"] else "read"


def resumed_after(request: ApiRequest) -> int:
    """The version after which to start; Last-Event-ID, sent by reconnecting SSE clients, takes precedence."""
    header = request.environ.get("HTTP_LAST_EVENT_ID")
    if header is None:
        return request.query["after"] or 0
    if not (header.isascii() and header.isdigit() and int(header[:20]) <= MAX_INTEGER):
        refuse_header("Last-Event-ID", "must be a version")
    return int(header)


def wait_of(request: ApiRequest, topic: str) -> streams.Wait:
    """Return the parameters of a wait for a topic, for at most as many seconds as `wait` says.

    Without `wait`, a page does not wait, and a stream is as long as the service allows.
    """
    longest_s = request.services.pace.longest_s
    default_s = 0.0 if request.media_type == JSON else longest_s
    requested_s = request.query["wait"]
    seconds = default_s if requested_s is None else min(float(requested_s), longest_s)
    return streams.Wait(request.kontor, topic, request.caller, seconds, request.environ.get(HANG_UP))


def facts_response(
    request: ApiRequest, topic: str, reader: streams.FactReader, *, in_memory: bool = True
) -> Answer | Response:
    """Return the facts of a match or tournament as a page, a long poll or a stream, as the client prefers.

    Facts that are not read from memory need a thread of their own for their stream.
    """
    if request.media_type == JSON:
        return _page_response(request, topic, reader)
    first = reader(None)
    if first.over is not None and not first.items:
        return Answer(status=204, headers={"Cache-Control": NO_STORE})
    environ, pace = request.environ if in_memory else None, request.services.pace
    return streams.respond(wait_of(request, topic), reader, first, request.media_type, pace, environ)


def _page_response(request: ApiRequest, topic: str, reader: streams.FactReader) -> Answer:
    """Return a page of facts; with `wait`, wait for a fact if there is none yet (long poll)."""
    found = reader.page(request.query["limit"])
    if request.query["wait"] and not found.events and not found.over:
        streams.wait_for(wait_of(request, topic), lambda versions: bool(reader.page(1, versions).events))
        found = reader.page(request.query["limit"])
    if isinstance(reader, streams.MatchFactReader) and request.query["records"] and found.events:
        records = reader.records(found.events[-1].version)
        events = zip(found.events, records, strict=True)
        found = replace(found, events=tuple(replace(event, record=record) for event, record in events))
    return json_response(found, cache_control=PRIVATE)
