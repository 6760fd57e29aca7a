"""Schemas that belong to no single resource: the entrance, health, problems, empty bodies."""

from marshmallow import fields

from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema
from kontor_games.api.schemas.response_fields import (
    extensible_enum_field,
    integer_field,
    list_field,
    nested_field,
    text_field,
)


class Nothing(RequestSchema):
    """No body, or an empty object."""


class EntranceLinks(ResponseSchema):
    """Addresses of this service."""

    games = text_field("The games.")
    matches = text_field("The matches.")
    docs = text_field("The API description for people.")
    openapi = text_field("The API description for programs.")


class Entrance(ResponseSchema):
    """The most important addresses."""

    name = text_field("Name of the service.")
    page_build = text_field("Hash of the files of the page; it changes with every upgrade.")
    links = nested_field(EntranceLinks, "Addresses of this service.")


class Health(ResponseSchema):
    """Health of the service."""

    status = extensible_enum_field("`ok` if all is well.", "ok")


class Fault(ResponseSchema):
    """One invalid value in a request."""

    pointer = text_field("JSON Pointer to the value in the request body.", required=False)
    parameter = text_field("Name of the query parameter.", required=False)
    header = text_field("Name of the request header.", required=False)
    detail = text_field("What is wrong with the value.")


class Problem(ResponseSchema):
    """A problem as defined by RFC 9457."""

    type = text_field(
        "Link to a description of this kind of problem.",
        format="uri-reference",
        examples=["/docs#not_your_turn"],
    )
    title = text_field("What this kind of problem means; the same for every occurrence.")
    status = integer_field("The HTTP status.")
    detail = text_field("What is wrong in this case.")
    instance = text_field("Path of the request.", format="uri-reference")
    code = text_field("Stable name of this kind of problem, for programs.", examples=["not_your_turn"])
    rule = text_field("Number of the rule that forbids the move.", required=False, examples=["S-14"])
    index = integer_field("Index of the refused move, if several were sent.", required=False)
    current_version = integer_field(
        "Current version of the match, if `If-Match` named an older one.", required=False
    )
    expected = text_field(
        "The text that was to be signed, if a signature is missing or wrong.", required=False
    )
    errors = list_field(fields.Nested(Fault), "All invalid values of the request.", required=False)
