"""What clients get, described. Answers are rendered by hand (`render`), and a test holds every answer against these schemas.

Words that may grow (`status`, `type`, `code`) are plain strings here with the known values beside them: a client must live with new ones.
"""

from functools import partial
from typing import Any

from marshmallow import fields

from kontor_games.api.fields import ResponseSchema, described

_ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}
_MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}


_text = partial(described, fields.String)
_number = partial(described, fields.Integer)
_flag = partial(described, fields.Boolean)


def _list(inner: Any, description: str, *, required: bool = True) -> fields.List[Any]:
    return described(fields.List, description, inner, required=required)


def _part(shape: type[ResponseSchema], description: str = "", *, allow_none: bool = False) -> fields.Nested:
    return described(fields.Nested, description, shape, allow_none=allow_none)


def _open(description: str, *, nullable: bool = False, required: bool = True) -> fields.Raw:
    """An object whose members its game describes."""
    kind = ["object", "null"] if nullable else "object"
    return described(fields.Raw, description, required=required, type=kind, additionalProperties=True)


def _typed() -> fields.Raw:
    """A move or a fact: it has a type, and its game describes the rest."""
    shape = {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "additionalProperties": True,
    }
    return fields.Raw(metadata=shape)


def _words(description: str, *known: str) -> fields.String:
    metadata = {"description": description, "x-extensible-enum": list(known)}
    return fields.String(required=True, metadata=metadata)


def _texts() -> fields.List[Any]:
    description = "With `tell`: a sentence about each of `facts`; null where there is nothing to say."
    return _list(fields.String(allow_none=True), description, required=False)


def _names() -> fields.List[Any]:
    description = "With `tell`: what sentences and labels call the seats; no two are alike."
    return _list(fields.String(), description, required=False)


# --- accounts ---------------------------------------------------------------------------------------------


class Player(ResponseSchema):
    """An account."""

    id = _text("Id of the player; never changes.", **_ID)
    name = _text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = _flag("Whether the player is a program.")
    created_at = _text("Time of registration.", **_MOMENT)
    public_key = _text(
        "Ed25519 public key with which the player signs commands, in Base64; null if there is none.",
        allow_none=True,
    )


class Quota(ResponseSchema):
    """How much of a quota is used."""

    used = _number("How many you have.")
    limit = _number("How many you may have.")


class MyQuotas(ResponseSchema):
    """What you may have at a time."""

    open_matches = _part(Quota, "Matches that you created and that have not started.")
    running_matches = _part(Quota, "Running matches that you created.")


class UsedToken(ResponseSchema):
    """The token of this request."""

    id = _text("Id of the token, for revoking it.", **_ID)
    scopes = _list(fields.String(), "What the token allows.")
    expires_at = _text("Time at which the token expires; null if it never does.", allow_none=True, **_MOMENT)


class Me(Player):
    """Your own account."""

    invitations_from = _words("Who may invite you to matches.", "everyone", "met", "nobody")
    quotas = _part(MyQuotas)
    used_token = _part(UsedToken)


class Registered(Player):
    """A new account with its first token."""

    token = _text(
        "The token; it is shown only once. Keep it secret: it gives full access to the account.",
        examples=["kontor_…"],
    )


class Token(ResponseSchema):
    """A token, without its text."""

    id = _text("Id of the token, for revoking it.", **_ID)
    label = _text("The label that you chose.")
    scopes = _list(fields.String(), "What the token allows.")
    created_at = _text("Time of creation.", **_MOMENT)
    expires_at = _text("Time at which the token expires; null if it never does.", allow_none=True, **_MOMENT)
    last_four = _text("The last four characters of the token.")


class IssuedToken(Token):
    """A new token, with its text."""

    token = _text("The token; it is shown only once.", examples=["kontor_…"])


class NewDeviceCode(ResponseSchema):
    """A one-time code for another device."""

    code = _text("The code, eight letters; it works once.", examples=["KQRTWXBD"])
    expires = _text("Time until which it works.", **_MOMENT)


class TokenList(ResponseSchema):
    """The caller's tokens."""

    tokens = _list(fields.Nested(Token), "The valid tokens, oldest first.")


class EntranceLinks(ResponseSchema):
    """Addresses of this service."""

    games = _text("The games.")
    matches = _text("The matches.")
    docs = _text("The API description for people.")
    openapi = _text("The API description for programs.")


