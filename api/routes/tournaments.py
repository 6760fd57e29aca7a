"""Tournaments: announce, enter, pair, rule, sign off; standings, rounds and facts."""

from werkzeug.wrappers import Response

from kontor_games.api import streams
from kontor_games.api.contract import COMMAND_HEADERS, Reply, Routes, export_reply
from kontor_games.api.document_language import DocumentQuery, document, document_language
from kontor_games.api.page_files import document_file
from kontor_games.api.render import (
    JSON,
    NDJSON,
    PRIVATE,
    Answer,
    export_response,
    json_response,
    replay_header,
    varying,
)
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas import tournament_requests as requests
from kontor_games.api.stream_requests import KINDS, cost_of, facts_response, resumed_after
from kontor_games.domain.stream import Command
from kontor_games.domain.tournaments import commands
from kontor_games.service.people.tokens import ORGANISE, PLAY
from kontor_games.service.tournaments import answers
from kontor_games.service.tournaments import standings_files as files

routes = Routes(
    "tournaments", __name__, description="Tournaments: announced, paired, timed and scored by the service."
)
_DONE = Reply(201, "The facts that the command caused.", answers.TournamentAnswer, headers=COMMAND_HEADERS)
_PATH = "/v1/tournaments/<id:tournament_id>"
_CSV, _HTML = "text/csv", "text/html"


def _execute(request: ApiRequest, tournament_id: str, command: Command) -> Answer:
    return _respond(request.kontor.tournaments.execute(request.call, tournament_id, command))


def _respond(answer: answers.TournamentAnswer) -> Answer:
    headers = {"ETag": f'"{answer.details.version}"', **replay_header(replayed=answer.replayed)}
    return json_response(answer, 201, headers=headers)


@routes.post(
    "/v1/tournaments",
    Reply(201, "The tournament.", answers.TournamentAnswer, headers=("Location", *COMMAND_HEADERS)),
    who=ORGANISE,
    body=requests.new_tournament(),
)
def announce_tournament(request: ApiRequest) -> Answer:
    """Announce a tournament. Its terms are signed before anyone enters, and never change."""
    answer = request.kontor.tournaments.announce(request.call, request.body)
    response = _respond(answer)
    response.headers["Location"] = f"/v1/tournaments/{answer.details.id}"
    return response


@routes.get(
    "/v1/tournaments",
    Reply(200, "One page of tournaments.", answers.TournamentPage),
    query=requests.TournamentsQuery(),
)
def list_tournaments(request: ApiRequest) -> Answer:
    """List tournaments, newest first."""
    return json_response(request.kontor.tournaments.page(**request.query))


@routes.get(_PATH, Reply(200, "The tournament.", answers.Tournament, headers=("ETag",)))
def get_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Get a tournament with its terms."""
    found = request.kontor.tournaments.get(request.caller, tournament_id)
    return json_response(found, cache_control=PRIVATE, headers={"ETag": f'"{found.version}"'})


@routes.post(f"{_PATH}/opening", _DONE, who=ORGANISE)
def open_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Open the tournament for entries."""
    return _execute(request, tournament_id, commands.OpenEntry())


@routes.post(f"{_PATH}/entrants", _DONE, body=requests.Entering(), who=PLAY)
def enter_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Enter a tournament, or return after withdrawing.

    Send a contribution only after you have checked the signature in `chance.signed`, and open it as soon as
    `contributions_due` is among the facts of the tournament. Your matches appear in `GET /v1/events` when
    they are paired; take your seat in each of them.
    """
    command = commands.Enter(bot=request.player.bot, **request.body)
    return _respond(request.kontor.tournaments.enter(request.call, tournament_id, command))


@routes.post(f"{_PATH}/contribution", _DONE, body=requests.TournamentOpening(), who=PLAY)
def open_tournament_contribution(request: ApiRequest, tournament_id: str) -> Answer:
    """Open your sealed contribution. The tournament starts when all are opened.

    Whoever has not opened by the deadline `chance.due` is removed, and all others are asked to open another
    value: the one whose hash they have just opened.
    """
    return _execute(request, tournament_id, commands.OpenContribution(**request.body))


@routes.post(f"{_PATH}/entrants/me/withdrawal", _DONE, who=PLAY)
def withdraw_from_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Withdraw from a tournament: you are no longer paired. Matches that have started continue."""
    return _execute(request, tournament_id, commands.Withdraw())


