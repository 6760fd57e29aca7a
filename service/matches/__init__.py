"""Matches: the use cases, what is asked of a new one, answers, lists, branches, and what a player follows."""
