"""Figures that were measured, for the contract test."""

MOST_FIRST_MOVES = 7300
"""A match in which everybody always takes the first move offered has at most 3,650 moves; a random one has 2,900 on average."""
