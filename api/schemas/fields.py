"""Request fields that accept exactly what their JSON Schema says.

marshmallow's own fields accept `"yes"` for true, and its strict integers refuse 5.0.
"""

import re
from typing import Any

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

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
