"""The commands that change a match. Each checks whether it is allowed and returns the facts it causes.

Commands are stored beside their facts, so that playing and auditing use one definition. `decide` works on a
copy of a match; see `Match`.
"""

from functools import cache
from typing import Any

from kontor_games.domain import plain
from kontor_games.domain.codec import Codec
from kontor_games.domain.commands.by_service import (
    RETRY_MS,
    CallOff,
    Expire,
    GiveUpWaiting,
    ResignErased,
    ReturnTime,
    RevealSecret,
    TimeOut,
)
from kontor_games.domain.commands.playing import Abort, Play, Resign
from kontor_games.domain.commands.seating import Create, Decline, Join, Leave, Open, SeatBot, Start
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.stream import Command

__all__ = [
    "COMMANDS", "COMMAND_CODEC", "RETRY_MS", "Abort", "CallOff", "Create", "Decline", "Expire",
    "GiveUpWaiting", "Join", "Leave", "Open", "Play", "Resign", "ResignErased", "ReturnTime",
    "RevealSecret", "SeatBot", "Start", "TimeOut", "command_codec",
]  # fmt: skip

COMMANDS: tuple[type[Command], ...] = (
    Create, Join, Leave, Decline, SeatBot, Open, GiveUpWaiting, Start, Play, TimeOut, ReturnTime, Expire,
    Resign, Abort, ResignErased, RevealSecret, CallOff,
)  # fmt: skip
COMMAND_CODEC = Codec(COMMANDS, {Move: plain.plain()})
"""The plain-data form of every command where the game is not known yet: moves stay plain data."""


@cache
def command_codec(rules: Rules[Any]) -> Codec:
    """The plain-data form of every command in a match under these rules."""
    return Codec(COMMANDS, {Move: rules.move_codec.field_format})
