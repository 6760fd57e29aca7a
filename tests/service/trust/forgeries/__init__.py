"""Forgeries by an operator who has the keys, the code and the database of the service.

Each gives the files that are shown to a reader; hashes, receipts, checkpoints and last lines are valid.
"""
