"""Measured figures for the tests of every game."""

MOST_FIRST_MOVES = 30
"""If all always take the first move offered, a match has at most 15 moves; a random one about 15."""
