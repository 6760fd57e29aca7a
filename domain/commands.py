"""Commands in plain data, as they are stored beside the facts they caused: one definition for playing and for auditing."""

from collections.abc import Callable, Sequence
from typing import Annotated

from kontor_games.domain.codec import Between, Codec, Length, Plain, Record, late, record
from kontor_games.domain.entry import HOUSE
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet

Seat = Annotated[int, Between(0, 99)]


@record
class Create(Record):
    """Announce a match; what was announced stands in its first fact."""

    takes_seat: bool
    bot: bool
    contribution: str


@record
class Join(Record):
    """Sit down: on a seat of one's choice, or on the first that is free."""

    seat: Seat | None
    bot: bool
    contribution: str


@record
class Leave(Record):
    """Stand up before the start."""


@record
class Open(Record):
    """Open the contribution that was sealed when joining."""

    value: str


@record
class GiveUpWaiting(Record):
    """Break a match off whose contributions were not opened in time: the clock's command, nobody else's."""


@record
class Start(Record):
    """Start a full match that does not start by itself."""


@record
class Play(Record):
    """Make moves, all or none. The house names the seat of its bot; a player moves for their own."""

    moves: Annotated[tuple[Plain, ...], Length(1, 1000)]
    seat: Seat | None = late(None)


@record
class TimeOut(Record):
    """Record that a seat's time is up: the clock's command, nobody else's."""

    seat: Seat


@record
class Resign(Record):
    """Give the match up."""


@record
class Abort(Record):
    """Break the match off, or agree to."""


COMMANDS = Codec((Create, Join, Leave, Open, GiveUpWaiting, Start, Play, TimeOut, Resign, Abort))
"""The plain-data form of every command."""
CLOCK_COMMANDS = (GiveUpWaiting.type, TimeOut.type)
"""What time alone brings about, in the name of the house."""


def create(match: Match, command: Plain, created: MatchCreated, by: str, at: int, position: PositionSet | None = None) -> list[Fact]:
    """Announces a match; its creator sits down at once if they asked for a seat of their own."""
    facts = match.create(created, at, position)
    if command["takes_seat"]:
        facts += match.join(by, None, at, bot=command["bot"], contribution=command["contribution"])
    return facts


def _join(match: Match, command: Plain, by: str, at: int) -> list[Fact]:
    return match.join(by, command["seat"], at, bot=command["bot"], contribution=command["contribution"])


def play(match: Match, command: Plain, by: str, at: int, moves: Sequence[Move] | None = None) -> list[Fact]:
    """Makes the moves of a command, unless they are given already read."""
    if moves is None:
        moves = [match.rules.move_codec.decode(move) for move in command["moves"]]
    return match.play_seat(command["seat"], moves, at) if by == HOUSE else match.play(by, moves, at)


_WAYS: dict[str, Callable[[Match, Plain, str, int], list[Fact]]] = {
    "join": _join,
    "leave": lambda match, command, by, at: match.leave(by, at),
    "open": lambda match, command, by, at: match.open_contribution(by, command["value"], at),
    "give_up_waiting": lambda match, command, by, at: match.give_up_waiting(at),
    "start": lambda match, command, by, at: match.start(by, at),
    "play": play,
    "time_out": lambda match, command, by, at: match.time_out(command["seat"], at),
    "resign": lambda match, command, by, at: match.resign(by, at),
    "abort": lambda match, command, by, at: match.abort(by, at),
}


def obey(match: Match, command: Plain, by: str, at: int) -> list[Fact]:
    """Carries a command out on a copy of a match: the facts it causes, or the refusal."""
    return _WAYS[command["type"]](match, command, by, at)


def acting_seat(match: Match, command: Plain, by: str) -> int | None:
    """The seat whose clock stops with a command; none where it is no act of play."""
    if command["type"] not in ("play", "resign", "time_out"):
        return None
    seat: int = command["seat"] if by == HOUSE else match.seat_of(by)
    return seat
