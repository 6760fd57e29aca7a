"""How a request asks for a log: from where on, for how long, and whether it waits."""

from flask import current_app

from kontor_games.api import streams
from kontor_games.api.problems import BadHeaderError
from kontor_games.api.request import JSON, ApiRequest, Cost
from kontor_games.domain.plain import LARGEST

KINDS = (JSON, streams.NDJSON, streams.SSE)


def cost_of(request: ApiRequest) -> Cost:
    """Whatever waits holds a thread, so it is counted apart."""
    return "stream" if request.media_type != JSON or request.query["wait"] else "read"


def resumed_after(request: ApiRequest) -> int:
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


def wait_of(request: ApiRequest, topic: str, seconds: float | None = None) -> streams.Wait:
    """What the client waits for, and for how long."""
    seconds = seconds_of(request) if seconds is None else seconds
    return streams.Wait(request.kontor, topic, request.caller, seconds)


def seconds_of(request: ApiRequest) -> float:
    """How long the client wants to wait, within what the service allows."""
    wanted = request.query["wait"]
    return pace().longest_s if wanted is None else min(float(wanted), pace().longest_s)


def pace() -> streams.Pace:
    """The timing of streams of this app."""
    found: streams.Pace = current_app.extensions["kontor.pace"]
    return found
