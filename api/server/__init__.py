"""The gunicorn worker: it reads requests without a thread per connection, so slow clients cannot occupy the threads."""
