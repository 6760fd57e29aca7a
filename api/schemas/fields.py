"""Request fields that accept exactly what their JSON Schema says.

marshmallow's own fields accept `"yes"` for true, and its strict integers refuse 5.0.
"""

import re
from functools import partial
from typing import Any, TypeVar

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from marshmallow.validate import OneOf, Regexp

from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.people.names import MAX_NAME_LENGTH

UNKNOWN = "Unknown field."
"""What marshmallow says about a field that the schema does not have."""
OUR_MESSAGES = {
    "Field may not be null.": "must not be null",
    "Invalid input type.": "must be an object",
    "Missing data for required field.": "is missing",
    "Not a valid list.": "must be a list",
    "Not a valid mapping type.": "must be an object",
    "Not a valid string.": "must be a string",
    UNKNOWN: "is not a known field",
}
"""Our wording of marshmallow's error messages."""
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,15})")


class RequestSchema(Schema):
    """The schema of a request body or a query string."""

    class Meta:
        """Unknown fields are refused."""

        unknown = RAISE


class EmptyBody(RequestSchema):
    """No body, or an empty object."""


def has_required_field(schema: Schema) -> bool:
    """Whether an empty object does not match a schema."""
    return any(field.required for field in schema.fields.values())


def describe_default(schema: dict[str, Any]) -> None:
    """Move a default into the description: openapi-typescript makes properties with a default required."""
    default = schema.pop("default", None)
    if default not in (None, "", {}, []):
        schema["description"] += f" Default: `{msgspec.json.encode(default).decode()}`."


class StrictInteger(fields.Integer):
    """A JSON integer; 5.0 counts as one, as in JSON Schema."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValidationError("must be an integer")
        return value


class QueryInteger(fields.Integer):
    """An integer in a query string."""

    def _validated(self, value: Any) -> int:
        if not _WHOLE.fullmatch(value):
            raise ValidationError("must be an integer")
        return int(value)


class StrictBoolean(fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("must be true or false")
        return value


class QueryBoolean(fields.Boolean):
    """`true` or `false` in a query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("must be true or false")
        return bool(value == "true")


def between(low: int, high: int) -> validate.Range:
    """Validate that a number is between two bounds, both included."""
    return validate.Range(low, high, error=f"must be between {low} and {high}")


def length(low: int, high: int) -> validate.Length:
    """Validate that a length is between two bounds, both included."""
    return validate.Length(low, high, error=f"must have a length between {low} and {high}")


def one_of(*values: str) -> validate.OneOf:
    """Validate that a text is one of the given values."""
    return validate.OneOf(values, error="must be one of " + ", ".join(values))


def matching(pattern: str, form: str) -> validate.Validator:
    """Validate that a whole text matches a pattern; `form` describes it in the error message."""
    return _Matching(pattern, error=f"must be {form}")


class _Matching(validate.Regexp):
    r"""A pattern documented as `^…$`, but checked with `fullmatch`: Python's `$` accepts a final `\n`."""

    def __init__(self, pattern: str, error: str) -> None:
        super().__init__(f"^{pattern}$", error=error)
        self._whole = re.compile(pattern)

    def __call__(self, value: Any) -> Any:
        if not self._whole.fullmatch(value):
            raise ValidationError(self._format_error(value))
        return value


GAME_ID = r"[a-z][a-z0-9_-]{0,63}"
PUBLIC_KEY = r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
"""32 bytes in canonical Base64: the last character before `=` holds four bits."""
SIGNATURE = r"[A-Za-z0-9+/]{86}=="
TAG = r"[a-z0-9][a-z0-9._-]{0,31}"
TAG_FORM = "1 to 32 lower-case letters, digits, dots, hyphens or underscores, the first one a letter or digit"
MAX_TAGS = 8
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CURSOR = r"[A-Za-z0-9_-]{1,8000}"
HEX_32_BYTES = r"[0-9a-f]{64}"
"""A contribution. Free text is not allowed, because personal data could never be erased from the record."""
_BASE64 = r"([A-Za-z0-9+/]{4}){2,50}([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
SIGNATURE_LINES = rf"(— [!-*,-~]{{1,255}} {_BASE64}\n){{1,16}}"
MAX_WAIT_S = 60
"""Longest wait of a long poll."""
MAX_MOVES = 100
"""Maximum number of moves in one command."""
MAX_NEW_MATCHES = 100
"""Maximum number of matches that one request can create."""
MAX_COMMANDS = 200
"""Maximum number of commands in one request; so many fit into one body, even with keys and signatures."""
MATCH_KEY = r"[A-Za-z0-9_-]{24}"
KEY = r"[!-~]{1,255}"
"""An Idempotency-Key."""
MAX_POSITIONS = 500
"""Maximum number of positions in one response."""
WITHOUT_NUL = r"^[^\u0000]*$"
"""Matches every text without NUL, which databases cannot store."""


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
