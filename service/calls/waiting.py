"""For whom a match waits, and for what."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from kontor_games.domain.match import Match
from kontor_games.domain.stream import HOUSE, Entry


class Waiting(NamedTuple):
    """A match waits for a player."""

    player: str
    kind: Literal["turn", "invited", "table"]
    number: int
    """The number of the entry after which the player was awaited; it is the same as long as that lasts."""
    by: str | None = None
    """Who invites the player."""


def waiting_in(match: Match, entries: list[Entry]) -> Iterator[Waiting]:
    """For whom the match waits: those whose turn it is, and those who are invited to an open seat."""
    if match.status == "open":
        host = match.created.creator
        for seat, taken in enumerate(match.seats):
            player = match.reserved_for(seat)
            if taken is None and player is not None and player != host:
                yield Waiting(player, "table" if host == HOUSE else "invited", -1, host)
    for seat in match.to_act:
        taken = match.seats[seat]
        if taken is not None and taken.house is None and match.has_move(seat):
            yield Waiting(taken.player, "turn", _last_of(entries, seat))


def _last_of(entries: list[Entry], seat: int) -> int:
    """The number of the last entry of a seat; 0 if it has not acted yet."""
    return next((number for number in range(len(entries) - 1, 0, -1) if entries[number].seat == seat), 0)
