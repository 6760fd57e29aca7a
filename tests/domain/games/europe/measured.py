"""Measured figures for the tests of every game."""

MOST_FIRST_MOVES = 7300
"""If all always take the first move offered, a match has at most 3,650 moves; a random one about 2,900."""
