"""Tournaments: announced, entered, paired, played and signed off by the service, and verified offline."""
