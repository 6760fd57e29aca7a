"""Statistics of competitions: intervals by block, strengths from orders of finish, and a sequential test.

The unit of all of them is the *block*: matches that are not independent of each other, such as those of one
deal with rotated seats. All random numbers come from a `Draws`, so that anyone can recompute an interval.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import TypeVar

from kontor_games.domain.chance import Draws

T = TypeVar("T")

Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95% interval."""
RESAMPLES = 400


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95% score interval for a share, which is accurate near 0 and 1 and for few matches."""
    if not matches:
        return 0.0, 1.0
    share, spread = wins / matches, Z95 * Z95 / matches
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * sqrt(share * (1 - share) / matches + spread / (4 * matches))
    return max(0.0, centre - half), min(1.0, centre + half)


def beaten_share(places: Sequence[int], seat: int) -> float:
    """Return the share of its opponents that a seat has beaten; a shared place counts half."""
    mine = places[seat]
    others = [place for other, place in enumerate(places) if other != seat]
    return sum(1.0 if place > mine else 0.5 if place == mine else 0.0 for place in others) / len(others)


# --- bootstrap by block -------------------------------------------------------------------------------------


def resample(blocks: Sequence[T], draws: Draws) -> list[T]:
    """Draw as many blocks as there are, with replacement."""
    return [blocks[draws.below(len(blocks))] for _ in blocks]


def bootstrap(
    blocks: Sequence[T], estimate: Callable[[Sequence[T]], Mapping[int, float]], draws: Draws
) -> dict[int, tuple[float, float]]:
    """Return the 95% percentile interval of each figure that `estimate` computes from blocks."""
    found: dict[int, list[float]] = defaultdict(list)
    for _ in range(RESAMPLES):
        for name, value in estimate(resample(blocks, draws)).items():
            found[name].append(value)
    return {name: _percentiles(sorted(values)) for name, values in found.items()}


def _percentiles(ordered: Sequence[float]) -> tuple[float, float]:
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]


# --- strengths from orders of finish ------------------------------------------------------------------------

Finish = tuple[Sequence[int], Sequence[int]]
"""One match: its entrants, and the place of each."""
_ROUNDS = 200
_CLOSE = 1e-9


def bradley_terry(matches: Sequence[Finish]) -> dict[int, float]:
    """Return the log-strength of each entrant by Bradley and Terry's model, with mean 0.

    Every pair at a table is one comparison, and a shared place half a win for both. Each entrant also has one
    drawn comparison with an imaginary one of average strength, so that nobody who won or lost everything is
    infinitely strong or weak. Computed by minorisation–maximisation (Hunter 2004): the order of the matches
    does not matter.
    """
    wins: dict[int, float] = defaultdict(float)
    pairs: dict[tuple[int, int], int] = defaultdict(int)
    for entrants, places in matches:
        for i, one in enumerate(entrants):
            wins[one] += beaten_share(places, i) * (len(entrants) - 1)
            for other in entrants[i + 1 :]:
                pairs[min(one, other), max(one, other)] += 1
    return _maximise(wins, pairs)


def _maximise(wins: Mapping[int, float], pairs: Mapping[tuple[int, int], int]) -> dict[int, float]:
    strength = dict.fromkeys(sorted(wins), 1.0)
    for _ in range(_ROUNDS):
        weight = {name: 1 / (value + 1.0) for name, value in strength.items()}
        for (one, other), count in pairs.items():
            share = count / (strength[one] + strength[other])
            weight[one] += share
            weight[other] += share
        renewed = {name: (wins[name] + 0.5) / weight[name] for name in strength}
        change = max((abs(renewed[name] - strength[name]) / strength[name] for name in strength), default=0.0)
        strength = renewed
        if change < _CLOSE:
            break
    mean = sum(map(log, strength.values())) / len(strength) if strength else 0.0
    return {name: log(value) - mean for name, value in strength.items()}


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong an entrant is, and which ranks are plausible."""

    value: float
    interval: tuple[float, float]
    ranks: tuple[int, int]
    """The best and the worst rank in the middle 95% of the resampled competitions."""


def strengths(blocks: Sequence[Sequence[Finish]], draws: Draws) -> dict[int, Strength]:
    """Return the strength of every entrant with intervals, by resampling blocks."""
    whole = bradley_terry([match for block in blocks for match in block])
    values: dict[int, list[float]] = {name: [] for name in whole}
    ranks: dict[int, list[float]] = {name: [] for name in whole}
    for _ in range(RESAMPLES):
        drawn = bradley_terry([match for block in resample(blocks, draws) for match in block])
        order = sorted(drawn, key=lambda name: -drawn[name])
        for rank, name in enumerate(order, 1):
            values[name].append(drawn[name])
            ranks[name].append(rank)
    return {name: _strength(value, values[name], ranks[name]) for name, value in whole.items()}


def _strength(value: float, values: list[float], ranks: list[float]) -> Strength:
    best, worst = _percentiles(sorted(ranks))
    return Strength(value, _percentiles(sorted(values)), (int(best), int(worst)))


