"""Reads requests: path, headers, query string and body, checked against the contract of the operation."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from flask import Request, Response
from flask import request as flask_request
from marshmallow import Schema, ValidationError
from werkzeug.routing import BaseConverter

from kontor_games.api.fields import message_of
from kontor_games.api.json_body import pointer_step, read_json
from kontor_games.api.problems import (
    BadHeaderError,
    BadParameterError,
    InvalidIdError,
    InvalidTileError,
    NotAcceptableError,
    WrongMediaTypeError,
)
from kontor_games.api.request_schemas import UUID
from kontor_games.domain.codec import Fault, MalformedError, Plain, digest
from kontor_games.domain.tiles import read_tile_path
from kontor_games.service.errors import RateLimitedError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.limits import LimitState
from kontor_games.service.people.tokens import Caller

if TYPE_CHECKING:
    from kontor_games.api.contract import Operation

View = Callable[..., Response]
Cost = Literal["read", "write", "move", "register", "stream"]
JSON = "application/json"
ANYONE = "anyone"
"""No token is read."""
GUEST = "guest"
"""A token is optional; it decides what the caller may see."""
PLAYER = "player"
"""Any valid token; a scope in its place must be among those of the token."""

KEY = r"[!-~]{1,255}"
IF_MATCH = r'\*|"[0-9]{1,15}"|[0-9]{1,15}'
_ID = re.compile(UUID)
_KEY = re.compile(KEY)
_IF_MATCH = re.compile(IF_MATCH)
_JSON_TYPES = ("application/json", "application/json; charset=utf-8", "application/json;charset=utf-8")


class IdConverter(BaseConverter):
    """The id of a player, token or match; a problem says what is wrong with anything else in its place."""

    regex = "[^/]+"
    part_isolating = True

    def to_python(self, value: str) -> str:
        """The id, if it has the form of one."""
        if not _ID.fullmatch(value):
            raise InvalidIdError
        return value


class NameConverter(BaseConverter):
    """The id of a game or the name of a data set; the service says which ones there are."""

    regex = "[^/]+"
    part_isolating = True


class GameConverter(NameConverter):
    """The id of a game."""


class LevelConverter(BaseConverter):
    """The level of a tile."""

    regex = "[0-9]|[1-5][0-9]|6[0-3]"
    part_isolating = True

    def to_python(self, value: str) -> int:
        """The level as a number."""
        return int(value)


class TileConverter(BaseConverter):
    """The index of a tile, in groups of three digits, with the width of a partial one."""

    regex = ".+"
    part_isolating = False

    def to_python(self, value: str) -> tuple[int, int]:
        """Index and width."""
        found = read_tile_path(value)
        if found is None:
            raise InvalidTileError
        return found


class ApiRequest:
    """A request that fulfils its contract: what a view function gets besides the parts of the path."""

    __slots__ = ("body", "caller", "digest", "http", "if_version", "key", "kontor", "media_type", "query")

    def __init__(self, kontor: Kontor, http: Request) -> None:
        """Starts empty; `guard` fills it."""
        self.kontor = kontor
        self.http = http
        self.caller: Caller | None = None
        self.query: dict[str, Any] = {}
        self.body: Any = None
        self.key: str | None = None
        self.digest = ""
        self.if_version: int | None = None
        self.media_type = ""

    @property
    def player(self) -> Caller:
        """The caller of an operation that needs a token."""
        if self.caller is None:
            raise UnauthorisedError("This request needs a token.")
        return self.caller

    @property
    def call(self) -> Call:
        """The envelope of the command that this request holds."""
        return Call(self.player, self.key, self.digest, self.if_version)


def guard(operation: "Operation", view: View) -> View:
    """Wrap a view function so that it is called only with requests that fulfil the contract."""
    offered, writes, query = operation.media_types, operation.writes, operation.query
    has_body, schema = (
        operation.body is not None,
        operation.body if isinstance(operation.body, Schema) else None,
    )
    needs_query = query is not None and any(field.required for field in query.fields.values())
    empty_query = query.load({}) if query and not needs_query else {}

    def handle(**path: Any) -> Response:
        http: Request = flask_request._get_current_object()  # type: ignore[attr-defined]  # each use of the proxy costs
        environ = http.environ
        request = ApiRequest(environ["kontor"], http)
        environ["kontor.operation"] = view.__name__
        check_request_id(environ)
        request.media_type = choose_media_type(http, offered)
        if operation.who != ANYONE:
            _admit(operation.who, request)
        request.query = read_query(http, query, empty_query, needed=needs_query)
        if operation.cost is not None:
            _charge(operation.cost, request)
        if has_body:
            sent, request.body = read_body(http, schema, optional=operation.optional_body)
            request.digest = digest([http.method, http.path, sent])
        if writes:
            request.key = read_key(environ)
            request.if_version = read_if_match(environ) if operation.versioned else None
        return view(request, **path)

    handle.__name__, handle.__doc__ = view.__name__, view.__doc__
    return handle


def _admit(who: str, request: ApiRequest) -> None:
    """Find out who calls; refuse those who may not."""
    request.caller = read_caller(request.http.environ, request.kontor)
    if who == GUEST:
        return
    if request.caller is None:
        raise UnauthorisedError(
            "This request needs a token: `Authorization: Bearer <token>`. `POST /v1/players` creates one."
        )
    if who != PLAYER:
        request.caller.require(who)


def _charge(cost: Cost | Callable[[ApiRequest], Cost], request: ApiRequest) -> None:
    """Count the request against the limit of its token, or of the address it comes from."""
    chosen, environ = cost(request) if callable(cost) else cost, request.http.environ
    try:
        state = request.kontor.limits.check(request.caller or request.http.remote_addr or "", chosen)
    except RateLimitedError as error:
        environ["kontor.limit"] = chosen, LimitState(error.limit, 0, error.reset_ms)
        raise
    environ["kontor.limit"] = chosen, state


def read_caller(environ: Mapping[str, Any], kontor: Kontor) -> Caller | None:
    """The caller; None if there is no Authorization header."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise UnauthorisedError("Send the token as `Authorization: Bearer <token>`.")
    return kontor.tokens.authenticate(text.strip(" "))


