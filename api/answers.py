"""Answers that combine those of several parts of the service, or that only HTTP has."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from kontor_games.service.answer_fields import Id, Inline, Moment, known
from kontor_games.service.matches.answers import BriefMoveAnswer, CommandAnswer
from kontor_games.service.matches.quotas import Quota
from kontor_games.service.people.directory import ListedPlayer
from kontor_games.service.people.players import InvitationsFrom, Player
from kontor_games.service.ratings.queries import PlayerRating

_Path = Annotated[str, Meta(extra_json_schema={"format": "uri-reference"})]


class EntranceLinks(Struct, frozen=True):
    """Paths of the main resources."""

    games: str
    """Path of the list of games."""
    matches: str
    """Path of the list of matches."""
    docs: str
    """Path of the API description as an HTML page."""
    openapi: str
    """Path of the API description as an OpenAPI document."""


class Entrance(Struct, frozen=True):
    """The entry point of the API: links to the main resources."""

    name: str
    """Name of the service."""
    version: str
    """Version of the service."""
    page_build: str
    """Hash of all files of the web page; a new value means that the page was upgraded."""
    links: EntranceLinks
    """Paths of the main resources."""


class Health(Struct, frozen=True):
    """Health of the service."""

    status: Annotated[str, known("ok")]
    """`ok`; errors are reported as problems."""
    version: str
    """Version of the service."""


class Fault(Struct, frozen=True, kw_only=True):
    """One invalid value in a request: it has a `pointer`, a `parameter` or a `header`."""

    pointer: str | UnsetType = UNSET
    """JSON Pointer to the value in the request body."""
    parameter: str | UnsetType = UNSET
    """Name of the query parameter."""
    header: str | UnsetType = UNSET
    """Name of the request header."""
    detail: str
    """What is wrong with the value."""


class Problem(Struct, frozen=True):
    """A problem as defined by RFC 9457."""

    type: Annotated[_Path, Meta(examples=["/docs#not_your_turn"])]
    """Link to a description of this kind of problem."""
    title: str
    """Summary of this kind of problem; the same for every occurrence."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong in this case."""
    instance: _Path
    """Path of the request."""
    code: Annotated[str, Meta(examples=["not_your_turn"])]
    """Stable name of this kind of problem, for programs."""
    rule: Annotated[str, Meta(examples=["S-14"])] | UnsetType = UNSET
    """Number of the rule of the game that forbids the move."""
    index: int | UnsetType = UNSET
    """Index of the refused move, if several were sent."""
    current_version: int | UnsetType = UNSET
    """Current version of the match, if `If-Match` named an older one."""
    expected: str | UnsetType = UNSET
    """The exact text that must be signed, if a signature is missing or wrong."""
    expected_as_sent: str | UnsetType = UNSET
    """The same text with the moves as they were sent, if they are stored in another form; a signature over
    either text is valid."""
    errors: list[Fault] | UnsetType = UNSET
    """All invalid values of the request."""


class MyQuotas(Struct, frozen=True):
    """The limits on the matches that you created."""

    open_matches: Quota
    """Matches that you created and that have not started."""
    running_matches: Quota
    """Running matches that you created."""


class UsedToken(Struct, frozen=True):
    """The token with which this request was sent."""

    id: Id
    """Id of the token, for revoking it."""
    scopes: list[str]
    """The scopes of the token."""
    expires_at: Moment | None
    """Time at which the token expires; null if it never does."""


class Me(Struct, frozen=True):
    """Your own account."""

    player: Inline[Player]
    invitations_from: InvitationsFrom
    """Who may invite you to matches."""
    quotas: MyQuotas
    used_token: UsedToken


class Calls(Struct, frozen=True):
    """How you are called when a match waits for you and you are away."""

    push_key: str | None
    """The key to which browsers subscribe (`applicationServerKey`), in Base64url; null if this service sends
    no push messages."""
    devices: list[str]
    """The ids of your devices that get push messages."""


class PlayerProfile(ListedPlayer, frozen=True):
    """A player with their ratings."""

    ratings: tuple[PlayerRating, ...]
    """Ratings by game."""


class KeyedMatchAnswer(Struct, frozen=True):
    """The outcome for one match of a batch, as `POST /v1/matches` would have answered."""

    status: int
    """HTTP status: 201 if the match was created, otherwise that of the problem."""
    replayed: bool
    """Whether the match was created by an earlier request with the same key."""
    answer: CommandAnswer | None
    """The match; null if it was refused."""
    problem: Problem | None
    """Why it was refused; null if it was created."""


class KeyedMatchAnswers(Struct, frozen=True):
    """The outcome for each match."""

    answers: list[KeyedMatchAnswer]
    """One answer for each match, in the same order."""


class MatchMovesAnswer(Struct, frozen=True):
    """The outcome of one command of `POST /v1/moves`."""

    match: Id
    """Id of the match."""
    status: int
    """The HTTP status with which `POST /v1/matches/{match_id}/moves` would have answered: 201, or that of the
    problem."""
    replayed: bool
    """Whether this repeats the answer to an earlier command with the same key."""
    answer: BriefMoveAnswer | None
    """The facts and the new position; null if the command was refused."""
    problem: Problem | None
    """Why the command was refused; null if it was executed."""


class MatchMovesAnswers(Struct, frozen=True):
    """The outcome of each command."""

    answers: list[MatchMovesAnswer]
    """One answer for each command, in the same order."""
