"""Tournaments: what is announced, how tables are paired, how results become standings. Pure, as all rules."""
