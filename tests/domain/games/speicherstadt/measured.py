"""Figures that were measured, for the contract test."""

MOST_FIRST_MOVES = 320
"""A match in which everybody always takes the first move offered has at most 160 moves; a random one has 216 on average."""
