"""Measured figures for the tests of every game."""

MOST_FIRST_MOVES = 320
"""If all always take the first move offered, a match has at most 160 moves; a random one about 216."""
