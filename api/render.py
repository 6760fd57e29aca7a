"""Renders the answers of the service as JSON responses, by the annotations of their fields."""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo, asdict, fields
from werkzeug.wrappers import Request

from kontor_games.domain.codec import Plain
from kontor_games.service.answer_fields import INLINE, INTERNAL, Moment
from kontor_games.service.matches.answers import Seat
from kontor_games.service.people.tokens import Caller

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
    answer: Any, status: int = 200, cache_control: str = NO_STORE, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return an answer of the service as a JSON response."""
    return Answer(encode(answer), status, {"Cache-Control": cache_control, **(headers or {})})


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


def match_tag(version: int, seats: Iterable[Seat]) -> str:
    """The ETag of a match, without quotes: its version and a digest of the names that are shown with it."""
    names = [[holder and holder.name for holder in (seat.player, seat.invited)] for seat in seats]
    return names_tag(version, names)


def names_tag(version: int, names: Plain) -> str:
    """The ETag, without quotes, of a version with names: names can change without a new version."""
    return f"{version}-{sha256(encode(names)).hexdigest()[:_TAG_DIGITS]}"


# --- answers as JSON ----------------------------------------------------------------------------------------


def encode(answer: Any) -> bytes:
    """Encode an answer, a list of answers, or plain data that contains no answer, as JSON."""
    return _ENCODER.encode(json_form(answer))


def json_form(answer: Any) -> Any:
    """The JSON objects of an answer or of a list of them: what the encoder cannot find out itself."""
    if isinstance(answer, Struct):
        return _members(answer) if _FORMS[type(answer)].differs else answer
    return [json_form(one) for one in answer] if isinstance(answer, list | tuple) else answer


class _Form(NamedTuple):
    """How the JSON object of an answer differs from its fields."""

    differs: bool
    """Whether it does so in a way that the encoder does not know."""
    shown: tuple[tuple[str, str, bool], ...]
    """The fields that are in the JSON: their names, their names in the JSON, and whether they are inline."""
    parts: tuple[str, ...]
    """The names in the JSON of fields with answers that differ themselves."""
    optional: tuple[str, ...]
    """The names of fields that may be absent."""


class _Forms(dict[type[Struct], _Form]):
    """The forms of all kinds of answers, from the annotations of their fields."""

    def __missing__(self, kind: type[Struct]) -> _Form:
        own = [one for one in fields(kind) if INTERNAL not in marks(one)]
        shown = tuple((one.name, one.encode_name, INLINE in marks(one)) for one in own)
        parts = tuple(
            one.encode_name
            for one in own
            if INLINE not in marks(one) and any(self[part].differs for part in answers_in(one.type))
        )
        differs = bool(parts) or len(own) < len(fields(kind)) or any(inline for *_, inline in shown)
        optional = tuple(one.name for one in own if UnsetType in get_args(one.type))
        form = self[kind] = _Form(differs, shown, parts, optional)
        return form


_FORMS = _Forms()


def marks(field: FieldInfo) -> tuple[Any, ...]:
    """What the annotation of a field says besides the type."""
    return getattr(field.type, "__metadata__", ())


def answers_in(shape: Any) -> list[type[Struct]]:
    """The answers that a type contains, such as a list of them, with those in their fields."""
    if isinstance(shape, type) and issubclass(shape, Struct):
        return [shape, *(one for field in fields(shape) for one in answers_in(field.type))]
    return [one for part in get_args(shape) for one in answers_in(part)]


def _members(answer: Struct) -> dict[str, Any]:
    form = _FORMS[type(answer)]
    if not form.differs:
        members = asdict(answer)
        for name in form.optional:
            if members[name] is UNSET:
                del members[name]
        return members
    members = {}
    for name, key, inline in form.shown:
        value = getattr(answer, name)
        if inline:
            members = members | _members(value) if members else _members(value)
        elif value is not UNSET:
            members[key] = value
    for key in form.parts:
        members[key] = json_form(members[key])
    return members


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def moment(ms: int) -> str:
    """Format milliseconds since 1970 as RFC 3339 in UTC."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


def _encode_other(value: Any) -> str:
    if type(value) is Moment:
        return moment(value)
    raise NotImplementedError(type(value))


_ENCODER = msgspec.json.Encoder(enc_hook=_encode_other)
