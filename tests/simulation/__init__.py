"""Deterministic simulation: several processes of the service, a database and clients on virtual time (docs/virtual-time.md)."""
