"""Commands in plain data, as they are stored beside the facts they caused: one definition for playing and for auditing."""

from collections.abc import Callable

from domain.codec import Plain
from domain.entry import HOUSE
from domain.game import Fact
from domain.life import MatchCreated, PositionSet
from domain.match import Match


def create(match: Match, command: Plain, created: MatchCreated, by: str, at: int, position: PositionSet | None = None) -> list[Fact]:
    """Announces a match; its creator sits down at once if they asked for a seat of their own."""
    facts = match.create(created, at, position)
    if command["takes_seat"]:
        facts += match.join(by, None, at, bot=command["bot"], contribution=command["contribution"])
    return facts


def _join(match: Match, command: Plain, by: str, at: int) -> list[Fact]:
    return match.join(by, command["seat"], at, bot=command["bot"], contribution=command["contribution"])


def _play(match: Match, command: Plain, by: str, at: int) -> list[Fact]:
    moves = [match.rules.move_codec.decode(move) for move in command["moves"]]
    return match.play_seat(command["seat"], moves, at) if by == HOUSE else match.play(by, moves, at)


_WAYS: dict[str, Callable[[Match, Plain, str, int], list[Fact]]] = {
    "join": _join,
    "leave": lambda match, command, by, at: match.leave(by, at),
    "open": lambda match, command, by, at: match.open_contribution(by, command["value"], at),
    "give_up_waiting": lambda match, command, by, at: match.give_up_waiting(at),
    "start": lambda match, command, by, at: match.start(by, at),
    "play": _play,
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
