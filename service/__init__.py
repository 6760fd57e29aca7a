"""The use cases: the only place that knows the event store and the database."""
