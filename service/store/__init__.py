"""The store: the database, its tables, the event store, and the matches that a process holds in memory."""
