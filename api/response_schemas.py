"""What clients get, described. Answers are rendered by hand (`render`), and a test holds every answer against these schemas.

Words that may grow (`status`, `type`, `code`) are plain strings here with the known values beside them: a client must live with new ones.
"""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import Shape

_ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}
_MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}


def _text(description: str, *, required: bool = True, **more: Any) -> fields.String:
    allow_none = more.pop("allow_none", False)
    return fields.String(required=required, allow_none=allow_none, metadata={"description": description, **more})


def _number(description: str, *, required: bool = True, **more: Any) -> fields.Integer:
    allow_none = more.pop("allow_none", False)
    return fields.Integer(required=required, allow_none=allow_none, metadata={"description": description, **more})


def _flag(description: str) -> fields.Boolean:
    return fields.Boolean(required=True, metadata={"description": description})


def _list(inner: Any, description: str, *, required: bool = True) -> fields.List[Any]:
    return fields.List(inner, required=required, metadata={"description": description})


def _part(shape: type[Shape], description: str = "", *, allow_none: bool = False) -> fields.Nested:
    return fields.Nested(shape, required=True, allow_none=allow_none, metadata={"description": description} if description else {})


def _open(description: str, *, nullable: bool = False) -> fields.Raw:
    """An object whose members its game describes."""
    kind = ["object", "null"] if nullable else "object"
    return fields.Raw(required=True, metadata={"description": description, "type": kind, "additionalProperties": True})


