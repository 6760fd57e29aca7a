"""Schemas that belong to no single resource: the entrance, health, problems, empty bodies."""

from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema


class Nothing(RequestSchema):
    """No body, or an empty object."""


class EntranceLinks(ResponseSchema):
    """Addresses of this service."""

    games = shown.text("The games.")
    matches = shown.text("The matches.")
    docs = shown.text("The API description for people.")
    openapi = shown.text("The API description for programs.")


class Entrance(ResponseSchema):
    """The most important addresses."""

    name = shown.text("Name of the service.")
    page_build = shown.text("Hash of the files of the page; it changes with every upgrade.")
    links = shown.nested(EntranceLinks, "Addresses of this service.")


class Health(ResponseSchema):
    """Health of the service."""

    status = shown.word("`ok` if all is well.", "ok")


class Fault(ResponseSchema):
    """One invalid value in a request."""

    pointer = shown.text("JSON Pointer to the value in the request body.", required=False)
    parameter = shown.text("Name of the query parameter.", required=False)
    header = shown.text("Name of the request header.", required=False)
    detail = shown.text("What is wrong with the value.")


class Problem(ResponseSchema):
    """A problem as defined by RFC 9457."""

    type = shown.text(
        "Link to a description of this kind of problem.",
        format="uri-reference",
        examples=["/docs#not_your_turn"],
    )
    title = shown.text("What this kind of problem means; the same for every occurrence.")
    status = shown.integer("The HTTP status.")
    detail = shown.text("What is wrong in this case.")
    instance = shown.text("Path of the request.", format="uri-reference")
    code = shown.text("Stable name of this kind of problem, for programs.", examples=["not_your_turn"])
    rule = shown.text("Number of the rule that forbids the move.", required=False, examples=["S-14"])
    index = shown.integer("Index of the refused move, if several were sent.", required=False)
    current_version = shown.integer(
        "Current version of the match, if `If-Match` named an older one.", required=False
    )
    expected = shown.text(
        "The text that was to be signed, if a signature is missing or wrong.", required=False
    )
    errors = shown.list_of(Fault, "All invalid values of the request.", required=False)
