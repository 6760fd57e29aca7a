"""The use cases, and the only layer that uses the event store and the database."""
