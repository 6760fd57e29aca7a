"""Kontor as one package: its parts `domain`, `service` and `api` are folders of the repository."""
