"""Seeks: look for a match with players of your strength."""

from collections.abc import Sequence

from flask import Response

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import json_response, player, replay_header, seek
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas import seeks as schemas
from kontor_games.domain.codec import Plain
from kontor_games.service.people.tokens import PLAY
from kontor_games.service.seeks.store import Seek
from kontor_games.service.seeks.use_cases import SeekSpec

routes = Routes("seeks", __name__, description="Look for a match: the service pairs players by rating.")


@routes.post(
    "/v1/seeks",
    Reply(201, "The seek.", schemas.Seek, headers=("Location", "Idempotency-Replayed")),
    who=PLAY,
    body=schemas.NewSeek(),
    problems=(409,),
)
def create_seek(request: ApiRequest) -> Response:
    """Look for a match.

    Whoever looks for the same game, seats, clock, options and kind of match is paired with you, the nearest ratings
    first; the longer you wait, the farther they may be. The match appears in `/v1/events`, like any invitation:
    take your seat within a minute, or decline it. If others decline or do not come, you wait on.
    """
    made = request.kontor.seeks.create(request.call, SeekSpec(**request.body))
    headers = {"Location": f"/v1/seeks/{made.seek.id}", **replay_header(replayed=made.replayed)}
    return json_response(_shown(request, [made.seek])[0], 201, headers=headers)


@routes.get("/v1/seeks", Reply(200, "The seeks.", schemas.SeekList), query=schemas.SeeksQuery())
def list_seeks(request: ApiRequest) -> Response:
    """List who looks for a match now or, with `mine`, your own seeks."""
    query, seeks = request.query, request.kontor.seeks
    found = seeks.mine(request.player) if query["mine"] else seeks.waiting(query["game"], query["limit"])
    wanted = [one for one in found if query["game"] in (None, one.terms.game)]
    return json_response({"seeks": _shown(request, wanted[: query["limit"]])})


@routes.get("/v1/seeks/<id:seek_id>", Reply(200, "The seek.", schemas.Seek), who=PLAY)
def get_seek(request: ApiRequest, seek_id: str) -> Response:
    """Get a seek of yours."""
    return json_response(_shown(request, [request.kontor.seeks.get(request.player, seek_id)])[0])


@routes.delete(
    "/v1/seeks/<id:seek_id>", Reply(200, "The cancelled seek.", schemas.Seek), who=PLAY, problems=(409,)
)
def cancel_seek(request: ApiRequest, seek_id: str) -> Response:
    """Cancel a seek that waits. A match that was offered is declined like any invitation."""
    return json_response(_shown(request, [request.kontor.seeks.cancel(request.player, seek_id)])[0])


def _shown(request: ApiRequest, seeks: Sequence[Seek]) -> list[Plain]:
    known = request.kontor.players.get_many({one.player for one in seeks})
    return [seek(one, player(known[one.player])) for one in seeks if one.player in known]
