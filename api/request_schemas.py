"""What clients may ask for: request bodies and query strings, each name with what it means."""

from typing import Any, TypeVar

from marshmallow import fields

from kontor_games.api.fields import (
    Flag,
    RequestSchema,
    Whole,
    WrittenFlag,
    WrittenWhole,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.domain.plain import LARGEST
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.people.names import LONGEST_NAME
from kontor_games.service.people.tokens import LONGEST_MS, SCOPES

GAME_ID = r"[a-z][a-z0-9_-]{0,63}"
PUBLIC_KEY = r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
"""32 bytes in Base64, of which the last character holds four bits."""
SIGNATURE = r"[A-Za-z0-9+/]{86}=="
TAG = r"[a-z0-9][a-z0-9._-]{0,31}"
TAG_FORM = "1 to 32 lower-case letters, digits, dots, hyphens or underscores, the first one a letter or digit"
MOST_TAGS = 8
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CURSOR = r"[A-Za-z0-9_-]{1,8000}"
HEX_32_BYTES = r"[0-9a-f]{64}"
"""The form of a contribution: no room for personal text, which could never be erased from the record."""
_BASE64 = r"([A-Za-z0-9+/]{4}){2,50}([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
SIGNATURE_LINES = rf"(— [!-*,-~]{{1,255}} {_BASE64}\n){{1,16}}"
LONGEST_WAIT_S = 60
"""How long a long poll may wait."""
MOST_MOVES = 100
"""How many moves one command may hold."""
MOST_NEW_MATCHES = 100
"""How many matches one request may create."""
MOST_COMMANDS = 200
"""How many matches one request may make moves in; with keys and signatures so many fit into one body."""
MATCH_KEY = r"[A-Za-z0-9_-]{24}"
KEY = r"[!-~]{1,255}"
"""An Idempotency-Key."""
MOST_POSITIONS = 500
"""How many positions of a replay one answer may hold."""

F = TypeVar("F", bound=fields.Field[Any])
_NULLABLE: dict[str, Any] = {"allow_none": True, "load_default": None}
_NAME, _VERSION = length(1, LONGEST_NAME), between(1, LARGEST)
_HEX = matching(HEX_32_BYTES, "64 hex digits in lower case: 32 random bytes")
_GAME = matching(GAME_ID, "the id of a game")


def _field(kind: type[F], description: str, validate: Any = None, **options: Any) -> F:
    """A field with its description; without a default it is required. `schema` adds to its JSON Schema."""
    metadata = {"description": description, **options.pop("schema", {})}
    return kind(required="load_default" not in options, validate=validate, metadata=metadata, **options)


def _text(description: str, validate: Any = None, **options: Any) -> fields.String:
    return _field(fields.String, description, validate, **options)


def _id(description: str, **options: Any) -> fields.String:
    return _text(description, matching(UUID, "the id of a player"), schema={"format": "uuid"}, **options)


def cursor_field() -> fields.String:
    """The cursor of a page."""
    is_cursor = matching(CURSOR, "a cursor that this service gave")
    return _text("The value of `next` of the previous page.", is_cursor, load_default=None)


def limit_field(description: str, default: int, most: int) -> WrittenWhole:
    """The most items of a page."""
    return _field(WrittenWhole, description, between(1, most), load_default=default)


def game_field(description: str, **options: Any) -> fields.String:
    """The id of a game."""
    return _text(description, _GAME, **options)


def id_field(description: str, **options: Any) -> fields.String:
    """An id of a player, match, tournament or the like."""
    return _id(description, **options)


def _turns() -> WrittenFlag:
    description = (
        "Whether a stream also sends your position, with view, clock and legal moves, whenever you may act."
        " Pages have no turns."
    )
    return _field(WrittenFlag, description, load_default=False)


class NewPlayer(RequestSchema):
    """A new account."""

    name = _text(
        "Display name: visible characters, no leading or trailing space. It need not be unique.",
        _NAME,
        schema={"examples": ["Ada"]},
    )
    bot = _field(
        Flag,
        "Whether the player is a program. Everyone can see this, and it cannot be changed later.",
        load_default=False,
    )


class Renaming(RequestSchema):
    """A player's new name."""

    name = _text("The new name.", _NAME, schema={"examples": ["Ada L."]})


class InvitationSetting(RequestSchema):
    """Who may invite a player."""

    invitations_from = _text(
        "`everyone`, `nobody`, or `met`: only those who took part in a match with you that was started.",
        one_of("everyone", "met", "nobody"),
        schema={"examples": ["met"]},
    )


class NewKey(RequestSchema):
    """The key with which a player signs commands."""

    public_key = _text(
        "An Ed25519 public key, 32 bytes in Base64.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
    )
    proof = _text(
        "Signature with this key over the text that docs/signatures.md describes.",
        matching(SIGNATURE, "an Ed25519 signature, 64 bytes in Base64"),
    )


class NewToken(RequestSchema):
    """A new token."""

    label = _text("A label that helps you recognise the token.", _NAME, schema={"examples": ["laptop"]})
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=length(1, len(SCOPES)),
        metadata={
            "description": "What the token allows; at most what the token used for this request allows.",
            "examples": [["play"]],
        },
    )
    expires_in_ms = _field(
        Whole,
        "Lifetime in milliseconds. By default it lasts as long as the token used for this request.",
        between(1, LONGEST_MS),
        schema={"examples": [86_400_000]},
        **_NULLABLE,
    )


