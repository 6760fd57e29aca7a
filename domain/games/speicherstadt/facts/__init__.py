"""The facts of The Speicherstadt, one module per chapter of the rules."""

from kontor_games.domain.games.speicherstadt.facts import (
    demand,
    ending,
    income,
    loading,
    purchase,
    set_up,
    supply,
)
from kontor_games.domain.toolkit.fact_list import facts_in

FACTS = facts_in(set_up, supply, demand, purchase, loading, income, ending)
"""Every kind of fact; stored names are never removed."""