def read_query(
    request: Request, schema: Schema | None, empty: dict[str, Any], *, needed: bool = False
) -> dict[str, Any]:
    """The query string, read by its schema; `empty` is the meaning of an empty one, unless one is needed."""
    if not needed and not request.environ.get("QUERY_STRING"):
        return empty
    try:
        given = request.args.to_dict(flat=False)
    except ValueError as error:
        raise BadParameterError("The query string cannot be decoded.") from error
    repeated = [name for name, values in given.items() if len(values) > 1]
    faults = [_parameter(name, "must be given only once") for name in repeated]
    values = {name: values[0] for name, values in given.items()}
    unreadable = [name for name, value in values.items() if "\0" in name + value]
    faults += [_parameter(name, "must be Unicode text without NUL") for name in unreadable]
    known = schema.fields if schema else {}
    faults += [_parameter(name, "is not a known parameter") for name in given if name not in known]
    if faults:
        raise BadParameterError("Some query parameters are invalid; `errors` lists them.", faults)
    if schema is None:
        return empty
    try:
        return dict(schema.load(values))
    except ValidationError as error:
        faults = [_parameter(fault.pointer[1:], fault.detail) for fault in faults_of(error)]
        raise BadParameterError("Some query parameters are invalid; `errors` lists them.", faults) from error


def _parameter(name: str, detail: str) -> dict[str, str]:
    return {"parameter": name[:100].encode(errors="replace").decode().replace("\0", "?"), "detail": detail}


def read_body(request: Request, schema: Schema | None, *, optional: bool) -> tuple[Plain, Plain]:
    """The request body, as sent and as read by its schema.

    An optional body that is missing counts as an empty object.
    """
    raw = request.get_data(cache=False)
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
        raise MalformedError(faults_of(error)) from error


def _require_json(request: Request) -> None:
    given = request.environ.get("CONTENT_TYPE", "")
    if given in _JSON_TYPES:
        return
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise WrongMediaTypeError("Send the body as `Content-Type: application/json` in UTF-8.")


def faults_of(error: ValidationError) -> list[Fault]:
    """The faults that marshmallow found."""
    found: list[Fault] = []

    def walk(messages: Any, pointer: str) -> None:
        if isinstance(messages, dict):
            for name, inner in messages.items():
                walk(inner, pointer if name == "_schema" else f"{pointer}/{pointer_step(str(name))}")
        else:
            found.extend(Fault(pointer, message_of(text)) for text in messages)

    walk(error.messages, "")
    return found


def check_request_id(environ: Mapping[str, Any]) -> None:
    """Refuse a Request-Id that is too long or has other characters."""
    given = environ.get("HTTP_REQUEST_ID")
    if given is not None and given != environ["kontor.request_id"]:
        _refuse_header("Request-Id", "must have 1 to 64 letters, digits, dots, dashes or underscores")


def read_key(environ: Mapping[str, Any]) -> str | None:
    """The Idempotency-Key, or None."""
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not _KEY.fullmatch(key):
        _refuse_header("Idempotency-Key", "must have 1 to 255 visible ASCII characters")
    return key


def read_if_match(environ: Mapping[str, Any]) -> int | None:
    """The version in If-Match, or None."""
    header = environ.get("HTTP_IF_MATCH")
    if header is None or header == "*":
        return None
    if not _IF_MATCH.fullmatch(header):
        _refuse_header("If-Match", 'must be one version, such as "17", or *')
    return int(header.strip('"'))


def _refuse_header(name: str, detail: str) -> NoReturn:
    raise BadHeaderError(f"The header {name} {detail}.", [{"header": name, "detail": detail}])


def choose_media_type(request: Request, offered: tuple[str, ...]) -> str:
    """The offered media type that the client prefers; the first one if it has no preference."""
    accept = request.environ.get("HTTP_ACCEPT")
    if accept is None or accept == "*/*" or accept == offered[0]:
        return offered[0]
    best = request.accept_mimetypes.best_match([*offered, *(f"{kind};charset=utf-8" for kind in offered)])
    if best is None:
        raise NotAcceptableError("Available media types: " + ", ".join(offered) + ".")
    return best.partition(";")[0]
