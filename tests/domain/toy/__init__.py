"""A third game in one folder, to prove that a folder is enough."""
