"""Play while servers and databases are killed: `python -m tests.chaos`. What was acknowledged must be there afterwards, once."""
