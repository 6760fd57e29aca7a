"""The values of a message about a fact or a move: its fields, shown by their names, and further values."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Generic, TypeVar

from kontor_games.domain.codec import Record
from kontor_games.domain.toolkit.messages import Phrase, Value

Values = dict[str, Value]
"""The values of a message."""
C = TypeVar("C")


class MessageValues(Generic[C]):
    """Finds the values of messages in a context, which provides the state and the names of the players."""

    def __init__(
        self, shown: Mapping[str, Callable[[C, Any], Value]], more: Mapping[Any, Callable[[C, Any], Values]]
    ) -> None:
        """`shown` has the fields by name, except those shown as they are; `more` adds values by kind."""
        self.shown = shown
        self.more = more

    def phrase(self, chapter: str, record: Record, context: C) -> Phrase:
        """Return the message about a fact or move; the value `who` is its field `seat`."""
        values: Values = {}
        for name in _field_names(type(record)):  # type: ignore[arg-type]  # a class can be hashed
            value = getattr(record, name)
            show = self.shown.get(name)
            values["who" if name == "seat" else name] = value if show is None else show(context, value)
        more = self.more.get(type(record))
        return Phrase(f"{chapter}.{record.type}", values if more is None else values | more(context, record))


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