class Entrance(ResponseSchema):
    """Where to go on."""

    name = _text("Name of the service.")
    page_build = _text("Hash of the files of the page; another one after an upgrade.")
    links = _part(EntranceLinks, "Addresses of this service.")


# --- games ------------------------------------------------------------------------------------------------


class GameSummary(ResponseSchema):
    """A game in the list."""

    id = _text("Id of the game, used in requests.")
    title = _text("Title in the language that `Content-Language` names.")
    titles = described(fields.Dict, "Title by language code.", fields.String(), fields.String())
    seats = _list(fields.Integer(), "Possible numbers of seats.")
    bots = _list(fields.String(), "Names of the house bots of this game.")


class GameList(ResponseSchema):
    """All games of this service."""

    games = _list(fields.Nested(GameSummary), "The games, ordered by id.")


class DataSetSummary(ResponseSchema):
    """What is printed on cards or boards, apart from the rules."""

    name = _text("Name of the data set, for the options of a match.")
    hash = _text("SHA-256 of the canonical JSON of the document; recorded in each match.")


class RulesetSummary(ResponseSchema):
    """One version of a game's rules."""

    version = _number("Version number, from 1.")
    current = _flag("Whether new matches use this version.")
    view_schema = _open("JSON Schema of `view` in matches of this version, with a description of each field.")


class GameDetails(GameSummary):
    """Everything a client needs to know about a game."""

    language = _text("Language of `title`, `rules_text` and `words`.")
    rules_text = _text("The rules for players, in Markdown.")
    rulesets = _list(fields.Nested(RulesetSummary), "All versions of the rules, oldest first.")
    data_sets = _list(fields.Nested(DataSetSummary), "The data sets; the first one is the default.")
    options = _open("JSON Schema of the options for a match.")
    moves = _open("JSON Schema of every kind of move, by `type`.")
    facts = _open(
        "JSON Schema of every kind of fact, by `type`; fields that are hidden from you are listed under `hidden`."
    )
    words = _open("Names of everything that views and facts refer to by id.")


class DataSet(DataSetSummary):
    """A data set with its document."""

    document = _open("What is printed on the cards or boards, in the format of the game.")
    format = _text("Description of `document` and `derived`, in Markdown.")
    derived = _open(
        "What follows from the document: everything in it by the ids that views and facts use, which places lie beside each other, and coordinates in the picture."
    )


# --- matches ----------------------------------------------------------------------------------------------


class Sitter(ResponseSchema):
    """A player at, or invited to, a seat."""

    id = _text("Id of the player, or `house` for a house bot.")
    name = _text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = _flag("Whether the player is a program.")


class Seat(ResponseSchema):
    """A seat of a match."""

    seat = _number("Number of the seat, from 0.")
    type = _words("Whom the seat is for.", "open", "invited", "bot")
    player = _part(Sitter, "The player who holds the seat; null if it is free.", allow_none=True)
    invited = _part(Sitter, "The invited player, or null.", allow_none=True)
    absent = _flag("Whether the player has resigned or forfeited.")
    key = _text(
        "Public key with which the player signs commands in this match; null if they are not signed.",
        allow_none=True,
    )


class Ruleset(ResponseSchema):
    """The rules of a match; fixed when it is created."""

    game = _text("The game.")
    version = _number("The version of the rules.")
    data = _text("Name of the data set.")
    data_hash = _text("SHA-256 of the data set, with defaults written out (docs/export.md).")


class SeatClock(ResponseSchema):
    """The clock of one seat."""

    seat = _number("The seat.")
    remaining_ms = _number("Remaining time at `server_time`.")
    deadline = _text(
        "Time at which the clock runs out if the seat does not move; null while the clock is stopped.",
        allow_none=True,
        **_MOMENT,
    )


class ClockKind(ResponseSchema):
    """The time control of a match."""

    kind = _words(
        "`none`; `per_move`: time for each move; `bank`: time for the whole match.",
        "none",
        "per_move",
        "bank",
    )
    ms = _number("Milliseconds for each move, or for the whole match.")
    increment_ms = _number("Milliseconds added after each move (`bank` only).")


class Clock(ClockKind):
    """The clocks of a match."""

    server_time = _text(
        "The time to which `remaining_ms` refers; absent if the match has no clock.",
        required=False,
        **_MOMENT,
    )
    seats = _list(
        fields.Nested(SeatClock), "The clock of each seat; absent if the match has no clock.", required=False
    )


