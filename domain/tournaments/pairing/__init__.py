"""Pairing: pure functions from entrants, their history and a draw to the tables of a round.

An auditor recomputes every round from the facts of the tournament and its seed.
"""
