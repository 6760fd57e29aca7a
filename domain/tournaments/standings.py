"""Standings: a fold of results. Points, tie-breaks and places are exact, so that every verifier agrees.

Points are counted in sixtieths, since up to five entrants can share a place.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from kontor_games.domain.codec import Record, record
from kontor_games.domain.tournaments.terms import Terms, TieBreak

UNIT = 60
"""One point. Divisible by every number of entrants who can share a place."""
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of one match of a tournament."""

    block: int
    """Matches with the same number are one block: the same deal from every seat."""
    entrants: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


@record
class Standing(Record):
    """One line of the standings."""

    entrant: int
    place: int
    points: int
    """In sixtieths of a point."""
    tie_breaks: tuple[int, ...]
    """The values of the announced tie-breaks, in their order; more is better."""
    played: int
    wins: int
    """In sixtieths of a win; players who share first place share the win."""
    byes: int


def points_of(points: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the points of each seat in sixtieths; seats that share a place share its points equally."""
    shared = []
    for place in places:
        equals = places.count(place)
        shared.append(UNIT * sum(points[place - 1 : place - 1 + equals]) // equals)
    return shared


class Results:
    """All results of a tournament, from which points and tie-breaks are computed."""

    def __init__(
        self, terms: Terms, finishes: Sequence[Finish], byes: Mapping[int, int], lots: Mapping[int, int]
    ) -> None:
        """Take the number of byes and the lot of each entrant; the higher lot wins."""
        self._byes = byes
        self._lots = lots
        self.points = Counter({entrant: UNIT * terms.bye_points * count for entrant, count in byes.items()})
        self._played: dict[int, list[tuple[Finish, int, int]]] = defaultdict(list)
        """The matches of each entrant, with their seat and the points awarded."""
        for finish in finishes:
            awarded = points_of(terms.points, finish.places)
            for seat, entrant in enumerate(finish.entrants):
                self.points[entrant] += awarded[seat]
                self._played[entrant].append((finish, seat, awarded[seat]))

    def tie_break(self, kind: TieBreak, entrant: int, equals: Set[int]) -> int:
        """Return the value of a tie-break for one of several entrants who are tied so far."""
        played = self._played[entrant]
        match kind:
            case "wins":
                return self._wins(entrant)
            case "score":
                return sum(finish.scores[seat] for finish, seat, _ in played)
            case "score_share":
                return sum(_score_share(finish.scores, seat) for finish, seat, _ in played)
            case "opponents":
                return sum(self._points_of_opponents(entrant))
            case "median_opponents":
                return sum(sorted(self._points_of_opponents(entrant))[1:-1])
            case "direct":  # the points in matches with another of the tied entrants
                met = [awarded for finish, _, awarded in played if len(equals & {*finish.entrants}) > 1]
                return sum(met)
            case "lot":
                return self._lots.get(entrant, 0)

    def _wins(self, entrant: int) -> int:
        won = [finish for finish, seat, _ in self._played[entrant] if finish.places[seat] == 1]
        return sum(UNIT // finish.places.count(1) for finish in won)

    def _points_of_opponents(self, entrant: int) -> list[int]:
        tables = [finish.entrants for finish, _, _ in self._played[entrant]]
        return [self.points[other] for table in tables for other in table if other != entrant]

    def standing(self, entrant: int, place: int, tie_breaks: Sequence[int]) -> Standing:
        """Return the line of an entrant."""
        return Standing(
            entrant, place, self.points[entrant], tuple(tie_breaks), len(self._played[entrant]),
            self._wins(entrant), self._byes.get(entrant, 0),
        )  # fmt: skip


def _score_share(scores: Sequence[int], seat: int) -> int:
    """The share of the scores at a table that a seat has, in millionths."""
    whole = sum(max(0, score) for score in scores)
    return max(0, scores[seat]) * _MILLION // whole if whole else 0


def standings(
    terms: Terms,
    entrants: Sequence[int],
    finishes: Sequence[Finish],
    byes: Mapping[int, int] | None = None,
    lots: Mapping[int, int] | None = None,
) -> list[Standing]:
    """Return the standings, best first; entrants with equal points and tie-breaks share a place."""
    results = Results(terms, finishes, byes or {}, lots or {})
    values: dict[int, list[int]] = {entrant: [] for entrant in entrants}
    groups = [list(group) for group in _grouped(entrants, lambda entrant: results.points[entrant])]
    for kind in terms.tie_breaks:
        groups = [part for group in groups for part in _split(group, kind, results, values)]
    found, place = [], 1
    for group in groups:
        found += [results.standing(entrant, place, values[entrant]) for entrant in sorted(group)]
        place += len(group)
    return found


def _split(
    group: list[int], kind: TieBreak, results: Results, values: Mapping[int, list[int]]
) -> list[list[int]]:
    equals = frozenset(group)
    worth = {entrant: results.tie_break(kind, entrant, equals) for entrant in group}
    for entrant in group:
        values[entrant].append(worth[entrant])
    return _grouped(group, worth.__getitem__)


def _grouped(entrants: Sequence[int], worth: Callable[[int], int]) -> list[list[int]]:
    """Return entrants in groups of equal value, highest value first."""
    groups: dict[int, list[int]] = defaultdict(list)
    for entrant in entrants:
        groups[worth(entrant)].append(entrant)
    return [groups[value] for value in sorted(groups, reverse=True)]