class Result(ResponseSchema):
    """The result of a match."""

    places = _list(fields.Integer(), "Place of each seat; 1 is best, and ties share a place.")
    scores = described(
        fields.List,
        "Points of each seat by category; null if all players but one have left.",
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        allow_none=True,
    )
    reason = _words(
        "`played`: played to the end; `forfeit`: all players but one have left.", "played", "forfeit"
    )


class SignedCommitment(ResponseSchema):
    """The service's signature over `commitment`, to be checked and kept before you contribute to the seed."""

    at = _number("Time of the signature, in milliseconds since 1970; it tells which key was in use.")
    key = _text("Id of the signing key.")
    signature = _text("Ed25519 signature in Base64; docs/chance.md describes the signed text.")


class Chance(ResponseSchema):
    """How the random numbers of a match are determined (docs/chance.md)."""

    commitment = _text("SHA-256 of the server's secret, recorded in the first fact of the match.")
    signed = _part(
        SignedCommitment, "The signed commitment; null once the match has started.", allow_none=True
    )
    sealed = _flag(
        "Whether contributions are sealed: players send a hash when they join, and the value when all seats are taken."
    )
    due = _text(
        "Deadline for opening sealed contributions; null unless they are being opened now.",
        allow_none=True,
        **_MOMENT,
    )
    open_seed = _text("The open seed, if the match was created with one; otherwise null.", allow_none=True)
    in_block = _flag(
        "Whether the match belongs to a block of a tournament: the seed of the tournament fixes the deal, and what players"
        " put in here does not count."
    )
    server_secret = _text("The server's secret; null until the match is over.", allow_none=True)


class Standing(ResponseSchema):
    """Where a match stands."""

    id = _text("Id of the match.", **_ID)
    status = _words("Status of the match.", "open", "running", "finished", "aborted")
    version = _number("Number of facts so far.")
    at = _text("Time of the last fact.", **_MOMENT)
    you = _number("Your seat; null if you have none.", allow_none=True)
    to_act = _list(fields.Integer(), "The seats that have to move.")


class Announcement(ResponseSchema):
    """What a match in a list and a whole match say of it."""

    game = _text("Id of the game.")
    seats = _list(fields.Nested(Seat), "The seats, in order of play.")
    private = _flag("Whether only the creator and its invited or seated players can see the match.")
    meet_bots = _flag("Whether programs of other players may join.")
    practice = _flag("Whether its players may create branches while the match runs.")
    branch = _flag("Whether the match started in a position of another match; branches are never rated.")
    signed = _flag("Whether every player must sign their commands.")
    rated = _flag("Whether the result counts for the ladder of the game (docs/ratings.md).")
    tags = _list(fields.String(), "Words by which the match is found in lists.")


class MatchSummary(Standing, Announcement):
    """A match in a list."""

    clock = _part(ClockKind)
    result = _part(
        Result, "The result of a finished match; null before, and if it was aborted.", allow_none=True
    )


class MatchPage(ResponseSchema):
    """One page of matches, newest first."""

    matches = _list(fields.Nested(MatchSummary), "Matches that you may see.")
    next = _text("Cursor of the next page; null on the last page.", allow_none=True)


class Position(Standing):
    """The current state of a match, as you may see it."""

    version = _number("Number of facts so far; the ETag begins with it.")
    legal_moves = _list(
        _typed(),
        "Every move that you can make now, ready to be sent. A kind of move with too many possibilities is listed once, as `type` and `schema`.",
    )
    labels = _list(
        fields.String(),
        "With `tell`: for each of `legal_moves` a short imperative sentence; no two are alike.",
        required=False,
    )
    scene = _text(
        "With `tell`: the table as a few lines of text; empty before the match starts.", required=False
    )
    names = _names()
    view = _open("What you may see of the game; null before the match starts.", nullable=True)
    clock = _part(Clock)
    result = _part(Result, allow_none=True)
    head = _text(
        "Hash of the last fact's record. Each record contains the hash of the one before, so it covers all facts (docs/chain.md)."
    )


class Turn(Position):
    """Your turn in a match, as a stream with `turns=true` sends it."""

    match = _text("Id of the match.", **_ID)


