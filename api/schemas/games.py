"""Games and data sets."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema


class DataSetQuery(RequestSchema):
    """Options for the picture of a data set."""

    pieces = req.query_flag("Whether the picture shows the pieces as they are set up.", default=True)


class GameSummary(ResponseSchema):
    """A game in the list."""

    id = res.text("Id of the game, used in requests.")
    title = res.text("Title in the language that `Content-Language` names.")
    titles = res.field(fields.Dict, "Title by language code.", fields.String(), fields.String())
    seats = res.list_of(fields.Integer(), "Possible numbers of seats.")
    bots = res.list_of(fields.String(), "Names of the house bots of this game.")


class GameList(ResponseSchema):
    """All games of this service."""

    games = res.list_of(GameSummary, "The games, ordered by id.")


class DataSetSummary(ResponseSchema):
    """The printed cards or boards of a game."""

    name = res.text("Name of the data set; a match selects it in its options.")
    hash = res.text("SHA-256 of the canonical JSON of the document; recorded in each match.")


class RulesetSummary(ResponseSchema):
    """One version of a game's rules."""

    version = res.integer("Version number, from 1.")
    current = res.boolean("Whether new matches use this version.")
    view_schema = res.plain_object(
        "JSON Schema of `view` in matches of this version, with a description of each field."
    )


class GameDetails(GameSummary):
    """A game: rules, options, moves, facts, data sets and names."""

    language = res.text("Language of `title`, `rules_text` and `words`.")
    rules_text = res.text("The rules for players, in Markdown.")
    rulesets = res.list_of(RulesetSummary, "All versions of the rules, oldest first.")
    data_sets = res.list_of(DataSetSummary, "The data sets; the first one is the default.")
    options = res.plain_object("JSON Schema of the options for a match.")
    moves = res.plain_object("JSON Schema of every kind of move, by `type`.")
    facts = res.plain_object(
        "JSON Schema of every kind of fact, by `type`. In a fact as you see it, the names of fields that are "
        "hidden from you are listed in its member `hidden`."
    )
    words = res.plain_object("Names, by id, of everything that views and facts refer to, in `language`.")


class DataSet(DataSetSummary):
    """A data set with its document."""

    document = res.plain_object("What is printed on the cards or boards, in the format of the game.")
    format = res.text("Description of `document` and `derived`, in Markdown.")
    derived = res.plain_object(
        "Data computed from the document: its parts by the ids that views and facts use, which places are "
        "adjacent, and coordinates in the picture."
    )
