"""Turns errors into RFC 9457 problem+json responses; STATUS maps error classes to status codes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge
from werkzeug.routing import Map

from kontor_games.api import answers
from kontor_games.domain.codec import Fault, MalformedError, Plain, key_of
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_refusals import (
    MatchRefusal,
    NotCreatorError,
    NotInvitedError,
    NotSeatedError,
    SignatureError,
)
from kontor_games.domain.tournaments.refusals import RoleRefusal, TournamentRefusal
from kontor_games.service import errors

_MAX_LENGTH = 100
"""Longer names and paths are not compared; comparing takes quadratic time."""
_MAX_LISTED = 20
_SIMILAR = 0.7
PATHS = "`/docs` and `/openapi.json` list all paths."


def near_name(name: str, known: Sequence[str]) -> str:
    """What to add to the statement that a name is unknown: the nearest known one, or all if they are few."""
    if len(name) <= _MAX_LENGTH and (near := get_close_matches(name, known, 1, _SIMILAR)):
        return f"; did you mean `{near[0]}`?"
    if not known:
        return "; there are none here"
    listed = ", ".join(known[:_MAX_LISTED])
    return f"; known are {listed}" + (" and others" if len(known) > _MAX_LISTED else "")


def near_path(paths: Map, path: str) -> str:
    """The detail of the problem that a path leads nowhere, with the path that was probably meant."""
    near = _nearest(_templates(paths), path) if len(path) <= _MAX_LENGTH else None
    meant = f" Did you mean `{near}`?" if near else ""
    return f"There is no resource at this path.{meant} {PATHS}"


@lru_cache(maxsize=4)
def _templates(paths: Map) -> list[list[str]]:
    """The paths of the operations, with `*` for their parameters; files of the page are left out."""
    split = [rule.rule.split("/") for rule in paths.iter_rules()]
    return [
        ["*" if part.startswith("<") else part for part in parts]
        for parts in split
        if not any("path:" in part or "." in part for part in parts)
    ]


def _nearest(templates: list[list[str]], path: str) -> str | None:
    """The path of an operation that is most like another path, with the same parameters."""
    trimmed = "/" + path.strip("/")
    for wanted in (trimmed, f"/v1{trimmed}"):
        parts = wanted.split("/")
        found = [(_likeness(own, parts), own) for own in templates if len(own) == len(parts)]
        likeness, own = max(found, default=(0.0, []))
        if likeness:
            pairs = zip(own, parts, strict=True)
            return quote("/".join(part if name == "*" else name for name, part in pairs))
    return None


def _likeness(own: list[str], parts: list[str]) -> float:
    """How alike the fixed parts of two paths are, from 0 to 1; 0 if any of them is too different."""
    product = 1.0
    for name, part in zip(own, parts, strict=True):
        if name not in ("*", part):
            ratio = SequenceMatcher(None, name, part).ratio()
            product *= ratio if ratio >= _SIMILAR else 0.0
        if not product or (name == "*" and not part):
            return 0.0
    return product


MEDIA_TYPE = "application/problem+json"
_HEADERS = "/headers/"
_MAX_COMPARED = 5
"""Unknown names that are compared with the known ones; a request can have thousands."""
_GAMES = "kontor_games.domain.games."


class RequestError(Exception):
    """A request that is refused before a use case is called."""

    def __init__(self, detail: str, faults: Iterable[Mapping[str, str]] = ()) -> None:
        """Each fault has a `detail`, and a `parameter` or a `header`."""
        super().__init__(detail)
        self.detail = detail
        self.faults = list(faults)


class UnreadableError(RequestError):
    """The request body is not valid JSON."""


class BadHeaderError(RequestError):
    """A request header is invalid."""


class BadParameterError(RequestError):
    """A query parameter is unknown or invalid."""


class NotAcceptableError(RequestError):
    """None of the accepted media types is available."""


class WrongMediaTypeError(RequestError):
    """The request body must be JSON."""


class TooManyConnectionsError(RequestError):
    """Too many connections are open."""


class InvalidIdError(NotFound):
    """The id in the path is not valid. The router raises it, so it is one of Werkzeug's errors."""

    description = (
        "The id in this path is not valid. An id has 36 characters, hexadecimal digits in lower case and "
        "four hyphens, such as 0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11."
    )


