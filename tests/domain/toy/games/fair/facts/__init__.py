"""What can happen in a match: the facts of each chapter of the rules."""

from kontor_games.domain.toolkit.fact_list import facts_in
from tests.domain.toy.games.fair.facts import end, rounds, set_up, trade

FACTS = facts_in(set_up, rounds, trade, end)
