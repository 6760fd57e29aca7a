"""Play while servers and databases are killed: `python -m tests.chaos`. No acknowledged move may be lost."""
