"""Seeks: look for a match with players of your strength."""

from collections.abc import Sequence

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response, replay_header
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas.new_matches import SeekRequest, SeeksQuery
from kontor_games.service.people.tokens import PLAY
from kontor_games.service.seeks import answers, store
from kontor_games.service.seeks.use_cases import SeekSpec

routes = Routes("seeks", __name__, description="Look for a match: the service pairs players by rating.")


@routes.post(
    "/v1/seeks",
    Reply(201, "The seek.", answers.Seek, headers=("Location", "Idempotency-Replayed")),
    who=PLAY,
    body=SeekRequest(),
)
def create_seek(request: ApiRequest) -> Answer:
    """Look for a match.

    The service pairs you with players who look for the same game, number of seats, clock, options and kind of
    match (rated or not), those with the most similar ratings first; the allowed difference grows while you
    wait. The match appears in `/v1/events`, like any invitation: take your seat within a minute, or decline
    the invitation. If another player declines or does not take their seat, your seek continues.
    """
    made = request.kontor.seeks.create(request.call, SeekSpec(**request.body))
    headers = {"Location": f"/v1/seeks/{made.seek.id}", **replay_header(replayed=made.replayed)}
    return json_response(_shown(request, [made.seek])[0], 201, headers=headers)


@routes.get("/v1/seeks", Reply(200, "The seeks.", answers.SeekList), query=SeeksQuery())
def list_seeks(request: ApiRequest) -> Answer:
    """List open seeks or, with `mine`, your own."""
    query, seeks = request.query, request.kontor.seeks
    found = seeks.of_caller(request.player) if query["mine"] else seeks.waiting(query["game"], query["limit"])
    shown = [one for one in found if query["game"] in (None, one.terms.game)]
    return json_response(answers.SeekList(_shown(request, shown[: query["limit"]])))


@routes.get("/v1/seeks/<id:seek_id>", Reply(200, "The seek.", answers.Seek), who=PLAY)
def get_seek(request: ApiRequest, seek_id: str) -> Answer:
    """Get one of your seeks."""
    return json_response(_shown(request, [request.kontor.seeks.get(request.player, seek_id)])[0])


@routes.delete(
    "/v1/seeks/<id:seek_id>", Reply(200, "The cancelled seek.", answers.Seek), who=PLAY, problems=(409,)
)
def cancel_seek(request: ApiRequest, seek_id: str) -> Answer:
    """Cancel a waiting seek. If a match has been offered, decline it like any invitation instead."""
    return json_response(_shown(request, [request.kontor.seeks.cancel(request.player, seek_id)])[0])


def _shown(request: ApiRequest, seeks: Sequence[store.Seek]) -> list[answers.Seek]:
    known = request.kontor.players.get_many({one.player for one in seeks})
    return [answers.seek(one, known[one.player]) for one in seeks if one.player in known]
