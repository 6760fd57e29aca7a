"""The gunicorn worker. It reads requests without a thread per connection: slow clients occupy no threads."""
