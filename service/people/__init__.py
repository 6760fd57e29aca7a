"""People: players, their names, tokens and rate limits."""