class InvalidTileError(NotFound):
    """The index of a tile in the path is not valid."""

    description = (
        "This path does not end with the index of a tile: groups of three digits, "
        "all but the last after an x, and .p/ with the width of a partial tile, "
        "such as x001/234 or 007.p/30."
    )


STATUS: dict[type[Exception], int] = {
    UnreadableError: 400,
    BadHeaderError: 400,
    errors.UnauthorisedError: 401,
    errors.ForbiddenError: 403,
    NotSeatedError: 403,
    NotInvitedError: 403,
    errors.UnknownWitnessError: 403,
    errors.KeyProofInvalidError: 403,
    NotCreatorError: 403,
    SignatureError: 403,
    RoleRefusal: 403,
    errors.NotFoundError: 404,
    NotAcceptableError: 406,
    Refusal: 409,
    errors.StaleVersionError: 412,
    WrongMediaTypeError: 415,
    BadParameterError: 422,
    MalformedError: 422,
    errors.KeyReusedError: 409,
    errors.RateLimitedError: 429,
    errors.TooManyStreamsError: 429,
    TooManyConnectionsError: 503,
    errors.UnavailableError: 503,
    errors.RecordDamagedError: 503,  # an error of the service; the operator can repair the record
}
"""The HTTP status of each error class; a subclass without an entry has the status of its base class."""

_RETRY_AFTER_S: dict[type[Exception], int] = {
    errors.TooManyStreamsError: 5,
    TooManyConnectionsError: 2,
    errors.UnavailableError: 2,
    errors.RecordDamagedError: 60,  # the service does not read a damaged match again before that
}
"""The header Retry-After of errors that always have the same."""

_HTTP_PROBLEMS = {
    400: ("bad_request", "The request is malformed."),
    404: ("not_found", "There is no resource at this path."),
    405: ("method_not_allowed", "This path does not support the method."),
    408: ("request_timeout", "The request did not arrive in time."),
    413: ("body_too_large", "The request body is too large."),
    414: ("uri_too_long", "The request line is too long."),
    417: ("expectation_failed", "The header Expect supports only `100-continue`."),
    431: ("request_header_fields_too_large", "The headers are too large."),
    500: (
        "internal_error",
        "Internal error of the service. It was logged, and nothing was stored partially.",
    ),
    505: ("http_version_not_supported", "This service supports HTTP/1.0 and HTTP/1.1."),
}
"""Code and detail, by status, of problems that come from Werkzeug or the web server."""


@dataclass(frozen=True)
class Problem:
    """A problem (RFC 9457), before it becomes a response."""

    status: int
    code: str
    title: str
    detail: str
    more: dict[str, Plain] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def body(self, instance: str) -> answers.Problem:
        """The problem as the answer to a request for a path."""
        kind = f"/docs#{self.code}"
        return answers.Problem(kind, self.title, self.status, self.detail, instance, self.code, **self.more)


def status_of(kind: type[BaseException]) -> int:
    """The HTTP status of an error class; 500 if neither it nor a base class is in STATUS."""
    return next((STATUS[base] for base in kind.__mro__ if base in STATUS), 500)


def title_of(kind: type[BaseException]) -> str:
    """The title of an error class: the first line of its docstring."""
    return (kind.__doc__ or kind.__name__).split("\n")[0].rstrip(".")


def is_known(error: Exception) -> bool:
    """Whether it is one of our errors, and not a crash."""
    return isinstance(error, (*STATUS, errors.ServiceError))


def problem_of(error: Exception, *, reads: bool = False) -> Problem:
    """The problem for one of our errors; faults of a GET request (`reads`) are in its query."""
    kind = type(error)
    detail, more = getattr(error, "detail", None) or str(error), _more(error)
    if isinstance(error, MalformedError):
        faults = _faults(error, reads=reads)
        detail, more = summary([_sentence(fault) for fault in faults]), {"errors": faults}
    return Problem(status_of(kind), key_of(kind), title_of(kind), detail, more, _headers(error))


