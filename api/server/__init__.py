"""The gunicorn worker: reads requests without a thread per connection, so slow clients occupy no threads."""
