"""Forgeries by an operator who has the keys, the code and the database of the service.

Each makes what is shown to a reader; hashes, receipts, checkpoints and closing lines are made anew.
"""
