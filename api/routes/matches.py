"""Matches: create, find, view, join, leave, start, resign, abort."""

from dataclasses import replace
from typing import Any

from kontor_games.api import render
from kontor_games.api.answers import KeyedMatchAnswer, KeyedMatchAnswers
from kontor_games.api.contract import COMMAND_HEADERS, NOT_MODIFIED, Reply, Routes
from kontor_games.api.problems import problem_of
from kontor_games.api.request import ApiRequest, charge
from kontor_games.api.schemas import new_matches as requests
from kontor_games.api.schemas import queries as schemas
from kontor_games.domain.codec import digest
from kontor_games.domain.commands import Abort, Decline, Join, Leave, Open, Resign, Start
from kontor_games.domain.stream import Command
from kontor_games.service.matches import answers
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.many_moves import REFUSALS
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import ORGANISE, PLAY

routes = Routes("matches", __name__, description="Create, find, join and view matches.")
_PATH = "/v1/matches/<id:match_id>"
_FACTS = "The facts that the command caused, and the match afterwards."
_ANSWERED = Reply(201, _FACTS, answers.CommandAnswer, headers=COMMAND_HEADERS)
_CREATED = Reply(201, _FACTS, answers.CommandAnswer, headers=("Location", *COMMAND_HEADERS))
_ON_MATCH: dict[str, Any] = {"who": PLAY, "query": schemas.TellQuery(), "versioned": True}
"""The contract that all commands on a match share."""
_ORGANISED: dict[str, Any] = {**_ON_MATCH, "who": (PLAY, ORGANISE)}
"""The contract of commands that the creator of a match can send even without a seat in it."""


@routes.post(
    "/v1/matches", _CREATED, who=(PLAY, ORGANISE), query=schemas.TellQuery(), body=requests.MatchRequest()
)
def create_match(request: ApiRequest) -> render.Answer:
    """Create a match.

    A seat of type `me` is yours immediately; house bots take their seats immediately. The match starts as
    soon as all seats are taken, unless `autostart` is false. Creating a match with a seat for yourself needs
    the scope `play`; creating one for others needs only `organise`. The number of open and running matches
    that you have created is limited (`quota_reached`); `GET /v1/me` shows the limits. Players can restrict
    who may invite them (`invitation_not_welcome`). A match that nobody joins or plays expires (`expires_at`,
    docs/time.md).
    """
    return _created(request.kontor.matches.create(request.call, _spec(request.body)))


@routes.post(
    "/v1/match-batches",
    Reply(200, "The outcome for each match.", KeyedMatchAnswers),
    who=(PLAY, ORGANISE),
    body=requests.MatchesRequest(),
)
def create_matches(request: ApiRequest) -> render.Answer:
    """Create many matches with one request.

    Each match is created or refused independently, as by `POST /v1/matches`, and has its own answer; quotas
    apply. A match without a `key` gets one from the header `Idempotency-Key`: that key, a dot, and the index
    of the match. Each match counts as one request against the rate limit. If the request itself is malformed,
    nothing is created.
    """
    specs = request.body["matches"]
    charge(request, "write", len(specs) - 1)
    made = [_new(request, index, spec) for index, spec in enumerate(specs)]
    return render.json_response(KeyedMatchAnswers(made))


def _new(request: ApiRequest, index: int, spec: dict[str, Any]) -> KeyedMatchAnswer:
    """Create one match of a batch; a refusal becomes its answer and does not stop the batch."""
    key = spec.pop("key") or (request.key and f"{request.key}.{index}")
    call = Call(request.player, key, digest(["POST", "/v1/match-batches", spec]))
    try:
        made = request.kontor.matches.create(call, _spec(spec))
    except REFUSALS as error:
        problem = problem_of(error)
        return KeyedMatchAnswer(problem.status, False, None, problem.body("/v1/matches"))
    return KeyedMatchAnswer(201, made.replayed, made, None)


