"""A request as it is understood: who asks, for what, under which key, decided on which version."""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from flask import Request
from marshmallow import Schema, ValidationError

from kontor_games.api.fields import sentence
from kontor_games.api.json_body import pointer_step, read_json
from kontor_games.api.problems import BadHeaderError, BadParameterError, NotAcceptableError, WrongMediaTypeError
from kontor_games.domain.codec import Fault, MalformedError, Plain, digest
from kontor_games.service.errors import UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller

KEY = r"[!-~]{1,255}"
IF_MATCH = r'\*|"[0-9]{1,15}"|[0-9]{1,15}'
_KEY = re.compile(KEY)
_IF_MATCH = re.compile(IF_MATCH)
_JSON_TYPES = ("application/json", "application/json; charset=utf-8", "application/json;charset=utf-8")


class ApiRequest:
    """What a view function gets besides the parts of the path."""

    __slots__ = ("body", "caller", "digest", "if_version", "key", "kontor", "media_type", "query")

    def __init__(self, kontor: Kontor) -> None:
        """Nothing is read yet."""
        self.kontor = kontor
        self.caller: Caller | None = None
        self.query: dict[str, Any] = {}
        self.body: Any = None
        self.key: str | None = None
        self.digest = ""
        self.if_version: int | None = None
        self.media_type = ""

    @property
    def player(self) -> Caller:
        """The caller, where only a known one gets as far as this."""
        if self.caller is None:
            raise UnauthorisedError("this needs a token")
        return self.caller


def read_caller(environ: Mapping[str, Any], kontor: Kontor) -> Caller | None:
    """Who asks; None where they do not say so."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise UnauthorisedError("say who you are with `Authorization: Bearer <token>`")
    return kontor.tokens.authenticate(text.strip(" "))


def read_query(request: Request, form: Schema | None, nothing: dict[str, Any], *, needed: bool = False) -> dict[str, Any]:
    """The query string by its form; `nothing` is what an empty one means, unless one is needed."""
    if not needed and not request.environ.get("QUERY_STRING"):
        return nothing
    try:
        given = request.args.to_dict(flat=False)
    except ValueError as error:
        raise BadParameterError("the query string can't be read") from error
    twice = [name for name, values in given.items() if len(values) > 1]
    faults = [_parameter(name, "must stand there once") for name in twice]
    values = {name: values[0] for name, values in given.items()}
    unreadable = [name for name, value in values.items() if "\0" in name + value]
    faults += [_parameter(name, "must be Unicode text without NUL") for name in unreadable]
    if form is None:
        faults += [_parameter(name, "is not known here") for name in given]
    if faults:
        raise BadParameterError("some query parameters can't be used; `errors` says which and why", faults)
    if form is None:
        return nothing
    try:
        return dict(form.load(values))
    except ValidationError as error:
        faults = [_parameter(fault.pointer[1:], fault.detail) for fault in faults_of(error)]
        raise BadParameterError("some query parameters can't be used; `errors` says which and why", faults) from error


def _parameter(name: str, detail: str) -> dict[str, str]:
    return {"parameter": name[:100].encode(errors="replace").decode().replace("\0", "?"), "detail": detail}


def read_body(request: Request, form: Schema | None, *, optional: bool) -> tuple[Plain, Plain]:
    """The request body, as sent and by its form; where it is optional, none at all is as good as an empty object."""
    raw = request.get_data(cache=False)
    if not raw and optional:
        sent: Plain = {}
    else:
        _require_json(request)
        sent = read_json(raw)
    if form is None:
        return sent, sent
    try:
        return sent, form.load(sent)
    except ValidationError as error:
        raise MalformedError(faults_of(error)) from error


def _require_json(request: Request) -> None:
    given = request.environ.get("CONTENT_TYPE", "")
    if given in _JSON_TYPES:
        return
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise WrongMediaTypeError("send the body as `Content-Type: application/json` in UTF-8")


def faults_of(error: ValidationError) -> list[Fault]:
    """What marshmallow found, each with a JSON Pointer."""
    found: list[Fault] = []

    def walk(messages: Any, at: str) -> None:
        if isinstance(messages, dict):
            for name, inner in messages.items():
                walk(inner, at if name == "_schema" else f"{at}/{pointer_step(str(name))}")
        else:
            found.extend(Fault(at, sentence(text)) for text in messages)

    walk(error.messages, "")
    return found


def digest_of(request: Request, sent: Plain) -> str:
    """By which a retry of a request is told from another request under the same key."""
    return digest([request.method, request.path, sent])


def check_request_id(environ: Mapping[str, Any]) -> None:
    """Refuses an id that could not be logged as it is."""
    given = environ.get("HTTP_REQUEST_ID")
    if given is not None and given != environ["kontor.request_id"]:
        _refuse_header("Request-Id", "must have 1 to 64 letters, digits, dots, dashes or underscores")


def read_key(environ: Mapping[str, Any]) -> str | None:
    """The Idempotency-Key, if there is one."""
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not _KEY.fullmatch(key):
        _refuse_header("Idempotency-Key", "must have 1 to 255 visible ASCII characters")
    return key


def read_if_match(environ: Mapping[str, Any]) -> int | None:
    """The version that the caller decided on, if they say so."""
    header = environ.get("HTTP_IF_MATCH")
    if header is None or header == "*":
        return None
    if not _IF_MATCH.fullmatch(header):
        _refuse_header("If-Match", 'must be one version, such as "17", or *')
    return int(header.strip('"'))


def _refuse_header(name: str, detail: str) -> NoReturn:
    raise BadHeaderError(f"the header {name} {detail}", [{"header": name, "detail": detail}])


def choose_media_type(request: Request, offered: tuple[str, ...]) -> str:
    """The offered media type that the client likes best; the first where it does not care."""
    accept = request.environ.get("HTTP_ACCEPT")
    if accept is None or accept == "*/*" or accept == offered[0]:
        return offered[0]
    best = request.accept_mimetypes.best_match([*offered, *(f"{kind};charset=utf-8" for kind in offered)])
    if best is None:
        raise NotAcceptableError("there is " + ", ".join(offered) + " here")
    return best.partition(";")[0]
