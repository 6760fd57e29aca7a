"""Renders the answers of the service as JSON responses."""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Request, Response

from kontor_games.domain.codec import Plain
from kontor_games.service.matches import answers
from kontor_games.service.matches.quotas import Quota
from kontor_games.service.people.players import Player
from kontor_games.service.people.tokens import SCOPES, Caller, Token
from kontor_games.service.ratings.queries import LadderEntry, PlayerRating
from kontor_games.service.seeks.store import Seek
from kontor_games.service.slices import in_slices
from kontor_games.service.tournaments.answers import TournamentEvents

encode, fields_of, to_builtins = msgspec.json.encode, msgspec.structs.asdict, msgspec.to_builtins
NDJSON = "application/x-ndjson"
PRIVATE = "private, no-cache"
"""Clients may cache it, but must revalidate it, which is cheap with If-None-Match."""
FRESH = "public, no-cache"
"""The same for content that everybody may see: an upgrade of the page takes effect immediately."""
NO_STORE = "no-store"
PUBLIC = "public, max-age=300"
_TAG_DIGITS = 12
_STATUS_LINES = {status.value: f"{status.value} {status.phrase.upper()}" for status in HTTPStatus}


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def moment(ms: int) -> str:
    """Format milliseconds since 1970 as RFC 3339 in UTC."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


def json_response(
    data: Plain, status: int = 200, cache_control: str = NO_STORE, headers: Mapping[str, str] | None = None
) -> Response:
    """Return plain data as a JSON response."""
    headers = {"Cache-Control": cache_control, **(headers or {})}
    return Response(encode(data), status, headers, content_type="application/json")


class JsonAnswer:
    """A JSON response for operations that are called without Flask: a minimal WSGI application."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, data: Plain, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.body = encode(data)
        self.status = status
        self.headers = {"Cache-Control": NO_STORE, **(headers or {})}

    def __call__(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        """Answer a request."""
        common = [("Content-Type", "application/json"), ("Content-Length", str(len(self.body)))]
        start_response(_STATUS_LINES[self.status], [*common, *self.headers.items()])
        return [self.body]


def export_response(content: bytes, name: str) -> Response:
    """An export as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.ndjson"', "Cache-Control": PRIVATE}
    return Response(content, content_type=NDJSON, headers=headers)


def replay_header(*, replayed: bool) -> dict[str, str]:
    """Return the header that marks the response to a repeated request."""
    return {"Idempotency-Replayed": "true"} if replayed else {}


@lru_cache(maxsize=64)
def _etag(content: bytes) -> str:
    """Return the ETag; it is cached because the same content is sent often."""
    return sha256(content).hexdigest()[:16]


def public_response(http: Request, content: bytes, media_type: str = "application/json") -> Response:
    """Return content that is the same for everyone and changes only with an upgrade, or 304."""
    response = Response(content, content_type=media_type, headers={"Cache-Control": PUBLIC})
    response.set_etag(_etag(content))
    return conditional(http, response)


def conditional(http: Request, response: Response) -> Response:
    """Return the response, or 304 without a body if the client's cached copy is current."""
    response.make_conditional(http.environ)
    response.headers.pop("Date", None)  # Werkzeug adds one here, and the server adds one to every response
    return response


def immutable(caller: Caller | None, *, private: bool) -> str:
    """The Cache-Control of past versions, which never change.

    It is limited to a day because players' names can be deleted. Shared caches keep only public matches.
    """
    return f"{'private' if private or caller else 'public'}, max-age=86400, immutable"


def match_tag(version: int, seats: Iterable[answers.Seat]) -> str:
    """The ETag of a match, without quotes: its version and a digest of the names that are shown with it."""
    names = [[holder and holder.name for holder in (seat.player, seat.invited)] for seat in seats]
    return names_tag(version, names)


def names_tag(version: int, names: Plain) -> str:
    """The ETag, without quotes, of a version with names: names can change without a new version."""
    return f"{version}-{sha256(encode(names)).hexdigest()[:_TAG_DIGITS]}"


# --- players and tokens -------------------------------------------------------------------------------------


def player(player: Player) -> dict[str, Plain]:
    """An account as everybody sees it."""
    return {**to_builtins(player), "created_at": moment(player.created_at)}


def me(account: Player, invitations_from: str, quotas: Iterable[Quota], caller: Caller) -> dict[str, Plain]:
    """An account as its owner sees it."""
    used = {
        "id": caller.token,
        "scopes": [scope for scope in SCOPES if scope in caller.scopes],
        "expires_at": _moment(caller.expires_at),
    }
    counted = {f"{one.status}_matches": {"used": one.used, "limit": one.limit} for one in quotas}
    return player(account) | {"invitations_from": invitations_from, "quotas": counted, "used_token": used}


def token(token: Token) -> dict[str, Plain]:
    """A token without its text."""
    times = {"created_at": moment(token.created_at), "expires_at": _moment(token.expires_at)}
    return {**to_builtins(token), **times}


def ladder_entry(entry: LadderEntry) -> dict[str, Plain]:
    """One line of a ladder."""
    return {**with_moments(entry.standing, "at"), "player": player(entry.player)}


def player_rating(rating: PlayerRating) -> dict[str, Plain]:
    """A player in one ladder."""
    history = [with_moments(point, "at") for point in rating.history]
    ladder = {"game": rating.game, "kind": rating.kind}
    return {**ladder, **with_moments(rating.standing, "at"), "history": history}


def seek(seek: Seek, who: Plain) -> dict[str, Plain]:
    """A seek with the account of its player."""
    return {
        "id": seek.id,
        "player": who,
        **fields_of(seek.terms),
        "opponents": seek.opponents,
        "status": seek.status,
        "match": seek.match_id,
        "created_at": moment(seek.created_at),
        "expires_at": moment(seek.expires_at),
    }


# --- matches ------------------------------------------------------------------------------------------------


def full_match(at: answers.Position, details: answers.Details) -> dict[str, Plain]:
    """A match with everything that its reader may see."""
    ruleset, chance = details.ruleset, details.chance
    first = {"id": at.id, "game": ruleset.game, "ruleset": ruleset}
    announced = with_moments(details, "expires_at") | {"chance": with_moments(chance, "due")}
    return first | position(at) | announced


def summary(summary: answers.Summary) -> dict[str, Plain]:
    """A match in a list: who plays what, and which seats it waits for."""
    return with_moments(summary, "at") | {"clock": _clock(summary.clock)}


def position(at: answers.Position | answers.BriefPosition) -> dict[str, Plain]:
    """The position of a match, and the legal moves of its reader."""
    return with_moments(at, "at") | {"clock": _clock(at.clock)}


def with_moments(answer: msgspec.Struct, *names: str) -> dict[str, Plain]:
    """The fields of an answer, with the named ones converted from milliseconds to RFC 3339."""
    shown = fields_of(answer)
    for name in names:
        shown[name] = _moment(shown[name])
    return shown


def turn(answer: answers.Answer | answers.BriefAnswer) -> dict[str, Plain]:
    """The answer to a move: the new position and the effects."""
    return {**position(answer.position), **effects(answer)}


def effects(answer: answers.Answer | answers.BriefAnswer) -> dict[str, Plain]:
    """The facts that a command caused and the receipt; the fact at index i has the version `first` + i."""
    shown = {"first": answer.first, "facts": answer.facts, "receipt": answer.receipt}
    return shown if answer.texts is None else {**shown, "texts": answer.texts}


def dry_run_result(tried: answers.DryRun) -> dict[str, Plain]:
    """The answer to a dry run of a move."""
    shown = {"passes": True, "version": tried.version, "facts": tried.facts, "view": tried.view}
    texts = {} if tried.texts is None else {"texts": tried.texts, "label": tried.label}
    return {**shown, **texts, "complete": tried.complete}


def _clock(clock: answers.Clocks) -> Plain:
    if clock.server_time is None:
        return {"kind": clock.kind, "ms": clock.ms, "increment_ms": clock.increment_ms}
    seats = [with_moments(one, "deadline") for one in clock.seats]
    return with_moments(clock, "server_time") | {"seats": seats}


def _moment(ms: int | None) -> str | None:
    return None if ms is None else moment(ms)


# --- events -------------------------------------------------------------------------------------------------


def events_page(found: answers.Events | TournamentEvents, after: int) -> Plain:
    """A page of the log of a match or tournament.

    `next` is the `after` of the next page, even if that page is still empty; None once the log is complete.
    """
    last = found.events[-1].version if found.events else after
    whose = {"match": found.match} if isinstance(found, answers.Events) else {"tournament": found.tournament}
    return {
        **whose,
        "status": found.status,
        "version": found.version,
        "events": [with_moments(one, "at") for one in in_slices(found.events)],
        "next": None if found.over and last >= found.version else last,
    }


def replay(replay: answers.Replay) -> dict[str, Plain]:
    """Positions of a match; each has either a view or a patch."""
    shown = fields_of(replay) | {"positions": [_replay_position(one) for one in replay.positions]}
    if replay.names is None:
        del shown["names"]
    return shown


def _replay_position(position: answers.ReplayPosition) -> dict[str, Plain]:
    shown = with_moments(position, "at")
    del shown["patch" if position.patch is None else "view"]
    if position.texts is None:
        del shown["texts"]
    return shown
