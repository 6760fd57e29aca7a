"""Tests of our gunicorn worker."""
