"""Games and data sets."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema


class DataSetQuery(RequestSchema):
    """How to draw a data set."""

    pieces = asked.field(
        QueryBoolean, "Whether the picture shows the pieces of the set-up.", load_default=True
    )


class GameSummary(ResponseSchema):
    """A game in the list."""

    id = shown.text("Id of the game, used in requests.")
    title = shown.text("Title in the language that `Content-Language` names.")
    titles = shown.field(fields.Dict, "Title by language code.", fields.String(), fields.String())
    seats = shown.list_of(fields.Integer(), "Possible numbers of seats.")
    bots = shown.list_of(fields.String(), "Names of the house bots of this game.")


class GameList(ResponseSchema):
    """All games of this service."""

    games = shown.list_of(GameSummary, "The games, ordered by id.")


class DataSetSummary(ResponseSchema):
    """The printed cards or boards of a game."""

    name = shown.text("Name of the data set, for the options of a match.")
    hash = shown.text("SHA-256 of the canonical JSON of the document; recorded in each match.")


class RulesetSummary(ResponseSchema):
    """One version of a game's rules."""

    version = shown.integer("Version number, from 1.")
    current = shown.boolean("Whether new matches use this version.")
    view_schema = shown.plain_object(
        "JSON Schema of `view` in matches of this version, with a description of each field."
    )


class GameDetails(GameSummary):
    """Everything a client needs to know about a game."""

    language = shown.text("Language of `title`, `rules_text` and `words`.")
    rules_text = shown.text("The rules for players, in Markdown.")
    rulesets = shown.list_of(RulesetSummary, "All versions of the rules, oldest first.")
    data_sets = shown.list_of(DataSetSummary, "The data sets; the first one is the default.")
    options = shown.plain_object("JSON Schema of the options for a match.")
    moves = shown.plain_object("JSON Schema of every kind of move, by `type`.")
    facts = shown.plain_object(
        "JSON Schema of every kind of fact, by `type`; "
        "fields that are hidden from you are listed under `hidden`."
    )
    words = shown.plain_object("Names of everything that views and facts refer to by id.")


class DataSet(DataSetSummary):
    """A data set with its document."""

    document = shown.plain_object("What is printed on the cards or boards, in the format of the game.")
    format = shown.text("Description of `document` and `derived`, in Markdown.")
    derived = shown.plain_object(
        "Data derived from the document: everything in it by the ids that views and facts use, "
        "neighbouring places, and coordinates in the picture."
    )
