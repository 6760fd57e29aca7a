"""Seeks: players who look for a match, and the matchmaker that pairs them."""
