"""The answers about seeks (`service/answer_fields.py`)."""

from typing import Annotated

from msgspec import Struct

from kontor_games.service.answer_fields import Id, Moment, Object, known
from kontor_games.service.matches.answers import ClockKind
from kontor_games.service.people.players import Player
from kontor_games.service.seeks import store

_Status = Annotated[str, known("waiting", "offered", "matched", "declined", "missed", "cancelled", "expired")]


class Seek(Struct, frozen=True):
    """A player who is looking for a match."""

    id: Id
    """Id of the seek."""
    player: Player
    """The player who is looking for a match."""
    game: str
    """The game."""
    seats: int
    """Number of players."""
    opponents: str
    """The accepted opponents: `people`, `programs` or `both`."""
    rated: bool
    """Whether the result counts for the ladder."""
    clock: ClockKind
    options: Object
    """Options of the game, with defaults."""
    on_timeout: str
    """What happens when a player's time is up, as in a new match."""
    status: _Status
    """`waiting`: no match has been found yet; `offered`: `match` is waiting for you to take your seat;
    `matched`: the match has started; `declined`: you declined the match; `missed`: you did not take your seat
    within a minute; `cancelled`; `expired`."""
    match: Id | None
    """Id of the match that was offered last; null if there was none."""
    created_at: Moment
    """Time of creation."""
    expires_at: Moment
    """Time at which the seek expires."""


class SeekList(Struct, frozen=True):
    """Seeks: waiting ones oldest first, your own newest first."""

    seeks: list[Seek]
    """The seeks."""


def seek(stored: store.Seek, player: Player) -> Seek:
    """A stored seek with the account of its player."""
    terms = stored.terms
    return Seek(
        stored.id,
        player,
        terms.game,
        terms.seats,
        stored.opponents,
        terms.rated,
        ClockKind(**terms.clock),
        terms.options,
        terms.on_timeout,
        stored.status,
        stored.match_id,
        Moment(stored.created_at),
        Moment(stored.expires_at),
    )
