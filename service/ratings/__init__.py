"""Ratings: a ladder for each game, for people and for programs, computed from the facts of rated matches."""
