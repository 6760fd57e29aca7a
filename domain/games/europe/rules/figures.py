"""The numbers of the newest rules, for a client that shows prices or a player's aid."""

from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.board import Board
from kontor_games.domain.games.europe.data.components import PIECES
from kontor_games.domain.games.europe.rules import RULESETS
from kontor_games.domain.games.europe.rules.robber import HAND_LIMIT

_PURCHASES = (m.BuildRoute, m.HireMerchant, m.FormCaravan, m.BuyCard)


def figures(data: DataSet) -> dict[str, Plain]:
    """Return prices and limits from the table of the rules, and the pieces of each player on this board."""
    rules: dict[Any, Any] = dict(RULESETS[-1].moves)
    supply, alike = rules[m.BuyResource], rules[m.TradeWithSupply].alike
    kind = Board(data.document).kind
    return {
        "prices": {one.type: dict(rules[one].price.amounts()) for one in _PURCHASES},
        "steps": {
            "merchant": rules[m.MoveMerchant].steps_per_grain,
            "caravan": rules[m.MoveCaravan].steps_per_salt,
        },
        "supply": {"gold": supply.price, "times_a_turn": supply.times_a_turn, "alike": alike},
        "hand_limit": HAND_LIMIT,
        "pieces": {
            str(seats): dict(zip(("posts", "goods"), PIECES[kind, seats], strict=True)) for seats in (3, 4)
        },
    }
