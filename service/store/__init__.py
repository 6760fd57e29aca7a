"""The store: the database, its tables, the event store, and the cache of matches."""
