"""What the searching bot expects of the cards that are still in the pile (S-9: which ones is public)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kontor_games.domain.games.speicherstadt.data.cards import CARD, KIND, SEASONS
from kontor_games.domain.games.speicherstadt.rules.supply import fire_points
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.view import rounds_of
from kontor_games.domain.toolkit.searching import Weights

_SEASON = {card: SEASONS.index(known.season) for card, known in CARD.items()}


def rise(x: float) -> float:
    """Return a number from 0 to 1 that is a half for 0 and rises with x."""
    return 0.5 + 0.5 * x / (1 + abs(x))


class Outlook:
    """The future as the weights see it, once the current round is over."""

    def __init__(self, state: Table, weights: Weights) -> None:
        """Read the pile, whose order is not used."""
        self.weights = weights
        unseen = sorted(state.unrevealed())
        kinds = [KIND[card] for card in unseen]
        self.rounds_left = rounds_of(state) - state.round
        self.ships = kinds.count("ship")
        self.offices = kinds.count("counting_office")
        self.fires = _fires(tuple(unseen), state.deck)
        share = self.ships / state.seats
        one = weights["reach_least"] + weights["reach_ships"] * share / (share + weights["reach_half"])
        if not self.ships:
            one = weights["reach_stock"]
        self.reach = (1.0, one, one * one, one * one * one, one * one * one * one)
        """The probability that 0, 1, 2 … missing goods arrive."""
        near = self.rounds_left / (self.rounds_left + weights["coin_half"])
        self.coin = weights["coin_early"] * near if self.rounds_left else 0.01
        """The value of a coin, which falls towards the end; then it only breaks ties (S-33)."""

    def coins(self, number: int) -> float:
        """The value of so many coins; those that can hardly be spent count less."""
        plenty = self.weights["plenty"]
        if number <= plenty or not self.rounds_left:
            return self.coin * number
        return self.coin * (plenty + self.weights["coin_beyond"] * (number - plenty))

    def fire_values(self, sums: Sequence[int]) -> tuple[float, ...]:
        """The points that each seat may expect from the fires to come, by the sums of its firemen."""
        return _fire_values(tuple(sums), self.fires, self.weights["fire_spread"])


@lru_cache(1024)
def _fires(unseen: tuple[str, ...], deck: Any) -> tuple[tuple[int, int], ...]:
    """For each fire in the pile its points, and the values of the firemen that may come before it."""
    return tuple(
        (
            deck.points[fire],
            sum(deck.value[card] for card in unseen if card in deck.value and _SEASON[card] <= _SEASON[fire]),
        )
        for fire in unseen
        if KIND[fire] == "fire"
    )


@lru_cache(8192)
def _fire_values(
    sums: tuple[int, ...], fires: tuple[tuple[int, int], ...], spread: float
) -> tuple[float, ...]:
    values = [0.0] * len(sums)
    for points, to_come in fires:
        certain = fire_points(sums, points)
        for seat, own in enumerate(sums):
            if not to_come:
                values[seat] += certain[seat]
                continue
            others = sums[:seat] + sums[seat + 1 :]
            scale = 0.5 + spread * to_come / len(sums)
            values[seat] += points * (rise((own - max(others)) / scale) - rise((min(others) - own) / scale))
    return tuple(values)
