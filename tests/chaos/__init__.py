"""Chaos tests: no acknowledged move may be lost while servers and databases are killed."""
