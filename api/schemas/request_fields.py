"""Fields that several request schemas share."""

from typing import Any, TypeVar

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from kontor_games.api.schemas.fields import QueryBoolean, QueryInteger, between, length, matching, one_of
from kontor_games.api.schemas.patterns import CURSOR, GAME_ID, HEX_32_BYTES, LONGEST_WAIT_S, UUID, WITHOUT_NUL
from kontor_games.domain.plain import LARGEST
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.people.names import LONGEST_NAME

F = TypeVar("F", bound=fields.Field[Any])
NULLABLE: dict[str, Any] = {"allow_none": True, "load_default": None}
NAME, VERSION = length(1, LONGEST_NAME), between(1, LARGEST)
HEX = matching(HEX_32_BYTES, "64 hex digits in lower case: 32 random bytes")
GAME = matching(GAME_ID, "the id of a game")


def request_field(kind: type[F], description: str, validate: Any = None, **options: Any) -> F:
    """A field with its description; without a default it is required. `schema` adds to its JSON Schema."""
    metadata = {"description": description, **options.pop("schema", {})}
    return kind(required="load_default" not in options, validate=validate, metadata=metadata, **options)


def request_text(description: str, validate: Any = None, **options: Any) -> fields.String:
    """A text field with its description; text without a form of its own may hold all characters but NUL."""
    if not isinstance(validate, Regexp | OneOf):
        options["schema"] = {"pattern": WITHOUT_NUL, **options.get("schema", {})}
    return request_field(fields.String, description, validate, **options)


def cursor_field() -> fields.String:
    """The cursor of a page."""
    is_cursor = matching(CURSOR, "a cursor that this service gave")
    return request_text("The value of `next` of the previous page.", is_cursor, load_default=None)


def limit_field(description: str, default: int, most: int) -> QueryInteger:
    """The most items of a page."""
    return request_field(QueryInteger, description, between(1, most), load_default=default)


def game_field(description: str, **options: Any) -> fields.String:
    """The id of a game."""
    return request_text(description, GAME, **options)


def options_field(description: str) -> fields.Dict:
    """The options of a game."""
    options = {"keys": fields.String(), "load_default": dict, "schema": {"type": "object"}}
    return request_field(fields.Dict, description, **options)


def after_field() -> QueryInteger:
    """The version after which a log is read."""
    return request_field(
        QueryInteger,
        "Return only facts after this version. The header `Last-Event-ID` takes precedence.",
        between(0, LARGEST),
        load_default=None,
    )


def wait_field() -> QueryInteger:
    """How long to wait for new facts."""
    return request_field(
        QueryInteger,
        "Seconds to wait for new facts (JSON), or to keep a stream open "
        "(default: as long as the service allows).",
        between(0, LONGEST_WAIT_S),
        load_default=None,
    )


def id_field(description: str, **options: Any) -> fields.String:
    """An id of a player, match, tournament or the like."""
    is_id = matching(UUID, "the id of a player")
    return request_text(description, is_id, schema={"format": "uuid"}, **options)


def turns_field() -> QueryBoolean:
    """Whether a stream also sends turns."""
    description = (
        "Whether a stream also sends your position, with view, clock and legal moves, whenever you may act."
        " Pages have no turns."
    )
    return request_field(QueryBoolean, description, load_default=False)


def tell_field() -> fields.String:
    """The language of sentences and labels."""
    return request_text(
        "Add texts in this language: a sentence about each fact, and a label for each legal move.",
        one_of(*LANGUAGES),
        load_default=None,
        schema={"examples": ["en"]},
    )
