"""A third game, which proves that adding a folder is enough to add a game."""
