"""Calls: players who are away are told by Web Push that a match waits for them."""
