"""Schemas that belong to no single resource: the entry point, health, problems, empty bodies."""

from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema


class EmptyBody(RequestSchema):
    """No body, or an empty object."""


class EntranceLinks(ResponseSchema):
    """Paths of the main resources."""

    games = res.text("Path of the list of games.")
    matches = res.text("Path of the list of matches.")
    docs = res.text("Path of the API description as an HTML page.")
    openapi = res.text("Path of the API description as an OpenAPI document.")


class Entrance(ResponseSchema):
    """The entry point of the API: links to the main resources."""

    name = res.text("Name of the service.")
    version = res.text("Version of the service.")
    page_build = res.text("Hash of all files of the web page; a new value means that the page was upgraded.")
    links = res.nested(EntranceLinks, "Paths of the main resources.")


class Health(ResponseSchema):
    """Health of the service."""

    status = res.word("`ok`; errors are reported as problems.", "ok")
    version = res.text("Version of the service.")


class Fault(ResponseSchema):
    """One invalid value in a request: it has a `pointer`, a `parameter` or a `header`."""

    pointer = res.text("JSON Pointer to the value in the request body.", required=False)
    parameter = res.text("Name of the query parameter.", required=False)
    header = res.text("Name of the request header.", required=False)
    detail = res.text("What is wrong with the value.")


class Problem(ResponseSchema):
    """A problem as defined by RFC 9457."""

    type = res.text(
        "Link to a description of this kind of problem.",
        format="uri-reference",
        examples=["/docs#not_your_turn"],
    )
    title = res.text("Summary of this kind of problem; the same for every occurrence.")
    status = res.integer("The HTTP status.")
    detail = res.text("What is wrong in this case.")
    instance = res.text("Path of the request.", format="uri-reference")
    code = res.text("Stable name of this kind of problem, for programs.", examples=["not_your_turn"])
    rule = res.text(
        "Number of the rule of the game that forbids the move.", required=False, examples=["S-14"]
    )
    index = res.integer("Index of the refused move, if several were sent.", required=False)
    current_version = res.integer(
        "Current version of the match, if `If-Match` named an older one.", required=False
    )
    expected = res.text(
        "The exact text that must be signed, if a signature is missing or wrong.", required=False
    )
    expected_as_sent = res.text(
        "The same text with the moves as they were sent, if they are stored in another form; "
        "a signature over either text is valid.",
        required=False,
    )
    errors = res.list_of(Fault, "All invalid values of the request.", required=False)
