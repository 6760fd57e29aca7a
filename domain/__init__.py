"""The rules of Kontor's games: pure Python, standard library only, no I/O, no clock, no `random`."""