def _typed() -> fields.Raw:
    """A move or a fact: it has a type, and its game describes the rest."""
    shape = {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"], "additionalProperties": True}
    return fields.Raw(metadata=shape)


def _words(description: str, *known: str) -> fields.String:
    return fields.String(required=True, metadata={"description": description, "x-extensible-enum": list(known)})


# --- accounts --------------------------------------------------------------------------------------------------------------


class Player(Shape):
    """An account."""

    id = _text("Stays for ever.", **_ID)
    name = _text("Null once the player was erased.", allow_none=True)
    bot = _flag("Whether a program plays.")
    created_at = _text("When.", **_MOMENT)


class Registered(Player):
    """A new account, with its first token."""

    token = _text("Shown once, here. Keep it; whoever has it is you.", examples=["kontor_…"])


class Token(Shape):
    """A token, without its text."""

    id = _text("By which it is revoked.", **_ID)
    label = _text("What you called it.")
    scopes = _list(fields.String(), "What it may be used for.")
    created_at = _text("When.", **_MOMENT)
    expires_at = _text("Null: never.", allow_none=True, **_MOMENT)
    last_four = _text("Its last four characters.")


class IssuedToken(Token):
    """A token at the one moment at which its text is shown."""

    token = _text("Shown once, here.", examples=["kontor_…"])


class TokenList(Shape):
    """The caller's tokens."""

    tokens = _list(fields.Nested(Token), "Those that still open the door, the oldest first.")


# --- games -----------------------------------------------------------------------------------------------------------------


class GameSummary(Shape):
    """A game in the list."""

    id = _text("By which it is called in requests.")
    title = _text("In the language that Content-Language names.")
    titles = fields.Dict(keys=fields.String(), values=fields.String(), required=True, metadata={"description": "Language to title."})
    seats = _list(fields.Integer(), "How many can play.")
    bots = _list(fields.String(), "The house bots.")


class GameList(Shape):
    """Every game of this service."""

    games = _list(fields.Nested(GameSummary), "By id.")


class DataSetSummary(Shape):
    """What is printed on cards or boards, apart from the rules."""

    name = _text("By which it is chosen among the options of a match.")
    hash = _text("SHA-256 of the document, pinned in each match.")


class RulesetSummary(Shape):
    """One version of a game's rules."""

    version = _number("Counts from 1.")
    current = _flag("Whether new matches are played by it.")


class GameDetails(GameSummary):
    """Everything a client needs to know of a game."""

    language = _text("Of title, rules and words.")
    rules_text = _text("The rules for players, in Markdown.")
    rulesets = _list(fields.Nested(RulesetSummary), "Every version that matches were played by.")
    data_sets = _list(fields.Nested(DataSetSummary), "The default first.")
    options = _open("JSON Schema of the options of a match.")
    moves = _open("Type to JSON Schema of every move.")
    facts = _open("Type to JSON Schema of every fact, as it stands in the log; what is hidden from you is named under `hidden`.")
    words = _open("Id to name, for everything that views and facts name by id.")


class DataSet(DataSetSummary):
    """A data set with its document."""

    document = _open("What is printed, as the game describes it.")


# --- matches ---------------------------------------------------------------------------------------------------------------


class Sitter(Shape):
    """Who sits, or may sit, on a seat."""

    id = _text("A player's id, or `house`.")
    name = _text("Null once the player was erased.", allow_none=True)
    bot = _flag("Whether a program plays.")


class Seat(Shape):
    """A place at the table."""

    seat = _number("Counts from 0.")
    type = _words("What it is kept for.", "open", "invited", "bot")
    player = _part(Sitter, "Who sits there.", allow_none=True)
    invited = _part(Sitter, "For whom it is kept.", allow_none=True)
    absent = _flag("Whether its player has left a running match for good.")


class Ruleset(Shape):
    """What a match is played by; pinned when it is created."""

    game = _text("The game.")
    version = _number("The version of its rules.")
    data = _text("The data set.")
    data_hash = _text("SHA-256 of its document.")


class SeatClock(Shape):
    """The time of one seat."""

    seat = _number("Whose.")
    remaining_ms = _number("What is left at `server_time`.")
    deadline = _text("When it is used up if the seat does not move; null while its time does not run.", allow_none=True, **_MOMENT)


class ClockKind(Shape):
    """How much time players have."""

    kind = _words("How time is counted.", "none", "per_move", "bank")
    ms = _number("For each move, or for the whole match.")
    increment_ms = _number("After each move, with a bank.")


class Clock(ClockKind):
    """The clocks."""

    server_time = _text("For which `remaining_ms` holds; not there without a clock.", required=False, **_MOMENT)
    seats = _list(fields.Nested(SeatClock), "Not there without a clock.", required=False)


class Result(Shape):
    """How a match ended."""

    places = _list(fields.Integer(), "For each seat; 1 is best, equal places share it.")
    scores = fields.List(
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
        allow_none=True,
        metadata={"description": "For each seat, by category; null where all but one left."},
    )
    reason = _words("Why it ended.", "played", "forfeit")


class Chance(Shape):
    """What anyone needs to recompute the random numbers of a match."""

    commitment = _text("SHA-256 of the server's secret, published before anyone sat down.")
    sealed = _flag("Whether players put in hashes when they join, and open them when all seats are taken.")
    due = _text("Until when sealed contributions are to be opened; null at all other times.", allow_none=True, **_MOMENT)
    open_seed = _text("The seed of a match for practice.", allow_none=True)
    server_secret = _text("Once the match is over.", allow_none=True)


class MatchSummary(Shape):
    """A match in a list."""

    id = _text("The match.", **_ID)
    game = _text("What is played.")
    status = _words("Where it stands in its life.", "open", "running", "finished", "aborted")
    version = _number("Counts facts from 1.")
    at = _text("When the last fact happened.", **_MOMENT)
    you = _number("Your seat, or null.", allow_none=True)
    to_act = _list(fields.Integer(), "The seats for which the match waits.")
    seats = _list(fields.Nested(Seat), "In order of play.")
    private = _flag("Whether only those who have part in it see it.")
    meet_bots = _flag("Whether programs of other players may sit down.")
    practice = _flag("Whether its players may practise from its positions while it runs.")
    branch = _flag("Whether it began in a position of another match: such matches are never rated.")
    clock = _part(ClockKind)


class MatchPage(Shape):
    """Some matches, the newest first."""

    matches = _list(fields.Nested(MatchSummary), "Those that the caller may know of.")
    next = _text("The cursor of the next page; null where this is the last.", allow_none=True)


class Position(Shape):
    """Where a match stands, as the caller may see it."""

    id = _text("The match.", **_ID)
    status = _words("Where it stands in its life.", "open", "running", "finished", "aborted")
    version = _number("Counts facts from 1; also the ETag.")
    at = _text("When the last fact happened.", **_MOMENT)
    you = _number("Your seat, or null.", allow_none=True)
    to_act = _list(fields.Integer(), "The seats for which the match waits.")
    legal_moves = _list(
        _typed(),
        "Every move that you can make now, ready to be sent; a kind that is too many to list stands there once, as `type` and `schema`.",
    )
    view = _open("What you may know of the game; null before it began.", nullable=True)
    clock = _part(Clock)
    result = _part(Result, allow_none=True)
    head = _text("Hash of the last entry of the log, which holds the hash of the one before, and so on: pins all that happened.")


class Match(Position):
    """A match with everything that the caller may know of it."""

    game = _text("What is played.")
    ruleset = _part(Ruleset)
    seats = _list(fields.Nested(Seat), "In order of play.")
    options = _open("As they were chosen, with defaults.")
    creator = _text("Who announced it.", **_ID)
    on_timeout = _words("What follows when time is up.", "bot", "forfeit")
    autostart = _flag("Whether it starts by itself when full.")
    private = _flag("Whether only those who have part in it see it.")
    meet_bots = _flag("Whether programs of other players may sit down.")
    practice = _flag("Whether its players may practise from its positions while it runs.")
    branch = _flag("Whether it began in a position of another match: such matches are never rated.")
    chance = _part(Chance)


_FIRST = "The version of the first of these facts; the following ones count on from there."
_FACTS = "What happened, in order, as you may see it."


class Receipt(Shape):
    """The service's signed word on where the match stood. Keep the last one: should the match ever be rewritten, it proves that."""

    match = _text("The match.", **_ID)
    version = _number("Where it stood.")
    head = _text("The hash of its last fact.")
    at = _number("When, in milliseconds since 1970, as it was signed.", examples=[1_772_366_400_000])
    key = _text("The id of the key, published at `/.well-known/kontor-keys.json`.")
    signature = _text("Ed25519, in Base64; over what, says docs/chain.md.")


class CommandAnswer(Match):
    """What a command did, and the match after it."""

    first = _number(_FIRST)
    facts = _list(_typed(), _FACTS)
    receipt = _part(Receipt)


class MoveAnswer(Position):
    """What a move did, and all that is needed to decide on the next."""

    first = _number(_FIRST)
    facts = _list(_typed(), _FACTS)
    receipt = _part(Receipt)


class DryRun(Shape):
    """A move that would pass."""

    passes = _flag("True; a move that would not pass is answered with the problem that it would meet.")
    version = _number("The version that this was decided on.")


# --- events ----------------------------------------------------------------------------------------------------------------


class Event(Shape):
    """A fact in the log of a match."""

    version = _number("Its place in the log.")
    at = _text("When.", **_MOMENT)
    by = _text("The player whose command caused it, or `house`.")
    fact = _open("The fact, as you may see it now.")


class EventPage(Shape):
    """Part of the log of a match."""

    match = _text("The match.", **_ID)
    status = _words("Where it stands in its life.", "open", "running", "finished", "aborted")
    version = _number("Its last version.")
    events = _list(fields.Nested(Event), "In order.")
    next = _number("Ask with `after` for what follows; null when the match is over and all was told.", allow_none=True)


class MyEvent(Event):
    """A fact in one of the caller's matches."""

    match = _text("The match.", **_ID)


class MyEventPage(Shape):
    """What happened in the caller's matches."""

    matches = _list(fields.Nested(MatchSummary), "Those of your matches that are not over, and where they wait.")
    events = _list(fields.Nested(MyEvent), "In order within each match.")
    next = _text("Ask with `after` for what follows.")


# --- system ----------------------------------------------------------------------------------------------------------------


class Health(Shape):
    """How the service is."""

    status = _words("Where it stands.", "ok")


class Fault(Shape):
    """One thing wrong with a request."""

    pointer = _text("JSON Pointer into the body.", required=False)
    parameter = _text("The query parameter.", required=False)
    header = _text("The request header.", required=False)
    detail = _text("What is wrong with it.")


class Problem(Shape):
    """An RFC 9457 problem."""

    type = _text("A link to what it means.", format="uri-reference", examples=["/docs#not_your_turn"])
    title = _text("The same for every problem of the kind.")
    status = _number("The HTTP status.")
    detail = _text("What is wrong this time.")
    instance = _text("The path that was asked for.", format="uri-reference")
    code = _text("Stable name of the kind, for programs.", examples=["not_your_turn"])
    rule = _text("The number of the rule that a move breaks.", required=False, examples=["S-14"])
    index = _number("Which move of a list was refused.", required=False)
    current_version = _number("Where the match stands now, when If-Match was stale.", required=False)
    errors = _list(fields.Nested(Fault), "Every fault of a request that can't be used.", required=False)
