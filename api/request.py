"""Reads requests: path, headers and body, checked against the contract of the operation."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Request

from kontor_games.api.json_body import read_json
from kontor_games.api.problems import (
    BadHeaderError,
    NotAcceptableError,
    WrongMediaTypeError,
)
from kontor_games.api.query_string import QueryParser, faults_of
from kontor_games.api.render import Answer
from kontor_games.api.schemas.fields import KEY, MATCH_KEY, SIGNATURE
from kontor_games.domain.codec import Fault, MalformedError, Plain, digest
from kontor_games.service.errors import RateLimitedError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.limits import LimitState, address_key
from kontor_games.service.people.tokens import Caller
from kontor_games.service.slices import making_a_move

if TYPE_CHECKING:
    from kontor_games.api.contract import Operation
    from kontor_games.api.openapi import Description
    from kontor_games.api.streams import Pace

View = Callable[..., Any]
"""A view function; it returns an `Answer` or a response of Werkzeug, both of which are WSGI applications."""
Environ = dict[str, Any]
Cost = Literal["read", "write", "move", "register", "stream", "health"]
ANYONE = "anyone"
"""No token is read."""
GUEST = "guest"
"""A token is optional; it decides what the caller may see."""
PLAYER = "player"
"""Any valid token. Where a scope stands in its place, the token must have that scope."""

REQUEST_ID = r"[A-Za-z0-9._-]{1,64}"
_REQUEST_ID = re.compile(REQUEST_ID)
IF_MATCH = r'\*|"[0-9]{1,15}(-[0-9a-f]{1,64})?"|[0-9]{1,15}'
_HEADER_RULES = {
    "Idempotency-Key": (re.compile(KEY), "must have 1 to 255 visible ASCII characters"),
    "If-Match": (re.compile(IF_MATCH), 'must be one version, such as "17", or *'),
    "Match-Key": (re.compile(MATCH_KEY), "must be the key of a private match, 24 characters"),
}
_SIGNATURE = re.compile(SIGNATURE)
_ANONYMOUS = Caller("", bot=False, scopes=frozenset(), token="")
"""The caller of a request with a match key but without a token."""
_JSON_TYPES = ("application/json", "application/json; charset=utf-8", "application/json;charset=utf-8")


def request_id(given: str | None) -> str:
    """The id of a request: the one that the client gave, or a new one if that is invalid or missing."""
    return given if given and _REQUEST_ID.fullmatch(given) else token_hex(8)


@dataclass(frozen=True)
class Services:
    """What all operations of an application use."""

    kontor: Kontor
    pace: "Pace"
    description: "Description"
    dispatch: Callable[["ApiRequest"], Any] = field(default=lambda _: None, compare=False)
    """Answers another request inside this one, as the door would, without counting or logging it."""


@dataclass(slots=True)
class ApiRequest:
    """A request. View functions get it besides the path parameters, once it satisfies its contract.

    It starts empty; `Responder` fills it.
    """

    environ: Environ
    services: Services
    id: str = field(init=False)
    path: str = field(init=False)
    kontor: Kontor = field(init=False)
    operation: str = "none"
    """The name of the operation, for logs and metrics."""
    status: int = 0
    """The status of the response, once it has begun."""
    limit: tuple[str, LimitState] | None = None
    """The rate limit that the request counted against, and its state afterwards."""
    caller: Caller | None = None
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    key: str | None = None
    digest: str = ""
    if_version: int | None = None
    signature: str | None = None
    match_key: str | None = None
    media_type: str = ""
    _http: Request | None = None

    def __post_init__(self) -> None:
        self.id = request_id(self.environ.get("HTTP_REQUEST_ID"))
        self.path = _path_of(self.environ)
        self.kontor = self.services.kontor

    @property
    def http(self) -> Request:
        """The request as a Werkzeug object, created on first use."""
        if self._http is None:
            # Not stored in its environment: a cycle would keep both until the garbage collector runs.
            self._http = Request(self.environ, populate_request=False)
            self._http.max_content_length = self.kontor.settings.body_limit
        return self._http

    @property
    def address(self) -> str:
        """The IP address of the client."""
        return self.environ.get("REMOTE_ADDR") or ""

    @property
    def player(self) -> Caller:
        """The caller of an operation that needs a token."""
        if self.caller is None:
            raise UnauthorisedError("This request needs a token.")
        return self.caller

    @property
    def reader(self) -> Caller | None:
        """The caller for reading a match, anonymous without a token, with the match key of the request."""
        if self.match_key is None:
            return self.caller
        return replace(self.caller or _ANONYMOUS, match_key=self.match_key)

    @property
    def call(self) -> Call:
        """Caller, Idempotency-Key, version, signature and language of the command in this request."""
        player = self.player
        if self.match_key is not None:
            player = replace(player, match_key=self.match_key)
        return Call(player, self.key, self.digest, self.if_version, self.signature, self.query.get("tell"))


class Responder:
    """Answers the requests of one operation; only valid requests reach its view function."""

    def __init__(self, operation: "Operation", view: View) -> None:
        self._operation, self._view = operation, view
        self._offered, self._writes = operation.media_types, operation.writes
        self._shows_key = "Match-Key" in operation.headers
        self._schema = operation.body if isinstance(operation.body, Schema) else None
        self._body_optional = not operation.body_required
        self._query_parser = QueryParser(operation.query)
        self.answers = [one for reply in operation.replies for one in reply.answers]

    def respond(self, request: ApiRequest, path: Mapping[str, Any]) -> Any:
        """Check a request against the contract and return the response of the view function."""
        operation, environ = self._operation, request.environ
        request.operation = self._view.__name__
        check_request_id(request)
        request.media_type = choose_media_type(request, self._offered)
        if operation.who != ANYONE:
            _admit(operation.who, request, anew=operation.cost == "write")
        parser = self._query_parser
        has_query = parser.required or environ.get("QUERY_STRING")
        request.query = parser.read(environ) if has_query else parser.defaults
        cost = operation.cost(request) if callable(operation.cost) else operation.cost
        if cost is not None:
            charge(request, cost)
        if cost == "move":  # a move counts as one request, however much CPU time it takes
            with making_a_move():
                return self._call(request, path)
        if cost is None:
            return self._call(request, path)
        # A stream waits for facts, and nobody may wait for it; and a node must always say that it is alive.
        key = request.caller.player if request.caller else address_key(request.address)
        waits = (cost == "stream" and callable(operation.cost)) or cost == "health"
        with request.kontor.heavy_callers.measured(key, takes_turns=not waits) as cpu_ms:
            response = self._call(request, path, is_stream=cost == "stream")
            request.kontor.limits.charge(request.caller or request.address, cost, cpu_ms())
        return response

    def _call(self, request: ApiRequest, path: Mapping[str, Any], *, is_stream: bool = False) -> Any:
        """Read the rest of the request, and call the view function."""
        operation, environ = self._operation, request.environ
        if self._writes:
            request.key = read_header(environ, "Idempotency-Key", "HTTP_IDEMPOTENCY_KEY")
        if operation.precondition is not None:
            operation.precondition(request, **path)
        if operation.body is not None:
            sent, request.body = read_body(request, self._schema, optional=self._body_optional)
            request.digest = digest([environ["REQUEST_METHOD"], request.path, sent])
        if self._shows_key:
            request.match_key = read_header(environ, "Match-Key", "HTTP_MATCH_KEY")
        if operation.versioned:
            request.if_version = read_if_match(environ)
            request.signature = read_signature(environ)
        return _count_stream(self._view, request, path) if is_stream else self._view(request, **path)


def _admit(callers: str | tuple[str, ...], request: ApiRequest, *, anew: bool) -> None:
    """Authenticate the caller; raise an error if the token is missing or lacks the scope.

    With `anew`, the token is read from the database, however recently it was read before.
    """
    request.caller = read_caller(request.environ, request.kontor, anew=anew)
    if callers == GUEST:
        return
    if request.caller is None:
        raise UnauthorisedError(
            "This request needs a token: `Authorization: Bearer <token>`. `POST /v1/players` creates one."
        )
    if callers != PLAYER:
        request.caller.require(*([callers] if isinstance(callers, str) else callers))


def _count_stream(view: View, request: ApiRequest, path: Mapping[str, Any]) -> Any:
    """Call a view function whose response may block; it counts as an open stream until the response ends."""
    close = request.kontor.streams.open(request.address, request.caller)
    try:
        response = view(request, **path)
    except BaseException:
        close()
        raise
    if isinstance(response, Answer):
        close()  # it is complete
    else:
        response.call_on_close(close)
    return response


def charge(
    request: ApiRequest,
    cost: Cost,
    calls: int = 1,
    *,
    payer: Caller | str | None = None,
    count_refused: bool = False,
) -> None:
    """Count calls against the limit of the token or, without one, of the address they come from.

    `payer` is another token or address. A batch counts as several calls; with `count_refused`, refused calls
    count, too.
    """
    payer = payer if payer is not None else request.caller or request.address
    try:
        request.limit = cost, request.kontor.limits.check(payer, cost, calls, count_refused=count_refused)
    except RateLimitedError as error:
        request.limit = cost, LimitState(error.limit, 0, error.reset_ms)
        raise


def read_caller(environ: Mapping[str, Any], kontor: Kontor, *, anew: bool = False) -> Caller | None:
    """Return the authenticated caller; None without an Authorization header."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise UnauthorisedError("Send the token as `Authorization: Bearer <token>`.")
    return kontor.tokens.authenticate(text.strip(" "), anew=anew)


def read_body(request: ApiRequest, schema: Schema | None, *, optional: bool) -> tuple[Plain, Plain]:
    """Return the request body as sent, and as loaded by its schema.

    A missing optional body counts as an empty object.
    """
    raw = _read_bytes(request)
    if not raw and optional:
        sent: Plain = {}
    else:
        _require_json(request)
        sent = read_json(raw)
    if schema is None:
        return sent, sent
    try:
        return sent, schema.load(sent)
    except ValidationError as error:
        raise MalformedError(faults_of(error, schema)) from error


def _read_bytes(request: ApiRequest) -> bytes:
    environ, limit = request.environ, request.kontor.settings.body_limit
    length = environ.get("CONTENT_LENGTH") or ""
    if not length.isdigit():
        return request.http.get_data(cache=False)
    if int(length) > limit:
        raise RequestEntityTooLarge
    sent: bytes = environ["wsgi.input"].read(int(length))
    return sent


def _require_json(request: ApiRequest) -> None:
    if request.environ.get("CONTENT_TYPE", "") in _JSON_TYPES:
        return
    charset = request.http.mimetype_params.get("charset", "utf-8").lower()
    if request.http.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise WrongMediaTypeError("Send the body as `Content-Type: application/json` in UTF-8.")


def _path_of(environ: Mapping[str, Any]) -> str:
    """The path of a request; the router would take //v1/games for /v1/games."""
    path: str = environ["PATH_INFO"]
    if not path.isascii():
        path = path.encode("latin-1").decode(errors="replace")
    if path.startswith("//"):
        return "/." + path
    return path if path.startswith("/") else "/" + path


