"""Matches: use cases, the specification of a new match, answers, lists, branches, and a player's feed."""
