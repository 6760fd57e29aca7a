"""Answers that combine several parts of the service or that only HTTP has, and the schemas of all answers."""

import ast
from collections.abc import Iterable
from inspect import getsource
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from kontor_games.api.render import answers_in, marks
from kontor_games.service.answer_fields import INLINE, INTERNAL, Id, Inline, Moment, known
from kontor_games.service.matches.answers import BriefMoveAnswer, CommandAnswer
from kontor_games.service.matches.quotas import Quota
from kontor_games.service.people.directory import ListedPlayer
from kontor_games.service.people.players import InvitationsFrom, Player
from kontor_games.service.people.reports import Report
from kontor_games.service.ratings.queries import PlayerRating

_Path = Annotated[str, Meta(extra_json_schema={"format": "uri-reference"})]


class EntranceLinks(Struct, frozen=True):
    """Paths of the main resources."""

    games: str
    """Path of the list of games."""
    matches: str
    """Path of the list of matches."""
    docs: str
    """Path of the API description as an HTML page."""
    openapi: str
    """Path of the API description as an OpenAPI document."""


class Entrance(Struct, frozen=True):
    """The entry point of the API: links to the main resources."""

    name: str
    """Name of the service."""
    version: str
    """Version of the service."""
    page_build: str
    """Hash of all files of the web page; a new value means that the page was upgraded."""
    links: EntranceLinks
    """Paths of the main resources."""


class Health(Struct, frozen=True):
    """Health of the service."""

    status: Annotated[str, known("ok")]
    """`ok`; errors are reported as problems."""
    version: str
    """Version of the service."""


class Fault(Struct, frozen=True, kw_only=True):
    """One invalid value in a request: it has a `pointer`, a `parameter` or a `header`."""

    pointer: str | UnsetType = UNSET
    """JSON Pointer to the value in the request body."""
    parameter: str | UnsetType = UNSET
    """Name of the query parameter."""
    header: str | UnsetType = UNSET
    """Name of the request header."""
    detail: str
    """What is wrong with the value."""


class Problem(Struct, frozen=True):
    """A problem as defined by RFC 9457."""

    type: Annotated[_Path, Meta(examples=["/docs#not_your_turn"])]
    """Link to a description of this kind of problem."""
    title: str
    """Summary of this kind of problem; the same for every occurrence."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong in this case."""
    instance: _Path
    """Path of the request."""
    code: Annotated[str, Meta(examples=["not_your_turn"])]
    """Stable name of this kind of problem, for programs."""
    rule: Annotated[str, Meta(examples=["S-14"])] | UnsetType = UNSET
    """Number of the rule of the game that forbids the move."""
    index: int | UnsetType = UNSET
    """Index of the refused move, if several were sent."""
    current_version: int | UnsetType = UNSET
    """Current version of the match, if `If-Match` named an older one."""
    expected: str | UnsetType = UNSET
    """The exact text that must be signed, if a signature is missing or wrong."""
    expected_as_sent: str | UnsetType = UNSET
    """The same text with the moves as they were sent, if they are stored in another form; a signature over
    either text is valid."""
    errors: list[Fault] | UnsetType = UNSET
    """All invalid values of the request."""


class MyQuotas(Struct, frozen=True):
    """The limits on the matches that you created."""

    open_matches: Quota
    """Matches that you created and that have not started."""
    running_matches: Quota
    """Running matches that you created."""


class UsedToken(Struct, frozen=True):
    """The token with which this request was sent."""

    id: Id
    """Id of the token, for revoking it."""
    scopes: list[str]
    """The scopes of the token."""
    expires_at: Moment | None
    """Time at which the token expires; null if it never does."""


class Me(Struct, frozen=True):
    """Your own account."""

    player: Inline[Player]
    invitations_from: InvitationsFrom
    """Who may invite you to matches."""
    recovery_set_at: Moment | None
    """Time at which the recovery phrase of your account was stored; null if it has none."""
    quotas: MyQuotas
    used_token: UsedToken


class Calls(Struct, frozen=True):
    """How you are called when a match waits for you and you are away."""

    push_key: str | None
    """The key to which browsers subscribe (`applicationServerKey`), in Base64url; null if this service sends
    no push messages."""
    devices: list[str]
    """The ids of your devices that get push messages."""


class MailAddress(Struct, frozen=True):
    """The address at which you get e-mail."""

    offered: bool
    """Whether this service sends e-mail."""
    address: str | None
    """The address; null if there is none."""
    confirmed: bool
    """Whether you have followed the link that was sent to it; before, you get no other mail."""


