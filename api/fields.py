"""Fields that read JSON and query strings exactly as their schema says: marshmallow's own also take `"yes"` for true and refuse 5.0."""

import re
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

_SENTENCES = {
    "Field may not be null.": "must not be null",
    "Invalid input type.": "must be an object",
    "Missing data for required field.": "is missing",
    "Not a valid list.": "must be a list",
    "Not a valid mapping type.": "must be an object",
    "Not a valid string.": "must be a string",
    "Unknown field.": "is not a known field",
}
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,15})")


class Form(Schema):
    """What a client sends: nothing unknown in it."""

    class Meta:
        """Unknown names are refused, not ignored."""

        unknown = RAISE


def sentence(theirs: str) -> str:
    """What is wrong, in the words that the rest of the service uses."""
    return _SENTENCES.get(theirs, theirs)


class Shape(Schema):
    """What a client gets. It documents only: rendering is done by hand, since it is on the way of every move."""


class Whole(fields.Integer):
    """A whole number; JSON Schema calls 5.0 one too."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValidationError("must be an integer")
        return value


class WrittenWhole(fields.Integer):
    """A whole number in a query string: digits, nothing else."""

    def _validated(self, value: Any) -> int:
        if not _WHOLE.fullmatch(value):
            raise ValidationError("must be an integer")
        return int(value)


class Flag(fields.Boolean):
    """True or false, and nothing that looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("must be true or false")
        return value


class WrittenFlag(fields.Boolean):
    """`true` or `false` in a query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("must be true or false")
        return bool(value == "true")


def between(low: int, high: int) -> validate.Range:
    """Bounds of a number, both included."""
    return validate.Range(low, high, error=f"must be between {low} and {high}")


def length(low: int, high: int) -> validate.Length:
    """Bounds of a length, both included."""
    return validate.Length(low, high, error=f"must have a length between {low} and {high}")


def one_of(*values: str) -> validate.OneOf:
    """One of a few words."""
    return validate.OneOf(values, error="must be one of " + ", ".join(values))


def matching(pattern: str, form: str) -> validate.Validator:
    """Text of a form, from its first character to its last."""
    return _Matching(pattern, error=f"must be {form}")


class _Matching(validate.Regexp):
    r"""Documented as `^…$`, checked with `\Z`, since Python's `$` would let a line end through."""

    def __init__(self, pattern: str, error: str) -> None:
        super().__init__(f"^{pattern}$", error=error)
        self._whole = re.compile(pattern)

    def __call__(self, value: Any) -> Any:
        if not self._whole.fullmatch(value):
            raise ValidationError(self._format_error(value))
        return value
