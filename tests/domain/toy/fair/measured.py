"""Figures that were measured, for the contract test."""

MOST_FIRST_MOVES = 30
"""If all always take the first move offered, a match has at most 15 moves; a random one about 15."""
