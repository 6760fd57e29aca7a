"""The facts of the Fair, one module per chapter of the rules."""

from kontor_games.domain.toolkit.fact_list import facts_in
from tests.domain.toy.games.fair.facts import end, rounds, set_up, trade

FACTS = facts_in(set_up, rounds, trade, end)
