"""Fields that several request schemas share."""

from functools import partial
from typing import Any, TypeVar

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from kontor_games.api.schemas.fields import (
    QueryBoolean,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.api.schemas.patterns import CURSOR, GAME_ID, HEX_32_BYTES, MAX_WAIT_S, UUID, WITHOUT_NUL
from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.people.names import MAX_NAME_LENGTH

F = TypeVar("F", bound=fields.Field[Any])
NULLABLE: dict[str, Any] = {"allow_none": True, "load_default": None}
NAME, VERSION = length(1, MAX_NAME_LENGTH), between(1, MAX_INTEGER)
HEX = matching(HEX_32_BYTES, "64 hex digits in lower case: 32 random bytes")
GAME = matching(GAME_ID, "the id of a game")


def field(kind: type[F], description: str, validate: Any = None, **options: Any) -> F:
    """A field with its description, required unless it has a default; `schema` extends its JSON Schema."""
    metadata = {"description": description, **options.pop("schema", {})}
    return kind(required="load_default" not in options, validate=validate, metadata=metadata, **options)


integer = partial(field, StrictInteger)
query_integer = partial(field, QueryInteger)


def flag(description: str, *, default: bool = False) -> StrictBoolean:
    """A boolean in a body."""
    return field(StrictBoolean, description, load_default=default)


def query_flag(description: str, *, default: bool | None = False) -> QueryBoolean:
    """A boolean in a query string."""
    return field(QueryBoolean, description, load_default=default)


def text(description: str, validate: Any = None, **options: Any) -> fields.String:
    """A text field with its description; without a pattern or choices, it may contain anything but NUL."""
    if not isinstance(validate, Regexp | OneOf):
        options["schema"] = {"pattern": WITHOUT_NUL, **options.get("schema", {})}
    return field(fields.String, description, validate, **options)


def list_of(inner: fields.Field[Any], description: str, validate: Any, **options: Any) -> fields.List[Any]:
    """A list of fields."""
    return field(fields.List, description, validate, cls_or_instance=inner, **options)


def cursor() -> fields.String:
    """The cursor of a page."""
    is_cursor = matching(CURSOR, "a cursor from an earlier response")
    return text("The value of `next` in the previous page.", is_cursor, load_default=None)


def limit(description: str, default: int, maximum: int) -> QueryInteger:
    """The maximum number of items on a page."""
    return query_integer(description, between(1, maximum), load_default=default)


def game(description: str, **options: Any) -> fields.String:
    """The id of a game."""
    return text(description, GAME, **options)


def options(description: str) -> fields.Dict:
    """The options of a game."""
    schema = {"type": "object"}
    return field(fields.Dict, description, keys=fields.String(), load_default=dict, schema=schema)


def after() -> QueryInteger:
    """The version after which facts are returned."""
    return query_integer(
        "Return only facts after this version. The header `Last-Event-ID` takes precedence.",
        between(0, MAX_INTEGER),
        load_default=None,
    )


def wait() -> QueryInteger:
    """How long to wait for new facts."""
    return query_integer(
        "JSON: how many seconds to wait for a new fact if there is none (long poll; default: no wait). "
        "Streams: after how many seconds the stream ends (default: the maximum of the service).",
        between(0, MAX_WAIT_S),
        load_default=None,
    )


def id_of(description: str, **options: Any) -> fields.String:
    """The id of a player or tournament."""
    is_id = matching(UUID, "an id: a UUID in lower case")
    return text(description, is_id, schema={"format": "uuid"}, **options)


def records() -> QueryBoolean:
    """Whether a page of facts also has their records."""
    description = (
        "Whether each fact of a JSON page has its record in the hash chain. Streams never contain records."
    )
    return query_flag(description)


def turns() -> QueryBoolean:
    """Whether a stream also sends turns."""
    description = (
        "Whether a stream also sends your position, with view, clock and legal moves, whenever it is your"
        " turn. JSON pages never contain turns."
    )
    return query_flag(description)


def tell() -> fields.String:
    """The language of sentences and labels."""
    return text(
        "Add texts in this language: a sentence for each fact, and a label for each legal move.",
        one_of(*LANGUAGES),
        load_default=None,
        schema={"examples": ["en"]},
    )