class Blocked(Struct, frozen=True):
    """The players whom you have blocked."""

    players: list[Player]
    """The players."""


class ReportList(Struct, frozen=True):
    """Reports about players."""

    reports: list[Report]
    """The reports, the oldest first."""


class PlayerProfile(ListedPlayer, frozen=True):
    """A player with their ratings."""

    ratings: tuple[PlayerRating, ...]
    """Ratings by game."""


class KeyedMatchAnswer(Struct, frozen=True):
    """The outcome for one match of a batch, as `POST /v1/matches` would have answered."""

    status: int
    """HTTP status: 201 if the match was created, otherwise that of the problem."""
    replayed: bool
    """Whether the match was created by an earlier request with the same key."""
    answer: CommandAnswer | None
    """The match; null if it was refused."""
    problem: Problem | None
    """Why it was refused; null if it was created."""


class KeyedMatchAnswers(Struct, frozen=True):
    """The outcome for each match."""

    answers: list[KeyedMatchAnswer]
    """One answer for each match, in the same order."""


class MatchMovesAnswer(Struct, frozen=True):
    """The outcome of one command of `POST /v1/moves`."""

    match: Id
    """Id of the match."""
    status: int
    """The HTTP status with which `POST /v1/matches/{match_id}/moves` would have answered: 201, or that of the
    problem."""
    replayed: bool
    """Whether this repeats the answer to an earlier command with the same key."""
    answer: BriefMoveAnswer | None
    """The facts and the new position; null if the command was refused."""
    problem: Problem | None
    """Why the command was refused; null if it was executed."""


class MatchMovesAnswers(Struct, frozen=True):
    """The outcome of each command."""

    answers: list[MatchMovesAnswer]
    """One answer for each command, in the same order."""


Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
_NULL = {"type": "null"}


def answer_schemas(answers: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """The schemas of answers, and of all answers that are parts of them, by name."""
    kinds = {kind.__name__: kind for answer in answers for kind in answers_in(answer)}
    _, found = msgspec.json.schema_components(
        kinds.values(), schema_hook=_schema_of_other, ref_template=REFERENCE
    )
    return {name: _object(kind, found) for name, kind in kinds.items()}


def _schema_of_other(kind: type) -> Schema:
    if kind is not Moment:
        raise NotImplementedError(kind)
    return {"type": "string", "format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}


def _object(kind: type[msgspec.Struct], known: dict[str, Schema]) -> Schema:
    """The schema of an answer, with the fields of the answers that are inline."""
    properties, required, texts = dict[str, Schema](), list[str](), _descriptions(kind)
    for field in fields(kind):
        if INLINE in marks(field):
            part = _object(answers_in(field.type)[0], known)
            properties |= part["properties"]
            required += part["required"]
        elif INTERNAL not in marks(field):
            schema = _simplified(known[kind.__name__]["properties"][field.encode_name])
            properties[field.encode_name] = _described(schema, texts.get(field.name), field)
            required += [field.encode_name] if field.required else []
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _described(schema: Schema, text: str | None, field: FieldInfo) -> Schema:
    """A schema with its description; only other answers, which are described themselves, need none."""
    if text is None and not answers_in(field.type):
        raise LookupError(f"The field {field.name} has no docstring: {field.type}.")
    return schema if text is None else {**schema, "description": text}


def _descriptions(kind: type) -> dict[str, str]:
    """The docstrings of the fields of a class and its bases, without line breaks."""
    found = dict[str, str]()
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _docstrings(base)
    return found


def _docstrings(kind: type) -> dict[str, str]:
    [known] = ast.parse(dedent(getsource(kind))).body
    pairs = pairwise(known.body) if isinstance(known, ast.ClassDef) else ()
    return {
        ast.unparse(field.target): " ".join(str(ast.literal_eval(text.value)).split())
        for field, text in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }


def _simplified(node: Any) -> Any:
    """A schema as readers of the contract expect it: null is one more type, and words may get new values."""
    if isinstance(node, list):
        return [_simplified(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {name: _simplified(inner) for name, inner in node.items()}
    if "enum" in schema:
        schema |= {"type": "string", "x-extensible-enum": schema.pop("enum")}
    if _NULL in schema.get("anyOf", ()):
        [other] = [one for one in schema.pop("anyOf") if one != _NULL]
        either = {**other, "type": [other["type"], "null"]} if "type" in other else {"anyOf": [other, _NULL]}
        schema |= either
    return schema
