"""Deterministic simulation: processes of the service, a database and clients (docs/virtual-time.md)."""
