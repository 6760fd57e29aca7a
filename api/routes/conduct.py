"""How players treat each other: phrases, blocked players, reports to the administrators."""

from kontor_games.api.answers import Blocked, ReportList
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import NO_STORE, Answer, json_response
from kontor_games.api.request import PLAYER, ApiRequest
from kontor_games.api.schemas import conduct as schemas
from kontor_games.service.matches.phrases import PhraseList, Said
from kontor_games.service.people.tokens import ACCOUNT, ADMIN, PLAY

routes = Routes("conduct", __name__, description="How players treat each other.")
_PHRASES = "/v1/matches/<id:match_id>/phrases"
_BLOCK = "/v1/me/blocks/<id:player_id>"


@routes.get(
    _PHRASES,
    Reply(200, "What was said.", PhraseList),
    query=schemas.PhrasesQuery(),
    headers=("Match-Key",),
)
def list_phrases(request: ApiRequest, match_id: str) -> Answer:
    """List what the players of a match have said, without those whom you have blocked.

    The last sixty phrases are kept. They are not part of the record of the match.
    """
    found = request.kontor.talk.heard(request.reader, match_id, request.query["after"])
    return json_response(found, cache_control=NO_STORE)


@routes.post(
    _PHRASES, Reply(201, "What you have said.", Said), who=PLAY, body=schemas.PhraseRequest(), problems=(409,)
)
def say_phrase(request: ApiRequest, match_id: str) -> Answer:
    """Say one of the phrases of this service in a match in which you have a seat: five in half a minute."""
    return json_response(request.kontor.talk.say(request.call, match_id, request.body["phrase"]), 201)


@routes.get("/v1/me/blocks", Reply(200, "Whom you have blocked.", Blocked), who=PLAYER)
def list_blocks(request: ApiRequest) -> Answer:
    """List the players whom you have blocked."""
    player = request.player.player
    blocked = request.kontor.blocks.of([player]).get(player, frozenset())
    known = request.kontor.players.get_many(blocked)
    return json_response(Blocked([known[one] for one in sorted(blocked) if one in known]))


@routes.put(_BLOCK, Reply(204, "The player is blocked."), who=ACCOUNT, problems=(409,))
def block_player(request: ApiRequest, player_id: str) -> Answer:
    """Block a player, who is not told.

    They can't invite you, seeks do not pair you with them, and you do not get their phrases.
    """
    request.kontor.blocks.add(request.player, request.kontor.players.get(player_id).id)
    return Answer(status=204)


@routes.delete(_BLOCK, Reply(204, "The player is not blocked."), who=ACCOUNT)
def unblock_player(request: ApiRequest, player_id: str) -> Answer:
    """Unblock a player."""
    request.kontor.blocks.remove(request.player, player_id)
    return Answer(status=204)


@routes.post(
    "/v1/players/<id:player_id>/reports",
    Reply(204, "The administrators can read the report."),
    who=PLAY,
    body=schemas.ReportRequest(),
)
def report_player(request: ApiRequest, player_id: str) -> Answer:
    """Report a player to the administrators of this service, at most ten times a day.

    The player is not told. A report is deleted after a year, or with your account.
    """
    body = request.body
    request.kontor.reports.add(
        request.player, request.key, player_id, body["reason"], body["text"], body["match"]
    )
    return Answer(status=204)


@routes.get("/v1/reports", Reply(200, "The reports.", ReportList), who=ADMIN, query=schemas.ReportsQuery())
def list_reports(request: ApiRequest) -> Answer:
    """As an administrator, list the open reports about players, the oldest first."""
    query = request.query
    return json_response(ReportList(request.kontor.reports.list(query["limit"], is_open=not query["closed"])))


@routes.put(
    "/v1/reports/<id:report_id>/outcome",
    Reply(204, "The report is closed."),
    who=ADMIN,
    body=schemas.ReportOutcome(),
)
def close_report(request: ApiRequest, report_id: str) -> Answer:
    """As an administrator, close a report; `banned` bans the player, which `kontor admin unban` lifts."""
    request.kontor.close_report(report_id, request.body["outcome"])
    return Answer(status=204)
