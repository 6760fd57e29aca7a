"""A trial version 2 of the rules for the tests of rule changes, made by replacing one entry of version 1."""

from dataclasses import replace
from functools import partial

from tests.domain.toy.games.fair.rules import VERSION_1
from tests.domain.toy.games.fair.rules.rounds import take_round

VERSION_2 = VERSION_1.revised(2, steps=replace(VERSION_1.steps, take_round=partial(take_round, points=5)))
"""A round is worth 5 points, not 3 (T-4)."""

NOTICED = "round_taken says points 3, the rules give 5"
"""What the verifier says of a match of version 1 if this change is made in place."""
