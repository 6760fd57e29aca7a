"""A trial version 2 of the rules for the tests of rule changes, made by replacing one entry of version 1."""

from collections.abc import Sequence
from dataclasses import replace

from kontor_games.domain.games.speicherstadt.rules import VERSION_1


def lower_price(line: Sequence[int]) -> int:
    """One coin less than there are workers in the line, but at least 1."""
    return max(len(line) - 1, 1)


VERSION_2 = VERSION_1.revised(2, steps=replace(VERSION_1.steps, price=lower_price))
"""A card costs one coin less than there are workers in the line (S-14)."""

NOTICED = "card_offered says price 4, the rules give 3"
"""What the verifier says of a match of version 1 if this change is made in place."""