class Match(Position, Announcement):
    """A match, with everything that you may see of it."""

    ruleset = _part(Ruleset)
    options = _open("The chosen options, including defaults.")
    creator = _text("Id of the player who created the match; `house` for a match of a tournament.")
    on_timeout = _words(
        "What happens when a player's time is up: a harmless move is made for the seat, or the seat forfeits.",
        "bot",
        "forfeit",
    )
    autostart = _flag("Whether the match starts as soon as all seats are taken.")
    required_witnesses = _number("How many witnesses must cosign a checkpoint that covers the match.")
    witnesses = _list(
        fields.String(), "Public keys of the witnesses, if any must cosign, in the form of signed-note."
    )
    expires_at = _text(
        "When the service ends the match if nobody sends a command until then (docs/time.md); null if it does not.",
        allow_none=True,
        **_MOMENT,
    )
    chance = _part(Chance)
    link_key = _text(
        "Of a private match that you created: whoever shows this key as `Match-Key` may see and join it. Otherwise null, also at a past `version`.",
        allow_none=True,
    )


class LinkKey(ResponseSchema):
    """The key of a private match."""

    link_key = _text("Whoever shows it as `Match-Key` may see and join the match.")


class Receipt(ResponseSchema):
    """A signed statement of the match's version and head hash. Keep the last one: it proves if the match is rewritten later."""

    match = _text("Id of the match.", **_ID)
    version = _number("Version of the match.")
    head = _text("Hash of the last fact's record.")
    at = _number(
        "Time of the command, in milliseconds since 1970; part of what is signed.",
        examples=[1_772_366_400_000],
    )
    key = _text("Id of the signing key; the keys are published at `/.well-known/kontor-keys.json`.")
    signature = _text("Ed25519 signature in Base64; docs/chain.md specifies what is signed.")


class Effects(ResponseSchema):
    """What a command did."""

    first = _number("Version of the first of these facts; the others follow without gaps.")
    facts = _list(_typed(), "The facts that the command caused, in order, as you may see them.")
    texts = _texts()
    receipt = _part(Receipt)


class CommandAnswer(Match, Effects):
    """The facts that a command caused, and the match afterwards."""


class MoveAnswer(Position, Effects):
    """The facts that a move caused, and everything needed to choose the next one."""


class DryRun(ResponseSchema):
    """The answer to a dry run of a legal move."""

    passes = _flag(
        "Always true: a move that is not legal is answered with the problem that the move itself would cause."
    )
    version = _number("Version of the match for which the move was checked.")
    facts = _list(_typed(), "The facts that the move causes for certain, in order, as you would see them.")
    texts = _texts()
    view = _open("What you would see of the game after these facts.")
    complete = _flag(
        "Whether these are all facts. If false, what follows depends on chance or on something that you may not know."
    )


# --- events -----------------------------------------------------------------------------------------------


class Event(ResponseSchema):
    """A fact of a match."""

    version = _number("Version of the fact: its number within the match, from 1.")
    at = _text("Time of the fact.", **_MOMENT)
    by = _text("Id of the player whose command caused the fact, or `house` for the service itself.")
    fact = _open("The fact as you may see it now.")
    text = _text(
        "With `tell`: a sentence about the fact; null where there is nothing to say.",
        required=False,
        allow_none=True,
    )


class EventPage(ResponseSchema):
    """Some facts of a match."""

    match = _text("Id of the match.", **_ID)
    status = _words("Status of the match.", "open", "running", "finished", "aborted")
    version = _number("Current version of the match.")
    events = _list(fields.Nested(Event), "The facts, in order.")
    next = _number(
        "Send it as `after` to read on; null if the match is over and there are no more facts.",
        allow_none=True,
    )


class PatchOperation(ResponseSchema):
    """One operation of a JSON Patch."""

    op = _words("What to do with the value at `path`.", "add", "replace", "remove")
    path = _text("JSON Pointer to the value; `-` as its last step is the end of a list.")
    value = described(fields.Raw, "The new value; absent with `remove`.", required=False)


class ReplayPosition(ResponseSchema):
    """A command of a match, and where the match stood after it."""

    version = _number("Version of the match after the command.")
    first = _number("Version of the first of its facts.")
    at = _text("Time of the command.", **_MOMENT)
    by = _text("Id of the player who gave the command, or `house` for the service itself.")
    seat = _number("The seat that acted; null if none did.", allow_none=True)
    facts = _list(_typed(), "The facts that the command caused, in order, as the viewer could see them then.")
    texts = _texts()
    status = _words("Status of the match.", "open", "running", "finished", "aborted")
    to_act = _list(fields.Integer(), "The seats that had to move.")
    remaining_ms = described(
        fields.List,
        "The time that each seat had left; null in a match without a clock.",
        fields.Integer(),
        allow_none=True,
    )
    view = described(
        fields.Raw,
        "What the viewer could see of the game; null before the match started. Absent if there is a `patch`.",
        required=False,
        type=["object", "null"],
        additionalProperties=True,
    )
    patch = _list(
        fields.Nested(PatchOperation),
        "JSON Patch (RFC 6902) that makes the view of this position from the view of the one before. Absent if there is a `view`.",
        required=False,
    )


