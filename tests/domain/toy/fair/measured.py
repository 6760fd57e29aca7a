"""Figures that were measured, for the contract test."""

MOST_FIRST_MOVES = 30
"""A match in which everybody always takes the first move offered has at most 15 moves; a random one has 15 on average."""
