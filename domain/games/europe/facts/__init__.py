"""The facts of Settlers of Europe, one module per chapter of the rule book."""

from kontor_games.domain.games.europe.facts import (
    buying,
    caravans,
    delivery,
    development_cards,
    ending,
    merchants,
    production,
    robber,
    routes,
    set_up,
    tokens,
    trade,
    turn,
)
from kontor_games.domain.toolkit.fact_list import facts_in

FACTS = facts_in(
    *(set_up, turn, production, robber, ending, buying, merchants, caravans, routes, tokens),
    *(delivery, development_cards, trade),
)
"""Every kind of fact; stored names are never removed."""
