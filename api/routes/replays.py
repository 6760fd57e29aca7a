"""Replays: the positions of a match, for stepping through it forwards and backwards."""

import math

from kontor_games.api import render
from kontor_games.api.contract import NOT_MODIFIED, Reply, Routes
from kontor_games.api.request import PLAYER, ApiRequest
from kontor_games.api.schemas.queries import PositionsQuery, TellQuery
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.service.matches.event_answers import Analysis, AnalysisAwaited, Replay, ReplayTag
from kontor_games.service.matches.replay import Span

routes = Routes("replays", __name__, description="The positions of a match, one after each command.")
_VIEWERS = {"spectator": SPECTATOR, "arbiter": ARBITER}


@routes.get(
    "/v1/matches/<id:match_id>/positions",
    Reply(200, "Positions of the match.", Replay, headers=("ETag",)),
    NOT_MODIFIED,
    query=PositionsQuery(),
    headers=("If-None-Match", "Match-Key"),
    problems=(409,),
)
def list_positions(request: ApiRequest, match_id: str) -> render.Answer:
    """Read the positions of a match in a range of versions, each with the facts of its command.

    The first position of a response has a `view`; each later one has a `patch` (JSON Patch, RFC 6902, with
    `add`, `replace` and `remove` only) that turns the previous view into its own. There is one position for
    each command whose last fact is in the range. Once the match is over, `viewer` can be any seat, and the
    response may be cached.
    """
    query, known = request.query, request.http.if_none_match
    tag, found = request.kontor.queries.replay(
        request.reader,
        match_id,
        Span(query["first"], query["last"], query["limit"]),
        _viewer(query["viewer"]),
        lambda tag: known.contains_weak(_etag(tag)),
        query["tell"],
    )
    response = render.Answer(status=304) if found is None else render.json_response(found)
    response.headers["ETag"] = f'"{_etag(tag)}"'
    response.headers["Cache-Control"] = (
        render.immutable(request.caller, private=tag.private) if tag.over else render.PRIVATE
    )
    return render.varying(response, "Authorization")


@routes.get(
    "/v1/matches/<id:match_id>/analysis",
    Reply(200, "The analysis.", Analysis),
    Reply(202, "The analysis is being made; ask again later.", AnalysisAwaited, headers=("Retry-After",)),
    who=PLAYER,
    query=TellQuery(),
    headers=("Match-Key",),
    problems=(409,),
)
def get_analysis(request: ApiRequest, match_id: str) -> render.Answer:
    """Find out what each seat of a finished match could have done better.

    For each decision: the value of the position before and after it, the best move that was found, and how
    the match may have gone on. Decisions are judged by what their seats could know. The first request for a
    match has its analysis made, which can take a minute: until then the status is 202. An account can wait
    for a few analyses at the same time. `tell` chooses the language of labels.
    """
    caller = request.player if request.match_key is None else request.call.caller
    found = request.kontor.analyses.get(caller, match_id, request.query["tell"])
    if isinstance(found, AnalysisAwaited):
        wait = {"Retry-After": str(math.ceil(found.retry_after_ms / 1000))}
        return render.json_response(found, 202, headers=wait)
    return render.json_response(found, cache_control=render.PRIVATE)


def _etag(tag: ReplayTag) -> str:
    return str(tag.version) if tag.names is None else render.names_tag(tag.version, tag.names)


def _viewer(name: str | None) -> int | None:
    return None if name is None else _VIEWERS[name] if name in _VIEWERS else int(name)