@routes.post(
    f"{_PATH}/branches",
    _CREATED,
    who=PLAY,
    query=schemas.TellQuery(),
    body=requests.BranchRequest(),
    headers=("Match-Key",),
)
def branch_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Create a match against house bots that starts in a position of this match (a branch).

    If this match is over, anyone who may see it can branch from it; hidden cards are as they really were. If
    it is running, only its players can, and only if it was created with `practice`; everything hidden from
    them is drawn again at random. Branches are private and never rated.
    """
    return _created(request.kontor.branches.branch(request.call, match_id, BranchSpec(**request.body)))


@routes.post(f"{_PATH}/rematch", _CREATED, who=PLAY, query=schemas.TellQuery())
def create_rematch(request: ApiRequest, match_id: str) -> render.Answer:
    """Create the rematch of a finished match: same players, options and clock, everyone moved on by one seat.

    Only its players can do this. Each match has one rematch, with seats reserved for all its players; later
    requests return the same match. It has a new deal, even if this match had an open seed.
    """
    return _created(request.kontor.rematches.rematch(request.call, match_id))


@routes.post(f"{_PATH}/link-key", Reply(201, "The new key.", answers.LinkKey), who=(PLAY, ORGANISE))
def renew_link_key(request: ApiRequest, match_id: str) -> render.Answer:
    """Replace the key of a private match that you created. The old key no longer gives access."""
    return render.json_response(request.kontor.queries.renew_link(request.call, match_id), 201)


def _spec(spec: dict[str, Any]) -> MatchSpec:
    seats = tuple(SeatSpec(seat["type"], seat["player"], seat["bot"]) for seat in spec["seats"])
    return MatchSpec(**{**spec, "seats": seats, "tags": tuple(spec["tags"])})


def _execute(request: ApiRequest, match_id: str, command: Command, status: int = 201) -> render.Answer:
    return _respond(request.kontor.matches.execute(request.call, match_id, command), status)


def _created(answer: answers.CommandAnswer) -> render.Answer:
    response = _respond(answer)
    response.headers["Location"] = f"/v1/matches/{answer.position.id}"
    return response


def _respond(answer: answers.CommandAnswer, status: int = 201) -> render.Answer:
    headers = {"ETag": f'"{answer.position.version}"', **render.replay_header(replayed=answer.replayed)}
    return render.json_response(answer, status, headers=headers)


@routes.get(
    "/v1/matches", Reply(200, "One page of matches.", answers.MatchPage), query=schemas.MatchesQuery()
)
def list_matches(request: ApiRequest) -> render.Answer:
    """List the matches that you may see, newest first."""
    return render.json_response(request.kontor.queries.page(request.caller, **request.query))


@routes.get(
    _PATH,
    Reply(200, "The match.", answers.Match, headers=("ETag",)),
    NOT_MODIFIED,
    query=schemas.VersionQuery(),
    headers=("If-None-Match", "Match-Key"),
    problems=(409,),
)
def get_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Get a match as you may see it now or, with `version`, as you could see it at that version.

    Once the match is over, everyone who may see it can add `truth=true` to include what was hidden at that
    version.
    """
    version, http = request.query["version"], request.http
    known = http.if_none_match if "HTTP_IF_NONE_MATCH" in http.environ else None
    found = request.kontor.queries.show(
        request.reader,
        match_id,
        version,
        truth=request.query["truth"],
        is_known=None
        if known is None
        else lambda found, seats: known.contains_weak(render.match_tag(found, seats)),
        language=request.query["tell"],
    )
    if isinstance(found, answers.NotModified):
        response, private = render.Answer(status=304), found.private
        tag = render.match_tag(found.version, found.seats)
    else:
        response = render.json_response(found)
        private = found.details.private
        tag = render.match_tag(found.position.version, found.details.seats)
    response.headers["ETag"] = f'"{tag}"'
    response.headers["Cache-Control"] = (
        render.PRIVATE if version is None else render.immutable(request.caller, private=private)
    )
    return render.varying(response, "Authorization")


@routes.post(f"{_PATH}/seats", _ANSWERED, body=requests.Joining(), headers=("Match-Key",), **_ON_MATCH)
def join_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Join a match: take the given seat, or the first one that you may take."""
    body = request.body
    join = Join(body["seat"], request.player.bot, body["contribution"], body["key"])
    return _respond(request.kontor.matches.join(request.call, match_id, join))


@routes.delete(f"{_PATH}/seats/me", replace(_ANSWERED, status=200), **_ON_MATCH)
def leave_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Leave your seat before the match starts."""
    return _execute(request, match_id, Leave(), 200)


@routes.post(f"{_PATH}/decline", _ANSWERED, **_ON_MATCH)
def decline_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Decline an invitation before the match starts.

    The seat that was reserved for you is then open to everyone who may see the match. The match no longer
    appears in your lists and events. `PUT /v1/me/invitations` sets who may invite you.
    """
    return _execute(request, match_id, Decline())


@routes.post(f"{_PATH}/bots", _ANSWERED, body=requests.SeatingBot(), **_ORGANISED)
def seat_bot(request: ApiRequest, match_id: str) -> render.Answer:
    """Give a free seat of a match that you created to a house bot.

    Whoever was invited to the seat is no longer waited for. A rated match has no house bots.
    """
    body = request.body
    made = request.kontor.matches.seat_bot(
        request.call, match_id, body["seat"], body["bot"], body["bot_version"]
    )
    return _respond(made)


@routes.post(f"{_PATH}/contribution", _ANSWERED, body=requests.Opening(), **_ON_MATCH)
def open_contribution(request: ApiRequest, match_id: str) -> render.Answer:
    """Open your sealed contribution: send the value whose hash you sent when you joined.

    The match starts when the last contribution is opened.
    """
    return _execute(request, match_id, Open(request.body["value"]))


@routes.post(f"{_PATH}/start", _ANSWERED, **_ORGANISED)
def start_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Start a full match that you created with `autostart` set to false."""
    return _execute(request, match_id, Start())


@routes.post(f"{_PATH}/resignation", _ANSWERED, **_ON_MATCH)
def resign_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Resign from a running match. While others play on, the service makes quiet moves for your seat."""
    return _execute(request, match_id, Resign())


@routes.post(f"{_PATH}/abort", _ANSWERED, **_ORGANISED)
def abort_match(request: ApiRequest, match_id: str) -> render.Answer:
    """Abort a match, or agree to abort it.

    The creator can abort it before the first move; after that, all players must agree.
    """
    return _execute(request, match_id, Abort())
