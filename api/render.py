"""Renders the answers of the service as JSON responses."""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import msgspec
from werkzeug.wrappers import Request

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
Headers = list[tuple[str, str]]
JSON = "application/json"
NDJSON = "application/x-ndjson"
PRIVATE = "private, no-cache"
"""Clients may cache it, but must revalidate it, which is cheap with If-None-Match."""
FRESH = "public, no-cache"
"""The same for content that everybody may see: an upgrade of the page takes effect immediately."""
NO_STORE = "no-store"
PUBLIC = "public, max-age=300"
_TAG_DIGITS = 12
_WITHOUT_BODY = (204, 304)
_OF_BODY = ("Content-Type", "Content-Encoding", "Content-Language")
_STATUS_LINES = {status.value: f"{status.value} {status.phrase.upper()}" for status in HTTPStatus}


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def moment(ms: int) -> str:
    """Format milliseconds since 1970 as RFC 3339 in UTC."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


class Answer:
    """A response with a complete body: a WSGI application, at a tenth of the cost of one of Werkzeug's."""

    __slots__ = ("body", "headers", "status")

    def __init__(
        self,
        body: bytes = b"",
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str = JSON,
    ) -> None:
        self.body = body
        self.status = status
        self.headers = {"Content-Type": media_type, **(headers or {})}

    def __call__(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if self.status in _WITHOUT_BODY:
            headers = [one for one in self.headers.items() if one[0] not in _OF_BODY]
        else:
            headers = [*self.headers.items(), ("Content-Length", str(len(self.body)))]
        start_response(_STATUS_LINES[self.status], headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self.body]


def json_response(
    data: Plain, status: int = 200, cache_control: str = NO_STORE, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return plain data as a JSON response."""
    return Answer(encode(data), status, {"Cache-Control": cache_control, **(headers or {})})


def export_response(content: bytes, name: str) -> Answer:
    """An export as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.ndjson"', "Cache-Control": PRIVATE}
    return Answer(content, headers=headers, media_type=NDJSON)


def varying(answer: Answer, header: str) -> Answer:
    """Add the name of a request header on which the answer depends to its header Vary."""
    before = answer.headers.get("Vary")
    answer.headers["Vary"] = f"{before}, {header}" if before else header
    return answer


def replay_header(*, replayed: bool) -> dict[str, str]:
    """Return the header that marks the response to a repeated request."""
    return {"Idempotency-Replayed": "true"} if replayed else {}


@lru_cache(maxsize=64)
def _etag(content: bytes) -> str:
    """Return the ETag; it is cached because the same content is sent often."""
    return sha256(content).hexdigest()[:16]


def public_response(
    http: Request, content: bytes, media_type: str = JSON, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return content that is the same for everyone and changes only with an upgrade, or 304."""
    headers = {"Cache-Control": PUBLIC, "ETag": f'"{_etag(content)}"', **(headers or {})}
    return conditional(http, Answer(content, headers=headers, media_type=media_type))


def conditional(http: Request, answer: Answer) -> Answer:
    """Return the answer, or 304 without a body if the client's cached copy is current."""
    if http.if_none_match.contains_weak(answer.headers["ETag"].strip('"')):
        return Answer(status=304, headers=answer.headers)
    return answer


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
