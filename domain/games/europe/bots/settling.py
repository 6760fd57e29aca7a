"""Which city a merchant should head for, and which ones the first posts should take."""

from math import fsum

from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN
from kontor_games.domain.games.europe.data.board import RESOURCES

GRAIN_WORTH = 1.1
"""The cost of a grain for moving, in cards."""
COAST = 0.55
"""The value of one coastal gold, in cards."""
_THIN = ((0, 1.7), (3, 1.35), (6, 1.1))
"""Additional value of a resource with little income."""


def city_worth(features: Features, city: int) -> float:
    """The value of a post there until the end, in cards; computed once per view."""
    if city not in features.worths:
        features.worths[city] = _worth(features, city)
    return features.worths[city]


def _worth(features: Features, city: int) -> float:
    terrain, pips, fresh, found = features.terrain, features.pips, 0.0, 0.0
    for hexagon in terrain.hexes[city]:
        resource = terrain.yields[hexagon]
        weight = _weight(features.income[resource])
        if pips[hexagon]:
            found += weight * pips[hexagon]
        elif features.view["sea"][RESOURCES[resource]]:
            fresh = max(fresh, weight * EXPECTED_TOKEN[resource])
        else:
            fresh = max(fresh, weight * 2.5)
    return (found + fresh) * features.rolls_left / 36 + COAST * terrain.gold[city]


def opening_worth(features: Features, city: int) -> float:
    """The value of a first post, in cards of 36 rolls: it brings no token and no gold (E-14)."""
    terrain, pips = features.terrain, features.pips
    return fsum(
        _weight(features.income[terrain.yields[hexagon]]) * pips[hexagon] for hexagon in terrain.hexes[city]
    )


def _weight(income: int) -> float:
    for most, weight in _THIN:
        if income <= most:
            return weight
    return 1.0


def best_site(features: Features, starts: list[int]) -> tuple[float, int, int, int]:
    """The value, city, start and grain cost of the best post to found from any of these crossroads."""
    away, steps_per_grain = features.terrain.away, features.terrain.steps_per_grain
    best = (-99.0, -1, -1, 0)
    for city in features.empty:
        worth, site = city_worth(features, city), features.terrain.sites[city]
        for start in starts:
            grain = -(-away[start][site] // steps_per_grain)
            net = worth - GRAIN_WORTH * grain
            if net > best[0]:
                best = (net, city, start, grain)
    return best
