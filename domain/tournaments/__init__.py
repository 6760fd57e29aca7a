"""Tournaments: terms, pairing, and standings. Pure functions, like all rules."""
