"""Which city a merchant should head for."""

from kontor_games.domain.games.europe.bots.sight import Sight
from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN
from kontor_games.domain.games.europe.data.board import RESOURCES

GRAIN_WORTH = 1.1
"""The cost of a grain for moving, in cards."""
COAST = 0.55
"""The value of one coastal gold, in cards."""
_THIN = ((0, 1.7), (3, 1.35), (6, 1.1))
"""Additional value of a resource with little income."""


def city_worth(sight: Sight, city: int) -> float:
    """The value of a post there until the end, in cards; computed once per view."""
    if city not in sight.worths:
        sight.worths[city] = _worth(sight, city)
    return sight.worths[city]


def _worth(sight: Sight, city: int) -> float:
    terrain, pips, fresh, found = sight.terrain, sight.pips, 0.0, 0.0
    for hexagon in terrain.hexes[city]:
        resource = terrain.yields[hexagon]
        weight = _weight(sight.income[resource])
        if pips[hexagon]:
            found += weight * pips[hexagon]
        elif sight.view["sea"][RESOURCES[resource]]:
            fresh = max(fresh, weight * EXPECTED_TOKEN[resource])
        else:
            fresh = max(fresh, weight * 2.5)
    return (found + fresh) * sight.rolls_left / 36 + COAST * terrain.gold[city]


def _weight(income: int) -> float:
    for most, weight in _THIN:
        if income <= most:
            return weight
    return 1.0


def best_site(sight: Sight, starts: list[int]) -> tuple[float, int, int, int]:
    """The value, city, start and grain cost of the best post to found from any of these crossroads."""
    away, steps_per_grain = sight.terrain.away, sight.terrain.steps_per_grain
    best = (-99.0, -1, -1, 0)
    for city in sight.empty:
        worth, site = city_worth(sight, city), sight.terrain.sites[city]
        for start in starts:
            grain = -(-away[start][site] // steps_per_grain)
            net = worth - GRAIN_WORTH * grain
            if net > best[0]:
                best = (net, city, start, grain)
    return best
