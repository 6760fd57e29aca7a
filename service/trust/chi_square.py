"""Chi-square tests of random values for uniformity."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