class Replay(ResponseSchema):
    """Positions of a match, one after each command."""

    match = _text("Id of the match.", **_ID)
    status = _words("Current status of the match.", "open", "running", "finished", "aborted")
    version = _number("Current version of the match.")
    names = _names()
    positions = _list(
        fields.Nested(ReplayPosition),
        "The positions in order. The first has a `view`, the others have a `patch` of the view before.",
    )
    next = _number(
        "Send it as `from` to read on; null if there are no more positions in the range.", allow_none=True
    )


class MyEvent(Event):
    """A fact of one of your matches."""

    match = _text("Id of the match.", **_ID)


class MyEventPage(ResponseSchema):
    """New facts of your matches."""

    matches = _list(fields.Nested(MatchSummary), "Your matches that are not over.")
    events = _list(fields.Nested(MyEvent), "The facts, in order within each match.")
    next = _text("Send it as `after` to read on.")


# --- system -----------------------------------------------------------------------------------------------


class Health(ResponseSchema):
    """Health of the service."""

    status = _words("`ok` if all is well.", "ok")


class Fault(ResponseSchema):
    """One invalid value in a request."""

    pointer = _text("JSON Pointer to the value in the request body.", required=False)
    parameter = _text("Name of the query parameter.", required=False)
    header = _text("Name of the request header.", required=False)
    detail = _text("What is wrong with the value.")


class Problem(ResponseSchema):
    """A problem as defined by RFC 9457."""

    type = _text(
        "Link to a description of this kind of problem.",
        format="uri-reference",
        examples=["/docs#not_your_turn"],
    )
    title = _text("What this kind of problem means; the same for every occurrence.")
    status = _number("The HTTP status.")
    detail = _text("What is wrong in this case.")
    instance = _text("Path of the request.", format="uri-reference")
    code = _text("Stable name of this kind of problem, for programs.", examples=["not_your_turn"])
    rule = _text("Number of the rule that forbids the move.", required=False, examples=["S-14"])
    index = _number("Index of the refused move, if several were sent.", required=False)
    current_version = _number(
        "Current version of the match, if `If-Match` named an older one.", required=False
    )
    expected = _text("The text that was to be signed, if a signature is missing or wrong.", required=False)
    errors = _list(fields.Nested(Fault), "All invalid values of the request.", required=False)


# --- moves in many matches ----------------------------------------------------------------------------------


class BriefMoveAnswer(MoveAnswer):
    """The facts that moves caused, and where the match stands; without `brief`, also all that is needed to choose the next one."""

    legal_moves = _list(
        _typed(),
        "Every move that you can make now, as in the answer to a single move; missing with `brief`.",
        required=False,
    )
    view = _open("What you may see of the game; missing with `brief`.", nullable=True, required=False)


class MatchMovesAnswer(ResponseSchema):
    """The outcome of one command of `POST /v1/moves`."""

    match = _text("Id of the match.", **_ID)
    status = _number(
        "The status that `POST /v1/matches/{match_id}/moves` would have: 201, or that of the problem."
    )
    replayed = _flag("Whether this repeats the answer to an earlier command with the same key.")
    answer = _part(
        BriefMoveAnswer, "The facts and the new position; null if the command was refused.", allow_none=True
    )
    problem = _part(Problem, "Why the command was refused; null if it was carried out.", allow_none=True)


class NewMatchAnswer(ResponseSchema):
    """The outcome for one match of many, as `POST /v1/matches` would have answered."""

    status = _number("Status code: 201 if the match was created, otherwise that of the problem.")
    replayed = _flag("Whether the match had been created before, under the same key.")
    answer = _part(CommandAnswer, "The match; null if it was refused.", allow_none=True)
    problem = _part(Problem, "Why it was refused; null if it was created.", allow_none=True)


class NewMatchAnswers(ResponseSchema):
    """The outcome for each match."""

    answers = _list(fields.Nested(NewMatchAnswer), "One answer for each match, in the same order.")


class MatchMovesAnswers(ResponseSchema):
    """The outcome of each command."""

    answers = _list(fields.Nested(MatchMovesAnswer), "One answer for each command, in the same order.")