def _more(error: Exception) -> dict[str, Any]:
    """The members that only some problems have."""
    if isinstance(error, RequestError) and error.faults:
        return {"errors": error.faults}
    if isinstance(error, errors.StaleVersionError):
        return {"current_version": error.current}
    if isinstance(error, SignatureError):
        texts = {"expected": error.expected, "expected_as_sent": error.expected_as_sent}
        return {name: text for name, text in texts.items() if text}
    if isinstance(error, errors.KeyProofInvalidError):
        return {"expected": error.expected}
    if isinstance(error, Refusal):
        rule = {"rule": error.rule} if error.rule else {}
        return rule | ({} if error.index is None else {"index": error.index})
    return {}


def _faults(error: MalformedError, *, reads: bool) -> list[dict[str, str]]:
    """The faults with their places; the first unknown names are compared with the known ones."""
    found, compared = [], 0
    for fault in error.faults:
        near = ""
        if fault.known and compared < _MAX_COMPARED:
            near, compared = near_name(fault.pointer.rpartition("/")[2], fault.known), compared + 1
        found.append(_place(fault, reads=reads) | {"detail": fault.detail + near})
    return found


def _place(fault: Fault, *, reads: bool) -> dict[str, str]:
    """The place of a fault: a header, a query parameter of a GET request, or a pointer into the body."""
    if fault.pointer.startswith(_HEADERS):
        return {"header": fault.pointer.removeprefix(_HEADERS)}
    if reads:
        return {"parameter": fault.pointer[1:]}
    return {"pointer": fault.pointer}


def _sentence(fault: Mapping[str, str]) -> str:
    if "header" in fault:
        return f"The header {fault['header']} {fault['detail']}"
    if "parameter" in fault:
        return f"The query parameter `{fault['parameter']}` {fault['detail']}"
    return f"{fault['pointer'] or 'The body'} {fault['detail']}"


def summary(sentences: Sequence[str]) -> str:
    """The detail of a problem with several faults: the first one, and how many more there are."""
    first, more = sentences[0], len(sentences) - 1
    end = "" if first.endswith("?") else "."
    return f"{first}{end}" + (f" `errors` lists {more} more." if more else "")


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, errors.UnauthorisedError):
        return {"WWW-Authenticate": error.challenge}
    if isinstance(error, errors.StaleVersionError):
        return {"ETag": f'"{error.current}"'}
    if isinstance(error, errors.RateLimitedError):
        return {"Retry-After": str(-(-error.retry_after_ms // 1000))}
    retry_after_s = _RETRY_AFTER_S.get(type(error))
    return {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}


def problem_of_http(error: HTTPException, paths: Map, path: str, body_limit: int) -> Problem:
    """The problem for an error of Werkzeug; its own texts, written for browsers, are not used."""
    status, detail = error.code or 500, None
    if isinstance(error, InvalidIdError | InvalidTileError):
        detail = error.description
    elif isinstance(error, NotFound):
        detail = near_path(paths, path)
    elif isinstance(error, RequestEntityTooLarge):
        detail = f"The request body is too large: the limit is {body_limit} bytes."
    problem = http_problem(status, detail)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        problem.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return problem


def http_problem(status: int, detail: str | None = None) -> Problem:
    """The problem for an HTTP status, with its usual detail unless another one is given."""
    known = HTTPStatus(status)
    code, usual_detail = _HTTP_PROBLEMS.get(status) or (known.name.lower(), known.description)
    return Problem(status, code, known.phrase, detail or usual_detail)


def all_problems() -> dict[str, dict[str, Any]]:
    """Status and title of every problem by code, without the problems that only one game has."""
    known = {
        key_of(kind): {"status": status_of(kind), "title": title_of(kind)}
        for kind in error_kinds()
        if kind.__module__.startswith("kontor_games.") and not kind.__module__.startswith(_GAMES)
    }
    plain = {
        code: {"status": status, "title": HTTPStatus(status).phrase}
        for status, (code, _) in _HTTP_PROBLEMS.items()
    }
    return dict(sorted((plain | known).items()))


def error_kinds() -> list[type[Exception]]:
    """Every error class with a status, without base classes that are never raised."""
    found: list[type[Exception]] = []
    waiting: list[type[Exception]] = [*STATUS]
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found.append(kind)
            waiting += kind.__subclasses__()
    return [kind for kind in found if kind not in (Refusal, MatchRefusal, TournamentRefusal, RoleRefusal)]