def check_request_id(request: ApiRequest) -> None:
    """Refuse an invalid Request-Id, which was replaced by another one."""
    given = request.environ.get("HTTP_REQUEST_ID")
    if given is not None and given != request.id:
        refuse_header("Request-Id", "must have 1 to 64 letters, digits, dots, dashes or underscores")


def read_header(environ: Mapping[str, Any], name: str, key: str) -> str | None:
    """The value of a header, by its key in the environment, or None."""
    value: str | None = environ.get(key)
    if value is not None:
        pattern, rule = _HEADER_RULES[name]
        if not pattern.fullmatch(value):
            refuse_header(name, rule)
    return value


def read_if_match(environ: Mapping[str, Any]) -> int | None:
    """The version in If-Match, or None; the rest of the ETag is ignored."""
    header = read_header(environ, "If-Match", "HTTP_IF_MATCH")
    return None if header is None or header == "*" else int(header.strip('"').partition("-")[0])


def read_signature(environ: Mapping[str, Any]) -> str | None:
    """The player's signature, or None."""
    signature = environ.get("HTTP_KONTOR_SIGNATURE")
    if signature is not None and not _SIGNATURE.fullmatch(signature):
        wrong = "must be an Ed25519 signature in Base64, 88 characters"
        raise MalformedError([Fault("/headers/Kontor-Signature", wrong)])
    return signature


def refuse_header(name: str, detail: str) -> NoReturn:
    """Raise the error for an invalid header."""
    raise BadHeaderError(f"The header {name} {detail}.", [{"header": name, "detail": detail}])


def choose_media_type(request: ApiRequest, offered: tuple[str, ...]) -> str:
    """The offered media type that the client prefers; the first one if it has no preference."""
    accept = request.environ.get("HTTP_ACCEPT")
    if accept is None or accept == "*/*" or accept == offered[0]:
        return offered[0]
    # Without white space: the pattern by which werkzeug splits media types takes quadratic time for it.
    accepted = parse_accept_header("".join(accept.split()), MIMEAccept)
    best = accepted.best_match([*offered, *(f"{kind};charset=utf-8" for kind in offered)])
    if best is None:
        raise NotAcceptableError("Available media types: " + ", ".join(offered) + ".")
    return best.partition(";")[0]
