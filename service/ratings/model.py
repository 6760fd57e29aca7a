"""How the result of a match changes ratings: openskill's Bradley–Terry model with partial pairing.

Its Plackett–Luce model is not used: with ties it can rank the second above the winners. Programs do not
change from match to match, so nothing is added to their deviation (tau 0).
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from openskill.models import BradleyTerryPart

from kontor_games.domain.ladders import Kind

MEAN, DEVIATION = 25.0, 25.0 / 3.0
"""The rating of a new player."""
_TAU = {"people": 25.0 / 300.0, "programs": 0.0}
_DEVIATIONS_BELOW = 3.0


class Rating(NamedTuple):
    """The estimated strength of a player: a mean and its standard deviation."""

    mean: float = MEAN
    deviation: float = DEVIATION
    matches: int = 0

    @property
    def conservative(self) -> float:
        """The figure by which players are ranked: the true strength is very probably higher."""
        return self.mean - _DEVIATIONS_BELOW * self.deviation


@cache
def _model(kind: Kind) -> BradleyTerryPart:
    return BradleyTerryPart(mu=MEAN, sigma=DEVIATION, tau=_TAU[kind])


def rate(kind: Kind, ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a match with these places; the same input always gives the same output."""
    model = _model(kind)
    teams = [[model.rating(mu=one.mean, sigma=one.deviation)] for one in ratings]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, team[0].sigma, before.matches + 1)
        for team, before in zip(after, ratings, strict=True)
    ]
