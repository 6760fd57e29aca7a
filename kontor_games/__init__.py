"""Kontor as one package. Its parts `domain`, `service` and `api` are folders of the repository, linked from here."""
