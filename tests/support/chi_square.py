"""Pearson's test that outcomes are equally likely, or as likely as given."""

from collections import Counter
from collections.abc import Hashable, Mapping
from math import sqrt
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
_ONE_IN_A_THOUSAND = 3.09
"""The normal quantile that fair draws exceed once in a thousand times."""


def fits(found: Counter[T], expected: Mapping[T, float]) -> bool:
    """Whether the counts agree with these probabilities, by the cube-root approximation of chi-square."""
    total, freedom = found.total(), len(expected) - 1
    assert min(expected.values()) * total >= 5, "too few draws for the test"
    statistic = sum((found[one] - total * p) ** 2 / (total * p) for one, p in expected.items())
    spread = 2 / (9 * freedom)
    bound = freedom * (1 - spread + _ONE_IN_A_THOUSAND * sqrt(spread)) ** 3
    return found.keys() <= expected.keys() and statistic < bound


def fits_evenly(found: Counter[T], outcomes: set[T]) -> bool:
    """Whether the counts agree with equally likely outcomes."""
    return fits(found, dict.fromkeys(outcomes, 1 / len(outcomes)))
