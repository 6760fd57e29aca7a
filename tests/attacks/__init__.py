"""Attacks on a service of our own, on this machine only, bounded in number and time."""
