"""People: players, their tokens, names and limits."""