# --- a sequential test --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Is A better than B? A generalised sequential probability ratio test on block means.

    The mean score of a block is a share of opponents beaten, 0.5 between equals. The hypotheses are a mean of
    `worse` and one of `better`; `error` bounds the probability of deciding wrongly for either.
    """

    worse: float = 0.5
    better: float = 0.52
    error: float = 0.05
    least_blocks: int = 10
    """Minimum number of blocks before a decision, since the variance is unknown at first."""

    @property
    def bound(self) -> float:
        """The absolute log-likelihood ratio at which the test ends."""
        return log((1 - self.error) / self.error)

    def ratio(self, blocks: int, mean: float, variance: float) -> float:
        """Return the log-likelihood ratio after a number of blocks with this mean and sample variance."""
        if blocks < 2 or variance <= 0:
            return 0.0
        return (self.better - self.worse) * (2 * mean - self.better - self.worse) * blocks / (2 * variance)

    def verdict(self, blocks: int, mean: float, variance: float) -> bool | None:
        """Return True for `better`, False for `worse`, None while nothing is decided."""
        if blocks < self.least_blocks:
            return None
        if variance <= 0:  # every block ended alike
            return None if self.worse < mean < self.better else mean >= self.better
        ratio = self.ratio(blocks, mean, variance)
        return None if abs(ratio) < self.bound else ratio > 0


@dataclass(slots=True)
class RunningMean:
    """Mean and variance of numbers that come one after the other (Welford's method)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more number into account."""
        self.count += 1
        change = value - self.mean
        self.mean += change / self.count
        self._squares += change * (value - self.mean)

    @property
    def variance(self) -> float:
        """The sample variance; 0 for fewer than two numbers."""
        return self._squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The normal 95% interval of the mean."""
        half = Z95 * sqrt(self.variance / self.count) if self.count > 1 else inf
        return self.mean - half, self.mean + half


Counts = Mapping[tuple[int, int], int]
"""How often each (bound, value) was drawn."""
MIN_EXPECTED = 5.0
"""The usual minimum: a chi-square test is not valid if a value is expected less often."""
MAX_BARS = 12
"""A bound up to this is shown value by value; longer ranges, and several bounds together, in tenths."""
_TENTHS = 10
_PRECISION = 1e-14
_TINY = 1e-300
"""Replaces zero as a divisor."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square statistic and its degrees of freedom."""

    statistic: float
    freedom: int
    values: int
    """Number of tested values; bounds with too few values are omitted."""

    @property
    def p_value(self) -> float | None:
        """The probability of a statistic at least as large from a fair source; None if too few values."""
        return p_value(self.statistic, self.freedom) if self.freedom else None


@dataclass(frozen=True, slots=True)
class Bar:
    """An observed and an expected count."""

    label: str
    observed: int
    expected: float


def p_value(statistic: float, freedom: int) -> float:
    """Return the probability that a fair source gives a chi-square statistic at least as large.

    It is the regularised upper incomplete gamma function, by a series or a continued fraction.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    return max(0.0, 1 - _series(a, x) * scale) if x < a + 1 else _fraction(a, x) * scale


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    n = a
    while term > total * _PRECISION:
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    step, i = 0.0, 0
    while abs(step - 1) > _PRECISION and i < 100_000:
        i += 1
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or _TINY)
        c = b + an / c or _TINY
        step = d * c
        fraction *= step
    return fraction


def _totals(counts: Counts) -> dict[int, int]:
    """Return the number of values drawn for each bound."""
    totals: dict[int, int] = {}
    for (bound, _), count in sorted(counts.items()):
        totals[bound] = totals.get(bound, 0) + count
    return totals


def uniformity(counts: Counts) -> ChiSquare:
    """Test whether all values of each bound are equally likely; bounds with too few values are left out."""
    statistic, freedom, values = 0.0, 0, 0
    for bound, total in _totals(counts).items():
        expected = total / bound
        if bound > 1 and expected >= MIN_EXPECTED:
            statistic += sum(
                (counts.get((bound, value), 0) - expected) ** 2 / expected for value in range(bound)
            )
            freedom += bound - 1
            values += total
    return ChiSquare(statistic, freedom, values)


def bars(counts: Counts) -> list[Bar]:
    """Return bars of a chart: one for each value of a single small bound, otherwise for tenths of bounds."""
    totals = {bound: total for bound, total in _totals(counts).items() if bound > 1}
    if len(totals) == 1 and max(totals) <= MAX_BARS:
        [(bound, total)] = totals.items()
        return [Bar(str(value + 1), counts.get((bound, value), 0), total / bound) for value in range(bound)]
    observed, expected = [0] * _TENTHS, [0.0] * _TENTHS
    for bound, total in totals.items():
        for value in range(bound):
            tenth = value * _TENTHS // bound
            observed[tenth] += counts.get((bound, value), 0)
            expected[tenth] += total / bound
    # If all bounds are small, some tenths contain no value.
    return [Bar(f"{t * 10}–{t * 10 + 10}%", observed[t], expected[t]) for t in range(_TENTHS) if expected[t]]


def overall(p_values: Sequence[float]) -> float | None:
    """Combine the p-values of several tests into one (Šidák correction of the smallest)."""
    smallest = min(p_values, default=None)
    if smallest is None or smallest >= 1:
        return smallest
    return -math.expm1(len(p_values) * math.log1p(-smallest))