class DeviceCode(RequestSchema):
    """A one-time code from another device."""

    code = _text(
        "The code: eight letters; case, spaces and hyphens do not matter.",
        matching("[A-Za-z -]{8,20}", "a code of eight letters"),
        schema={"examples": ["KQRT-WXBD"]},
    )


class NewSeat(RequestSchema):
    """A seat of a new match."""

    type = _text(
        "`open`: anyone may take it. `invited`: for one player, you included. `bot`: for a house bot. `me`: yours at once, without a contribution to the seed.",
        one_of("open", "invited", "bot", "me"),
    )
    player = _id("Id of the invited player; only with `invited`.", **_NULLABLE)
    bot = _text(
        "Name of the house bot; only with `bot`. `GET /v1/games` lists them.", length(1, 64), **_NULLABLE
    )


class NewClock(RequestSchema):
    """The time control of a new match."""

    kind = _text(
        "`none`; `per_move`: `ms` for each move; `bank`: `ms` for the whole match, plus `increment_ms` after each move.",
        one_of("none", "per_move", "bank"),
        load_default="none",
    )
    ms = _field(
        Whole,
        "Milliseconds, at most thirty days. With a clock at least 5,000, unless the operator has set another limit.",
        between(0, LARGEST),
        load_default=0,
    )
    increment_ms = _field(Whole, "Milliseconds, at most thirty days.", between(0, LARGEST), load_default=0)


