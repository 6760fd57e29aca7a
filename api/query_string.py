"""Parses query strings, and converts marshmallow's errors to faults."""

from typing import Any

from marshmallow import Schema, ValidationError, fields
from werkzeug.wrappers import Request

from kontor_games.api.problems import BadParameterError, near_name, summary
from kontor_games.api.schemas.fields import OUR_MESSAGES, UNKNOWN, has_required_field
from kontor_games.domain.codec import Fault, pointer_step

_MAX_UNKNOWN = 20
"""Unknown parameters that are reported; each is compared with the known ones."""
_MAX_CACHED_LENGTH, _CACHE_SIZE = 40, 100
"""The length of the longest query string that is cached, and the number of cached query strings."""


class QueryParser:
    """Parses the query strings of one operation; caches short ones, because clients repeat them."""

    def __init__(self, schema: Schema | None) -> None:
        """Without a schema, the query string must be empty."""
        self._schema = schema
        self._cache: dict[str, dict[str, Any]] = {}
        self.required = has_required_field(schema) if schema else False
        """Whether a request without a query string is refused."""
        self.defaults: dict[str, Any] = schema.load({}) if schema and not self.required else {}
        """The values for a request without a query string."""

    def read(self, environ: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the query string; callers must not change them, because they are cached."""
        text = environ.get("QUERY_STRING", "")
        values = self._cache.get(text)
        if values is None:
            values = read_query(Request(environ), self._schema)
            if len(text) <= _MAX_CACHED_LENGTH and len(self._cache) < _CACHE_SIZE:
                self._cache[text] = values
        return values


def read_query(request: Request, schema: Schema | None) -> dict[str, Any]:
    """Parse the query string by its schema; without a schema, it must be empty."""
    try:
        given = request.args.to_dict(flat=False)
    except ValueError as error:
        raise BadParameterError("The query string cannot be decoded.") from error
    repeated = [name for name, values in given.items() if len(values) > 1]
    faults = [_parameter(name, "must be given only once") for name in repeated]
    values = {name: values[0] for name, values in given.items()}
    unreadable = [name for name, value in values.items() if "\0" in name + value]
    faults += [_parameter(name, "must be Unicode text without NUL") for name in unreadable]
    known = [field.data_key or name for name, field in schema.fields.items()] if schema else []
    faults += [
        _parameter(name, "is not a known parameter" + near_name(name, known))
        for name in [name for name in given if name not in known][:_MAX_UNKNOWN]
    ]
    if faults:
        raise bad_parameters(faults)
    if schema is None:
        return {}
    try:
        return dict(schema.load(values))
    except ValidationError as error:
        faults = [_parameter(fault.pointer[1:], fault.detail) for fault in faults_of(error)]
        raise bad_parameters(faults) from error


def _parameter(name: str, detail: str) -> dict[str, str]:
    return {"parameter": name[:100].encode(errors="replace").decode().replace("\0", "?"), "detail": detail}


def bad_parameters(faults: list[dict[str, str]]) -> BadParameterError:
    """The error for invalid query parameters; its detail names the first."""
    said = [f"The query parameter `{one['parameter']}` {one['detail']}" for one in faults]
    return BadParameterError(summary(said), faults)


def faults_of(error: ValidationError, schema: Schema | None = None) -> list[Fault]:
    """Return marshmallow's nested error messages as a list of faults; `schema` supplies the known names."""
    found: list[Fault] = []

    def walk(messages: Any, pointer: str, within: Any, known: tuple[str, ...]) -> None:
        if isinstance(messages, dict):
            inner = _fields_of(within)
            for name, inside in messages.items():
                place = pointer if name == "_schema" else f"{pointer}/{pointer_step(name)}"
                walk(inside, place, inner.get(name, within), tuple(inner))
        else:
            found.extend(
                Fault(pointer, OUR_MESSAGES.get(text, text), known if text == UNKNOWN else ())
                for text in messages
            )

    walk(error.messages, "", schema, ())
    return found


def _fields_of(within: Any) -> dict[str, Any]:
    """The fields of a schema, or of the schema nested in a field or in a list."""
    while isinstance(within, fields.List):
        within = within.inner
    schema = within.schema if isinstance(within, fields.Nested) else within
    return {field.data_key or name: field for name, field in getattr(schema, "fields", {}).items()}
