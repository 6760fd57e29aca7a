"""What the service knows, as clients get it: plain data, then bytes."""

import time
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import msgspec
from flask import Response

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.entry import HOUSE
from kontor_games.domain.game import Rules
from kontor_games.domain.match import Match
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Answer, Events, Happening, Look
from kontor_games.service.people.players import Player
from kontor_games.service.people.tokens import Token

encode = msgspec.json.encode
PRIVATE = "private, no-cache"
"""Keep it, but ask each time whether it still holds: that costs nothing with If-None-Match."""
UNSTORED = "no-store"
LASTING = "max-age=86400, immutable"
"""What a past version looked like never changes, but a player's name can be erased: so a day, not for ever."""


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def moment(ms: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


def json_response(data: Plain, status: int = 200, cache_control: str = UNSTORED) -> Response:
    """Plain data as a response."""
    response = Response(encode(data), status, content_type="application/json")
    response.headers["Cache-Control"] = cache_control
    return response


# --- players and tokens ----------------------------------------------------------------------------------------------------


def player(known: Player) -> dict[str, Plain]:
    """An account as everybody sees it."""
    return {"id": known.id, "name": known.name, "bot": known.bot, "created_at": moment(known.created_at)}


def token(known: Token) -> dict[str, Plain]:
    """A token after it was shown."""
    return {
        "id": known.id,
        "label": known.label,
        "scopes": list(known.scopes),
        "created_at": moment(known.created_at),
        "expires_at": None if known.expires_at is None else moment(known.expires_at),
        "last_four": known.last_four,
    }


# --- matches ---------------------------------------------------------------------------------------------------------------


def full_match(kontor: Kontor, look: Look | Answer) -> dict[str, Plain]:
    """A match with everything the viewer may know of it."""
    match, created = look.match, look.match.created
    return {
        "id": look.id,
        "game": created.game,
        "ruleset": {"game": created.game, "version": created.rules_version, "data": created.data, "data_hash": created.data_hash},
        **_position(look),
        "seats": _seats(kontor, match),
        "options": created.options,
        "creator": created.creator,
        "on_timeout": created.on_timeout,
        "autostart": created.autostart,
        "private": created.private,
        "meet_bots": created.meet_bots,
        "practice": created.practice,
        "branch": created.branch,
        "chance": {
            "commitment": created.commitment,
            "sealed": created.sealed,
            "due": _moment(match.due),
            "open_seed": created.open_seed,
            "server_secret": created.server_secret if match.over or is_truth(look) else None,
        },
    }


def summary(kontor: Kontor, look: Look) -> dict[str, Plain]:
    """A match in a list: who plays what, and for whom it waits."""
    match, created = look.match, look.match.created
    return {
        "id": look.id,
        "game": created.game,
        "status": match.status,
        "version": match.version,
        "at": moment(match.at),
        "you": None if look.viewer == SPECTATOR else look.viewer,
        "to_act": list(match.to_act),
        "seats": _seats(kontor, match),
        "private": created.private,
        "meet_bots": created.meet_bots,
        "practice": created.practice,
        "branch": created.branch,
        "clock": {"kind": created.clock.kind, "ms": created.clock.ms, "increment_ms": created.clock.increment_ms},
    }


def turn(answer: Answer) -> dict[str, Plain]:
    """What a player needs after a move: what happened, where the match stands, what can be done next."""
    return {"id": answer.id, **_position(answer), **facts(answer)}


def facts(answer: Answer) -> dict[str, Plain]:
    """What a command caused; the fact at index i has the version `first` + i."""
    match = answer.match
    eyes = match.eyes(answer.viewer)
    return {"first": answer.first, "facts": [match.show(fact, eyes) for fact in answer.facts]}


def receipt(kontor: Kontor, answer: Answer) -> dict[str, Plain]:
    """The service's signed word on where a command has brought the match (docs/chain.md); the same again for a retry."""
    return {"receipt": kontor.signer.receipt(answer.id, answer.match.version, answer.head, answer.at).plain()}


def is_truth(look: Look | Answer) -> bool:
    """Whether nothing is hidden from whoever looks."""
    return isinstance(look, Look) and look.truth


def _position(look: Look | Answer) -> dict[str, Plain]:
    match, viewer = look.match, look.viewer
    return {
        "status": match.status,
        "version": match.version,
        "at": moment(match.at),
        "you": None if viewer == SPECTATOR else viewer,
        "to_act": list(match.to_act),
        "legal_moves": _legal_moves(match, viewer),
        "view": match.rules.view(match.state, ARBITER if is_truth(look) else match.eyes(viewer)) if match.begun else None,
        "clock": _clock(match, look.at),
        "result": _result(match),
        "head": look.head,
    }


def _legal_moves(match: Match, viewer: int) -> list[Plain]:
    """All that the viewer's own seat can do now; a kind of move that is too many to list is given by its schema."""
    if viewer == SPECTATOR or viewer not in match.may_act:
        return []
    rules = match.rules
    listed = [rules.move_codec.encode(move) for move in rules.legal_moves(match.state, viewer)]
    return listed + [_open_move(rules, kind.type) for kind in rules.open_moves(match.state, viewer)]


@cache
def _open_move(rules: Rules[Any], kind: str) -> Plain:
    return {"type": kind, "schema": rules.move_codec.schema(kind)}


def _seats(kontor: Kontor, match: Match) -> list[Plain]:
    taken = [seat.player for seat in match.seats if seat and seat.house is None]
    invited = [plan.player for plan in match.created.seats if plan.player]
    known = kontor.players.get_many({*taken, *invited}) if taken or invited else {}
    return [_seat(match, number, known) for number in range(len(match.seats))]


def _seat(match: Match, number: int, known: Mapping[str, Player]) -> Plain:
    plan, taken = match.created.seats[number], match.seats[number]
    return {
        "seat": number,
        "type": plan.kind,
        "player": None if taken is None else _sitter(taken.player, taken.house, known, bot=taken.bot),
        "invited": None if plan.player is None else _sitter(plan.player, None, known, bot=False),
        "absent": number in match.absent,
    }


def _sitter(player_id: str, house: str | None, known: Mapping[str, Player], *, bot: bool) -> Plain:
    """Who sits there. House bots are called by their kind; a player who was erased has no name any more."""
    account = known.get(player_id)
    name = house if player_id == HOUSE else account.name if account else None
    return {"id": player_id, "name": name, "bot": account.bot if account else bot}


def _clock(match: Match, at: int) -> Plain:
    """The clocks as they stood at a moment, with the moments at which they will have run down."""
    clock, settings = match.clock, match.clock.settings
    shown: dict[str, Plain] = {"kind": settings.kind, "ms": settings.ms, "increment_ms": settings.increment_ms}
    if clock.runs:
        seats = range(len(match.seats))
        shown["server_time"] = moment(at)
        shown["seats"] = [{"seat": seat, "remaining_ms": clock.left(seat, at), "deadline": _moment(clock.deadline(seat))} for seat in seats]
    return shown


def _moment(ms: int | None) -> str | None:
    return None if ms is None else moment(ms)


def _result(match: Match) -> Plain:
    outcome = match.outcome
    if outcome is None:
        return None
    return {"places": list(outcome.places), "scores": outcome.scores, "reason": outcome.reason}


# --- events ----------------------------------------------------------------------------------------------------------------


def events(found: Events) -> list[Plain]:
    """Facts as the viewer may see them now."""
    match = found.match
    eyes = match.eyes(found.viewer)
    return [_event(match, happening, eyes) for happening in found.happenings]


def _event(match: Match, happening: Happening, eyes: int) -> Plain:
    return {"version": happening.version, "at": moment(happening.at), "by": happening.by, "fact": match.show(happening.fact, eyes)}


def events_page(found: Events, after: int) -> Plain:
    """A page of a match's log; `next` is where the following page begins, whether or not there is more yet."""
    last = found.happenings[-1].version if found.happenings else after
    return {
        "match": found.id,
        "status": found.match.status,
        "version": found.match.version,
        "events": events(found),
        "next": None if found.match.over and last >= found.match.version else last,
    }


def lines(items: Iterable[Plain]) -> bytes:
    """NDJSON."""
    return b"".join(encode(item) + b"\n" for item in items)