class NewMatch(RequestSchema):
    """A new match."""

    game = _text("Id of the game; `GET /v1/games` lists them.", _GAME)
    seats = fields.List(
        fields.Nested(NewSeat),
        required=True,
        validate=length(1, 16),
        metadata={"description": "The seats, in order of play."},
    )
    options = _field(
        fields.Dict,
        "Options of the game, as described by `GET /v1/games/{game}`.",
        keys=fields.String(),
        load_default=dict,
        schema={"type": "object"},
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    on_timeout = _text(
        "What happens when a player's time is up. `bot`: a harmless move is made for the seat; `forfeit`: the seat forfeits.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    autostart = _field(Flag, "Whether the match starts as soon as all seats are taken.", load_default=True)
    private = _field(
        Flag,
        "Whether the match is in no list, and visible only to you, to invited and seated players, and to whoever shows its `link_key` as `Match-Key`.",
        load_default=False,
    )
    meet_bots = _field(Flag, "Whether programs of other players may join.", load_default=True)
    seed = _text(
        "An open seed, for practice or duplicate play: everyone who knows it can compute the deal.",
        length(1, 200),
        **_NULLABLE,
    )
    sealed = _field(
        Flag,
        "Whether contributions are sealed: players send the SHA-256 of theirs when they join, and the value itself when all seats are taken.",
        load_default=False,
    )
    practice = _field(
        Flag,
        "Whether players may create branches while the match runs; in these, everything hidden is drawn again at random.",
        load_default=False,
    )
    required_witnesses = _field(
        Whole,
        "How many witnesses of the service must cosign a checkpoint that covers the match for it to be accepted.",
        between(0, 16),
        load_default=0,
    )
    signed = _field(
        Flag, "Whether every player must play with a key and sign their commands.", load_default=False
    )
    rated = _field(
        Flag,
        "Whether the result counts for the ladder of the game. Not with house bots, an open seed, practice, or in private.",
        load_default=False,
    )
    tags = _field(
        fields.List,
        "Words by which you find the match in lists. They are part of the record and can never be erased.",
        length(0, MOST_TAGS),
        cls_or_instance=fields.String(validate=matching(TAG, TAG_FORM)),
        load_default=list,
    )


class KeyedMatch(NewMatch):
    """A new match with a key of its own."""

    key = _text(
        "Idempotency-Key of this match.",
        matching(KEY, "1 to 255 visible ASCII characters"),
        **_NULLABLE,
    )


class NewMatches(RequestSchema):
    """Many new matches."""

    matches = fields.List(
        fields.Nested(KeyedMatch),
        required=True,
        validate=length(1, MOST_NEW_MATCHES),
        metadata={"description": "The matches; each is created or refused by itself."},
    )


class Joining(RequestSchema):
    """How to join a match."""

    seat = _field(
        Whole,
        "Number of the seat; by default the first one that is free for you.",
        between(0, 15),
        **_NULLABLE,
    )
    contribution = _text(
        "Your contribution to the seed, so that nobody else determines the deal alone: 32 random bytes in hex. Check and keep `chance.signed` of the match first.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        load_default="",
    )
    key = _text(
        "Your registered public key, if you have one: you then sign this request and every later command.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
        **_NULLABLE,
    )


class Opening(RequestSchema):
    """The value of a sealed contribution."""

    value = _text("The value whose SHA-256, over its 64 hex digits, you sent when you joined.", _HEX)


class NewBranch(RequestSchema):
    """A new match that starts in a position of another one."""

    version = _field(
        Whole,
        "Version of the match at which the branch starts; if it lies within a command, the version before that command.",
        _VERSION,
        schema={"examples": [17]},
    )
    seat = _field(
        Whole,
        "Your seat; by default your seat in the original match, or the first one.",
        between(0, 15),
        **_NULLABLE,
    )
    bot = _text(
        "The house bot for all other seats; by default the last one that the game lists.",
        length(1, 64),
        **_NULLABLE,
    )


class Nothing(RequestSchema):
    """No body, or an empty object."""


def _tell() -> fields.String:
    return _text(
        "Also tell the match in this language: a sentence about each fact, and a label for each legal move.",
        one_of(*LANGUAGES),
        load_default=None,
        schema={"examples": ["en"]},
    )


class TellQuery(RequestSchema):
    """In which language to answer."""

    tell = _tell()


class ManyMovesQuery(RequestSchema):
    """How to answer moves in many matches."""

    tell = _tell()
    brief = _field(
        WrittenFlag,
        "Leave `view` and `legal_moves` out of the answers, and `labels`, `scene` and `names`: for clients that get their turns from a stream with `turns=true`.",
        load_default=False,
    )


class DataSetQuery(RequestSchema):
    """How to draw a data set."""

    pieces = _field(
        WrittenFlag,
        "Whether the picture shows the pieces that lie on the board at the beginning.",
        load_default=True,
    )


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = _field(
        WrittenWhole, "Return the match as you could see it at this version.", _VERSION, load_default=None
    )
    truth = _field(
        WrittenFlag,
        "Include everything that was hidden at that version. Refused until the match is over.",
        load_default=False,
    )
    tell = _tell()


class MovesQuery(RequestSchema):
    """How to make a move."""

    dry_run = _field(
        WrittenFlag, "Only check the move and say what it would do; nothing is stored.", load_default=False
    )
    tell = _tell()


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = _field(
        WrittenWhole,
        "Return only facts after this version. The header `Last-Event-ID` takes precedence.",
        between(0, LARGEST),
        load_default=None,
    )
    limit = limit_field("Maximum number of facts on a JSON page.", 200, 1000)
    wait = _field(
        WrittenWhole,
        "Seconds to wait for new facts (JSON), or to keep a stream open (default: as long as the service allows).",
        between(0, LONGEST_WAIT_S),
        load_default=None,
    )
    turns = _turns()
    tell = _tell()


class PositionsQuery(RequestSchema):
    """Which positions of a match to return, and as which viewer sees them."""

    first = _field(
        WrittenWhole,
        "The first version; by default the beginning of the match.",
        _VERSION,
        load_default=1,
        data_key="from",
    )
    last = _field(
        WrittenWhole,
        "The last version; by default the newest one.",
        _VERSION,
        load_default=None,
        data_key="to",
    )
    viewer = _text(
        "Whose view to return: the number of a seat, `spectator`, or `arbiter`, who sees everything. By default your own view. Until the match is over, you can only ask for your own view and for that of a spectator.",
        matching("(spectator|arbiter|[0-9]|1[0-5])", "the number of a seat, `spectator` or `arbiter`"),
        load_default=None,
    )
    limit = limit_field("Maximum number of positions.", MOST_POSITIONS, MOST_POSITIONS)
    tell = _tell()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = cursor_field()
    wait = EventsQuery._declared_fields["wait"]
    turns = _turns()
    tell = _tell()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = _text("Only matches of this game.", _GAME, load_default=None)
    status = _text(
        "Only matches with this status.",
        one_of("open", "running", "finished", "aborted"),
        load_default=None,
    )
    player = _id("Only matches in which this player takes part.", load_default=None)
    creator = _id("Only matches that this player created.", load_default=None)
    tournament = _id("Only matches of this tournament.", load_default=None)
    tag = _text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = _field(WrittenFlag, "Only matches that are rated, or only others.", load_default=None)
    cursor = cursor_field()
    limit = limit_field("Maximum number of matches on a page.", 50, 200)


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = cursor_field()
    limit = limit_field("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = _field(WrittenWhole, "Size of the earlier tree: that of the checkpoint you kept.", _VERSION)
    second = _field(WrittenWhole, "Size of the later tree.", _VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = _field(WrittenWhole, "Size of the tree: that of a checkpoint.", _VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = _field(Whole, "Size of the checkpoint.", _VERSION)
    signatures = _text(
        "Signature lines of a note, each with its line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )


Move = {
    "type": "object",
    "description": "A move: one of `legal_moves` unchanged, or as described by `GET /v1/games/{game}`.",
    "properties": {"type": {"type": "string", "minLength": 1, "maxLength": 64}},
    "required": ["type"],
    "additionalProperties": True,
}
_MOVES = {"$ref": "#/components/schemas/Move"}
Moves = {
    "type": "object",
    "description": "Several moves that are carried out together: all of them or none.",
    "properties": {"moves": {"type": "array", "items": _MOVES, "minItems": 1, "maxItems": MOST_MOVES}},
    "required": ["moves"],
    "additionalProperties": False,
}
"""Moves are read by their game, not by marshmallow, so their schemas stand here as they are."""


def _optional(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"], "description": description}


MatchMoves = {
    "type": "object",
    "description": "A command of `POST /v1/moves`. It has `move` or `moves`, and is the same command as one that is sent to `POST /v1/matches/{match_id}/moves`.",
    "properties": {
        "match": {
            "type": "string",
            "format": "uuid",
            "pattern": f"^{UUID}$",
            "description": "Id of the match.",
        },
        "move": _MOVES,
        "moves": {
            **Moves["properties"]["moves"],  # type: ignore[index]
            "description": "Several moves that are carried out together: all of them or none.",
        },
        "key": _optional("Idempotency-Key of this command.", {"type": "string", "pattern": f"^{KEY}$"}),
        "version": _optional(
            "The version on which you based the command, as in `If-Match`.",
            {"type": "integer", "minimum": 0, "maximum": LARGEST},
        ),
        "signature": _optional(
            "Your signature over the command, as in `Kontor-Signature`.",
            {"type": "string", "pattern": f"^{SIGNATURE}$"},
        ),
    },
    "required": ["match"],
    "oneOf": [{"required": ["move"]}, {"required": ["moves"]}],
    "additionalProperties": False,
}
MatchMovesList = {
    "type": "object",
    "description": "Commands for many matches. Each is carried out or refused by itself.",
    "properties": {
        "commands": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/MatchMoves"},
            "minItems": 1,
            "maxItems": MOST_COMMANDS,
        }
    },
    "required": ["commands"],
    "additionalProperties": False,
}
