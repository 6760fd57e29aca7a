"""How likely it is that chance alone gave what was counted: chi-square tests with p-values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Counts = Mapping[tuple[int, int], int]
"""How often each (bound, value) came out."""
LEAST_EXPECTED = 5.0
"""The usual bound: where a value is expected less often than this, chi-square says nothing."""
MOST_BARS = 12
"""A single die is shown side by side; longer ranges, and several at once, in tenths."""
_TENTHS = 10
_PRECISION = 1e-14
_TINY = 1e-300
"""Stands for zero where something is divided by it."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square statistic, its degrees of freedom, and the chance of one as large if all is fair."""

    statistic: float
    freedom: int
    values: int
    """How many values it is made from; those with too few of their kind are left out."""

    @property
    def p_value(self) -> float | None:
        """None where there was too little to say anything."""
        return p_value(self.statistic, self.freedom) if self.freedom else None


@dataclass(frozen=True, slots=True)
class Bar:
    """How often something came out, and how often it was to be expected."""

    label: str
    observed: int
    expected: float


def p_value(statistic: float, freedom: int) -> float:
    """The chance that a fair source gives a chi-square statistic at least as large."""
    return _upper_gamma(freedom / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function: a series below, a continued fraction above."""
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
    """Lentz's method."""
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
    """How many values were drawn below each bound."""
    totals: dict[int, int] = {}
    for (bound, _), count in sorted(counts.items()):
        totals[bound] = totals.get(bound, 0) + count
    return totals


def uniformity(counts: Counts) -> ChiSquare:
    """Tests that below each bound all values are equally likely; bounds with too few draws to tell are left out."""
    statistic, freedom, values = 0.0, 0, 0
    for bound, total in _totals(counts).items():
        expected = total / bound
        if bound > 1 and expected >= LEAST_EXPECTED:
            statistic += sum((counts.get((bound, value), 0) - expected) ** 2 / expected for value in range(bound))
            freedom += bound - 1
            values += total
    return ChiSquare(statistic, freedom, values)


def bars(counts: Counts) -> list[Bar]:
    """A picture of the counts: value by value for one small bound, else by tenths of each bound."""
    totals = {bound: total for bound, total in _totals(counts).items() if bound > 1}
    if len(totals) == 1 and max(totals) <= MOST_BARS:
        [(bound, total)] = totals.items()
        return [Bar(str(value + 1), counts.get((bound, value), 0), total / bound) for value in range(bound)]
    observed, expected = [0] * _TENTHS, [0.0] * _TENTHS
    for bound, total in totals.items():
        for value in range(bound):
            tenth = value * _TENTHS // bound
            observed[tenth] += counts.get((bound, value), 0)
            expected[tenth] += total / bound
    # Where all bounds are small, some tenths hold no value at all.
    return [Bar(f"{t * 10}–{t * 10 + 10}%", observed[t], expected[t]) for t in range(_TENTHS) if expected[t]]


def overall(p_values: Sequence[float]) -> float | None:
    """The chance that the smallest of so many p-values is as small as it is if all is fair (Šidák): many tests, one answer."""
    smallest = min(p_values, default=None)
    if smallest is None or smallest >= 1:
        return smallest
    return -math.expm1(len(p_values) * math.log1p(-smallest))