@routes.post(f"{_PATH}/withdrawals", _DONE, body=requests.Withdrawal(), who=ORGANISE)
def withdraw_entrant(request: ApiRequest, tournament_id: str) -> Answer:
    """As organiser or arbiter, withdraw an entrant."""
    return _execute(request, tournament_id, commands.Withdraw(request.body["entrant"], request.body["why"]))


@routes.post(f"{_PATH}/start", _DONE, who=ORGANISE)
def start_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Start the tournament: the entrants open their contributions, and its seed is fixed.

    It starts as soon as all contributions are opened. If some are withheld, their entrants are removed, and
    the others open another value.
    """
    return _execute(request, tournament_id, commands.StartTournament())


def _require_round_due(request: ApiRequest, tournament_id: str) -> None:
    request.kontor.tournaments.require_round_due(request.player.player, request.key, tournament_id)


@routes.post(
    f"{_PATH}/rounds", _DONE, body=requests.RoundRequest(), who=ORGANISE, precondition=_require_round_due
)
def pair_round(request: ApiRequest, tournament_id: str) -> Answer:
    """Pair the next round by the announced format, or set your own tables."""
    tables = request.body["tables"]
    command = commands.PairRound(None if tables is None else tuple(tuple(table) for table in tables))
    return _execute(request, tournament_id, command)


@routes.get(f"{_PATH}/rounds/<number:number>", Reply(200, "The round.", answers.Round))
def get_round(request: ApiRequest, tournament_id: str, number: int) -> Answer:
    """Get a round: its tables, the figures that explain their pairing, their matches and results."""
    return json_response(request.kontor.tournaments.round(tournament_id, number), cache_control=PRIVATE)


@routes.get(
    f"{_PATH}/standings",
    Reply(200, "The standings.", answers.Standings, (JSON, NDJSON, _CSV, _HTML)),
    query=DocumentQuery(),
    headers=("Accept-Language",),
)
def get_standings(request: ApiRequest, tournament_id: str) -> Answer:
    """Get the standings: points, tie-breaks, 95% confidence intervals, and which entrants clearly differ.

    `Accept: text/csv` returns a table for spreadsheets, `application/x-ndjson` one entrant per line,
    `text/html` a page in the language that `language` or `Accept-Language` names.
    """
    standings = request.kontor.tournaments.standings(tournament_id)
    if request.media_type == JSON:
        response = json_response(standings, cache_control=PRIVATE)
    elif request.media_type == _HTML:
        response = _standings_page(request, tournament_id, standings)
    else:
        write = {NDJSON: files.standings_ndjson, _CSV: files.standings_csv}[request.media_type]
        kind, headers = f"{request.media_type}; charset=utf-8", {"Cache-Control": PRIVATE}
        response = Answer(write(standings).encode(), headers=headers, media_type=kind)
    return varying(response, "Accept")


def _standings_page(request: ApiRequest, tournament_id: str, standings: answers.Standings) -> Answer:
    details = request.kontor.tournaments.get(request.caller, tournament_id)
    language = document_language(request)
    page = files.standings_html(details, standings, document_file("documents.css"), language)
    return document(page, language, PRIVATE)


@routes.get(f"{_PATH}/refusals", Reply(200, "The refused moves.", answers.TournamentRefusals))
def get_refusals(request: ApiRequest, tournament_id: str) -> Answer:
    """Count the refused moves of each entrant, by problem code.

    Refused moves are not part of the record of a match; the service only counts those that players of the
    match sent. A table is included once all its matches are over.
    """
    return json_response(request.kontor.tournaments.refusals(tournament_id), cache_control=PRIVATE)


@routes.get(
    f"{_PATH}/events",
    Reply(200, "Facts of the tournament.", answers.TournamentEventPage, KINDS),
    Reply(204, "The tournament is over and you have all its facts. An SSE client then stops reconnecting."),
    cost=cost_of,
    query=requests.TournamentEventsQuery(),
    headers=("Last-Event-ID",),
)
def list_tournament_events(request: ApiRequest, tournament_id: str) -> Answer | Response:
    """Read the facts of a tournament, with those of all its tables, as a page, a long poll or a stream.

    The facts include entries, rounds, and the opening, start and end of every match (`match_opened`,
    `match_began`, `result_recorded`, `no_show_recorded`, `match_voided`, `result_ruled`). Pages
    and streams have the same form as those of a match (`GET /v1/matches/{match_id}/events`):
    `application/json` returns a page, with `wait` a long poll; `application/x-ndjson` and
    `text/event-stream` return a stream that ends with the tournament.
    """
    reader = streams.TournamentFactReader(request.kontor, tournament_id, resumed_after(request))
    return facts_response(request, tournament_id, reader)


@routes.post(f"{_PATH}/replays", _DONE, body=requests.ReplayRequest(), who=ORGANISE)
def replay_tournament_match(request: ApiRequest, tournament_id: str) -> Answer:
    """As organiser or arbiter, declare a match void and have it played again."""
    return _execute(request, tournament_id, commands.VoidMatch(request.body["match"], request.body["why"]))


@routes.post(f"{_PATH}/rulings", _DONE, body=requests.RulingRequest(), who=ORGANISE)
def rule_result(request: ApiRequest, tournament_id: str) -> Answer:
    """As organiser or arbiter, decide the result of a match; earlier results stay in the record."""
    return _execute(request, tournament_id, commands.Rule(*_ruling(request)))


@routes.post(f"{_PATH}/corrections", _DONE, body=requests.RulingRequest(), who=ORGANISE)
def correct_result(request: ApiRequest, tournament_id: str) -> Answer:
    """Correct a result after the standings are final; this creates a new edition beside the old one."""
    return _execute(request, tournament_id, commands.Correct(*_ruling(request)))


def _ruling(request: ApiRequest) -> tuple[str, tuple[int, ...], str]:
    return request.body["match"], tuple(request.body["places"]), request.body["why"]


@routes.post(f"{_PATH}/provisional-standings", _DONE, who=ORGANISE)
def post_standings(request: ApiRequest, tournament_id: str) -> Answer:
    """Post the provisional standings. With `automatic`, the service does this after the last round."""
    return _execute(request, tournament_id, commands.PostStandings())


@routes.post(f"{_PATH}/acknowledgements", _DONE, who=PLAY)
def acknowledge_standings(request: ApiRequest, tournament_id: str) -> Answer:
    """Agree with the provisional standings."""
    return _execute(request, tournament_id, commands.Acknowledge())


@routes.post(f"{_PATH}/protests", _DONE, body=requests.ProtestRequest(), who=PLAY)
def protest_standings(request: ApiRequest, tournament_id: str) -> Answer:
    """Protest against the provisional standings."""
    return _execute(request, tournament_id, commands.Protest(request.body["why"]))


@routes.post(f"{_PATH}/sign-off", _DONE, body=requests.SignOffRequest(), who=ORGANISE)
def sign_off_standings(request: ApiRequest, tournament_id: str) -> Answer:
    """Sign off the standings as final, once the time for protests is over or all entrants have agreed."""
    return _execute(request, tournament_id, commands.SignOff(request.body["despite_protests"]))


@routes.post(f"{_PATH}/cancellation", _DONE, body=requests.CancellationRequest(), who=ORGANISE)
def cancel_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Cancel the tournament, with a reason."""
    return _execute(request, tournament_id, commands.Cancel(request.body["why"]))


@routes.get(f"{_PATH}/export", export_reply("docs/tournaments.md"), cost="stream")
def export_tournament(request: ApiRequest, tournament_id: str) -> Answer:
    """Export a tournament with all its finished matches as one file, for `kontor verify`."""
    content = request.kontor.tournament_exports.export(tournament_id)
    return export_response(content, f"kontor-tournament-{tournament_id}")
