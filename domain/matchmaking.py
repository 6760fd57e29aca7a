"""Matchmaking among seeks with equal terms: a pure function of the seeks and the time.

Two players fit if both accept the kind of the other, neither avoids the other, and the difference of
their ratings is within the limit of both, which grows with the time waited. A table is a group in which all
fit each other. The player who has waited longest is seated first, with those whose ratings are nearest.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from kontor_games.domain.chance import Seeded, seed_from

Opponents = Literal["people", "programs", "both"]
FIRST_WIDTH = 4.0
"""The difference of ratings that is accepted without waiting; a new player has 25 with a deviation of 8.3."""
WIDTH_PER_SECOND = 0.25
MAX_CANDIDATES = 20_000
"""Maximum number of candidates for one player, so that long lists of declined players can't slow pairing."""


class Seeker(NamedTuple):
    """A player who is looking for a match."""

    id: str
    player: str
    bot: bool
    mean: float
    """The mean of the rating in the ladder of the game."""
    since: int
    """When they started waiting, in milliseconds."""
    opponents: Opponents = "both"
    avoids: frozenset[str] = frozenset()
    """Players with whom they recently declined a match."""


def drawn_seats(secret: str, players: Sequence[str]) -> Sequence[str]:
    """The players of a table in the order of their seats, drawn by the secret of the match."""
    return Seeded(seed_from(secret)).draws("seats", 0).shuffled(sorted(players))


def accepted_gap(seeker: Seeker, now: int) -> float:
    """The difference in ratings that a player accepts, given the time waited until `now`."""
    return FIRST_WIDTH + WIDTH_PER_SECOND * max(0, now - seeker.since) / 1000


def fits(one: Seeker, other: Seeker, now: int) -> bool:
    """Whether two players can be matched with each other."""
    if one.player == other.player or other.player in one.avoids or one.player in other.avoids:
        return False
    if not (_accepts(one, other) and _accepts(other, one)):
        return False
    return abs(one.mean - other.mean) <= min(accepted_gap(one, now), accepted_gap(other, now))


def _accepts(one: Seeker, other: Seeker) -> bool:
    return one.opponents == "both" or one.opponents == ("programs" if other.bot else "people")


def pair(seekers: Sequence[Seeker], seats: int, now: int) -> list[tuple[Seeker, ...]]:
    """Tables for as many seekers as possible, longest wait first; those left over cannot form a table."""
    waiting = sorted(seekers, key=lambda one: (one.since, one.id))
    tables = []
    for first in list(waiting):
        if first not in waiting:
            continue
        others = [one for one in waiting if one.id != first.id and fits(first, one, now)]
        nearest = sorted(others, key=lambda one: (abs(one.mean - first.mean), one.since, one.id))
        table = next(_tables((first,), nearest, seats, now, iter(range(MAX_CANDIDATES))), None)
        if table:
            tables.append(table)
            taken = {one.player for one in table}
            waiting = [one for one in waiting if one.player not in taken]
    return tables


def _tables(
    table: tuple[Seeker, ...], candidates: Sequence[Seeker], seats: int, now: int, steps: Iterator[int]
) -> Iterator[tuple[Seeker, ...]]:
    """Yield all tables that extend `table`, until `steps` runs out; each candidate fits all in `table`."""
    if len(table) == seats:
        yield table
        return
    for index, one in enumerate(candidates):
        if next(steps, None) is None:
            return
        rest = [other for other in candidates[index + 1 :] if fits(one, other, now)]
        if len(table) + 1 + len(rest) >= seats:
            yield from _tables((*table, one), rest, seats, now, steps)
