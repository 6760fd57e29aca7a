"""Query strings, and cosignatures of checkpoints."""

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import (
    MAX_POSITIONS,
    SIGNATURE_LINES,
    TAG,
    TAG_FORM,
    QueryBoolean,
    RequestSchema,
    matching,
    one_of,
)
from kontor_games.domain.ladders import KINDS


class TellQuery(RequestSchema):
    """Whether the response contains texts, and in which language."""

    tell = req.tell()


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = req.query_integer(
        "Return the match as you could see it at this version.", req.VERSION, load_default=None
    )
    truth = req.query_flag(
        "Include everything that was hidden at that version. Refused while the match is not over."
    )
    tell = req.tell()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = req.text("Only matches of this game.", req.GAME, load_default=None)
    status = req.text(
        "Only matches with this status.", one_of("open", "running", "finished", "aborted"), load_default=None
    )
    player = req.id_of("Only matches in which this player takes part.", load_default=None)
    creator = req.id_of("Only matches that this player created.", load_default=None)
    tournament = req.id_of("Only matches of this tournament.", load_default=None)
    tag = req.text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = req.query_flag("`true`: only rated matches; `false`: only unrated ones.", default=None)
    cursor = req.cursor()
    limit = req.limit("Maximum number of matches on a page.", 50, 200)


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = req.after()
    limit = req.limit("Maximum number of facts on a JSON page.", 200, 1000)
    wait = req.wait()
    turns = req.turns()
    records = req.records()
    tell = req.tell()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = req.cursor()
    wait = req.wait()
    turns = req.turns()
    tell = req.tell()


class PositionsQuery(RequestSchema):
    """Which positions of a match to return, and for which viewer."""

    first = req.query_integer(
        "The first version; by default the beginning of the match.",
        req.VERSION,
        load_default=1,
        data_key="from",
    )
    last = req.query_integer(
        "The last version; by default the newest one.", req.VERSION, load_default=None, data_key="to"
    )
    viewer = req.text(
        "Whose view to return: the number of a seat, `spectator`, or `arbiter`, who sees everything. "
        "By default your own view. "
        "Until the match is over, only your own view and that of a spectator are available.",
        matching("(spectator|arbiter|[0-9]|1[0-5])", "the number of a seat, `spectator` or `arbiter`"),
        load_default=None,
    )
    limit = req.limit("Maximum number of positions.", MAX_POSITIONS, MAX_POSITIONS)
    tell = req.tell()


class DataSetQuery(RequestSchema):
    """Options for the picture of a data set."""

    pieces = req.query_flag("Whether the picture shows the pieces as they are set up.", default=True)


class RatingsQuery(RequestSchema):
    """Which ladder to return."""

    game = req.game("The game.")
    kind = req.text("The ladder of people or of programs.", one_of(*KINDS), load_default="people")
    cursor = req.cursor()
    limit = req.limit("Maximum number of players on a page.", 50, 200)


class PlayersQuery(RequestSchema):
    """Which players to list."""

    q = req.text(
        "Only players whose names begin with this text; case does not matter.", req.NAME, load_default=None
    )
    online = req.query_flag(
        "Only players who sent a request in the last five minutes or have an open stream."
    )
    bot = req.field(QueryBoolean, "`true`: only programs; `false`: only people.", **req.NULLABLE)
    cursor = req.cursor()
    limit = req.limit("Maximum number of players on a page.", 50, 200)


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = req.cursor()
    limit = req.limit("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = req.query_integer(
        "Size of the earlier tree, such as that of a checkpoint you stored.", req.VERSION
    )
    second = req.query_integer("Size of the later tree.", req.VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = req.query_integer("Size of the tree, taken from a checkpoint.", req.VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = req.integer("Size of the checkpoint.", req.VERSION)
    signatures = req.text(
        "Signature lines of a signed note, each ending with a line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )
