"""How likely it is that chance alone gave what was counted: chi-square tests with p-values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

Counts = Mapping[tuple[int, int], int]
"""How often each (bound, value) came out."""
_PRECISION = 1e-14


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square statistic, its degrees of freedom, and the chance of one as large if all is fair."""

    statistic: float
    freedom: int
    p_value: float


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function: a series below, a continued fraction above (Lentz's method)."""
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * _PRECISION:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    step, i = 0.0, 0
    while abs(step - 1) > _PRECISION and i < 100_000:
        i += 1
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        step = d * c
        fraction *= step
    return fraction * scale


def p_value(statistic: float, freedom: int) -> float:
    """The chance that a fair source gives a chi-square statistic at least as large."""
    return _upper_gamma(freedom / 2, statistic / 2) if freedom else 1.0


def uniformity(counts: Counts, *, least: float = 5.0) -> ChiSquare:
    """Tests that below each bound all values are equally likely; bounds with too few draws to tell are left out."""
    totals: dict[int, int] = {}
    for (bound, _), count in counts.items():
        totals[bound] = totals.get(bound, 0) + count
    statistic, freedom = 0.0, 0
    for bound, total in totals.items():
        expected = total / bound
        if bound > 1 and expected >= least:
            statistic += sum((counts.get((bound, value), 0) - expected) ** 2 / expected for value in range(bound))
            freedom += bound - 1
    return ChiSquare(statistic, freedom, p_value(statistic, freedom))
