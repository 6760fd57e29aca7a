"""Types of the fields of answers.

Answers are defined once: their fields and types are the form of the JSON, the docstring under a field is its
description in the contract, and the name of the class is the name of its schema there.
"""

from typing import Annotated, TypeVar

from msgspec import Meta

from kontor_games.domain.codec import Plain

T = TypeVar("T")
_AN_ID = "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"
INLINE, INTERNAL = "inline", "internal"
Inline = Annotated[T, INLINE]
"""An answer whose fields are fields of the enclosing JSON object."""
Internal = Annotated[T, INTERNAL]
"""A field that is not in the JSON object."""


class Moment(int):
    """A time in milliseconds since 1970; in JSON a text as defined by RFC 3339."""


def moment(ms: int | None) -> Moment | None:
    """The time, if there is one."""
    return None if ms is None else Moment(ms)


def known(*words: str) -> Meta:
    """The values that a text has now; clients must accept others."""
    return Meta(extra_json_schema={"x-extensible-enum": list(words)})


Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Id = Annotated[Uuid, Meta(examples=[_AN_ID])]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
SigningTime = Annotated[int, Meta(examples=[1_772_366_400_000])]
"""Milliseconds since 1970, as in the text that is signed."""
AnyObject = Annotated[Plain, Meta(extra_json_schema={"type": "object"})]
Object = Annotated[Plain, Meta(extra_json_schema={"type": "object", "additionalProperties": True})]
"""An object that the game documents."""
ObjectOrNull = Annotated[
    Plain, Meta(extra_json_schema={"type": ["object", "null"], "additionalProperties": True})
]
TypedObject = Annotated[
    Object, Meta(extra_json_schema={"properties": {"type": {"type": "string"}}, "required": ["type"]})
]
"""A move or a fact: it has a `type`; the game documents all other members."""
MatchState = Annotated[str, known("open", "running", "finished", "aborted")]
