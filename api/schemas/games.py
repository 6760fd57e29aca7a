"""Games and data sets."""

from marshmallow import fields

from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema, response_field
from kontor_games.api.schemas.request_fields import request_field
from kontor_games.api.schemas.response_fields import (
    boolean_field,
    integer_field,
    list_field,
    object_field,
    text_field,
)


class DataSetQuery(RequestSchema):
    """How to draw a data set."""

    pieces = request_field(
        QueryBoolean,
        "Whether the picture shows the pieces of the set-up.",
        load_default=True,
    )


class GameSummary(ResponseSchema):
    """A game in the list."""

    id = text_field("Id of the game, used in requests.")
    title = text_field("Title in the language that `Content-Language` names.")
    titles = response_field(fields.Dict, "Title by language code.", fields.String(), fields.String())
    seats = list_field(fields.Integer(), "Possible numbers of seats.")
    bots = list_field(fields.String(), "Names of the house bots of this game.")


class GameList(ResponseSchema):
    """All games of this service."""

    games = list_field(fields.Nested(GameSummary), "The games, ordered by id.")


class DataSetSummary(ResponseSchema):
    """The printed cards or boards of a game."""

    name = text_field("Name of the data set, for the options of a match.")
    hash = text_field("SHA-256 of the canonical JSON of the document; recorded in each match.")


class RulesetSummary(ResponseSchema):
    """One version of a game's rules."""

    version = integer_field("Version number, from 1.")
    current = boolean_field("Whether new matches use this version.")
    view_schema = object_field(
        "JSON Schema of `view` in matches of this version, with a description of each field."
    )


class GameDetails(GameSummary):
    """Everything a client needs to know about a game."""

    language = text_field("Language of `title`, `rules_text` and `words`.")
    rules_text = text_field("The rules for players, in Markdown.")
    rulesets = list_field(fields.Nested(RulesetSummary), "All versions of the rules, oldest first.")
    data_sets = list_field(fields.Nested(DataSetSummary), "The data sets; the first one is the default.")
    options = object_field("JSON Schema of the options for a match.")
    moves = object_field("JSON Schema of every kind of move, by `type`.")
    facts = object_field(
        "JSON Schema of every kind of fact, by `type`; "
        "fields that are hidden from you are listed under `hidden`."
    )
    words = object_field("Names of everything that views and facts refer to by id.")


class DataSet(DataSetSummary):
    """A data set with its document."""

    document = object_field("What is printed on the cards or boards, in the format of the game.")
    format = text_field("Description of `document` and `derived`, in Markdown.")
    derived = object_field(
        "Data derived from the document: everything in it by the ids that views and facts use, "
        "neighbouring places, and coordinates in the picture."
    )
