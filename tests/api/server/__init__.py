"""Tests of the worker of gunicorn."""
