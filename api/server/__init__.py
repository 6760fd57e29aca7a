"""The worker of gunicorn: reads requests without a thread for each connection, so that nobody can hold the threads."""
