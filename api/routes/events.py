"""Events: the facts of one match or of all matches of a player, as pages, long polls and streams."""

from werkzeug.wrappers import Response

from kontor_games.api import streams
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import JSON, Answer, json_response, varying
from kontor_games.api.request import PLAYER, ApiRequest
from kontor_games.api.schemas.queries import EventsQuery, MyEventsQuery
from kontor_games.api.stream_requests import KINDS, cost_of, facts_response, resumed_after, wait_of
from kontor_games.service.matches.answers import Turn
from kontor_games.service.matches.event_answers import EventPage, MyEvent, MyEventPage

routes = Routes("events", __name__, description="The facts of matches, as pages, long polls and streams.")
_ENDED = Reply(204, "The match is over and you have all its facts. An SSE client then stops reconnecting.")


@routes.get(
    "/v1/matches/<id:match_id>/events",
    Reply(200, "Facts of the match.", EventPage, KINDS, also=(Turn,)),
    _ENDED,
    cost=cost_of,
    query=EventsQuery(),
    headers=("Last-Event-ID", "Match-Key"),
)
def list_events(request: ApiRequest, match_id: str) -> Answer | Response:
    """Read the facts of a match as a page, a long poll or a stream.

    `Accept: application/json` returns a page; with `wait`, the server waits for a new fact (long poll).
    `application/x-ndjson` and `text/event-stream` return a stream: the facts after `after`, then every new
    fact, until the match is over or the time limit of the stream (`wait`) is reached. To resume without a
    gap, send the last version that you received as `after` or `Last-Event-ID`. Empty lines and comments are
    heartbeats.

    With `turns=true`, a stream also sends a turn whenever it is your turn: your position with version,
    view, clock and legal moves (schema `Turn`), so that you can decide without another request. In SSE it
    is an event `turn`, in NDJSON an object `{"turn": …}`. If it is your turn when the stream starts, the turn
    is sent immediately.
    """
    after, language = resumed_after(request), request.query["tell"]
    reader = streams.MatchFactReader(
        request.kontor, match_id, after, request.reader, language, _turns(request)
    )
    # With a match key, each read looks the key up in the database.
    response = facts_response(request, match_id, reader, in_memory=request.match_key is None)
    return varying(response, "Authorization") if isinstance(response, Answer) else response


def _turns(request: ApiRequest) -> streams.Turns | None:
    if not request.query["turns"] or request.media_type == JSON:
        return None
    return streams.Turns(request.kontor, request.caller, request.query["tell"])


@routes.get(
    "/v1/events",
    Reply(200, "Facts of your matches.", MyEventPage, KINDS, also=(Turn,)),
    who=PLAYER,
    cost=cost_of,
    query=MyEventsQuery(),
    problems=(404,),
    headers=("Last-Event-Cursor",),
)
def list_my_events(request: ApiRequest) -> Answer | Response:
    """Read the new facts of all your matches together.

    Without `after`, only facts from now on are returned; every page, and the first event of a stream, lists
    your matches that are not over. The id of each SSE event is a cursor. To resume without a gap, send the
    last one as `after` or `Last-Event-ID`. One connection serves any number of matches. `turns=true` adds
    your turns in all of them to a stream, as in the stream of one match.
    """
    reader = streams.PlayerFactReader(
        request.kontor,
        request.player,
        request.http.environ.get("HTTP_LAST_EVENT_ID") or request.query["after"],
        request.query["tell"],
        _turns(request),
    )
    if request.media_type != JSON:
        wait = wait_of(request, request.player.player)
        return streams.respond(wait, reader, reader(None), request.media_type, request.services.pace)
    return json_response(_my_page(request, reader))


def _my_page(request: ApiRequest, reader: streams.PlayerFactReader) -> MyEventPage:
    found: list[MyEvent] = []

    def has_new_facts(versions: streams.Versions) -> bool:
        found.extend(item for _, item in reader(versions).items if isinstance(item, MyEvent))
        return bool(found)

    streams.wait_for(wait_of(request, request.player.player), has_new_facts)
    return MyEventPage(reader.matches(), found, reader.cursor)
