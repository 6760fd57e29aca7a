"""Whether another player's offer is worth taking."""

from collections.abc import Iterable, Sequence
from math import fsum, prod
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.data.board import RESOURCES

NEEDED = 1.0
"""The value of a card that is needed for a goal."""
SPARE = 0.45
"""The value of any other card; each further one counts less."""
GOLD = 0.5


def answer(
    features: Features, answers: Sequence[m.AcceptOffer | m.DeclineOffer], steps: Iterable[Any]
) -> Move:
    """Accept an offer that clearly gains value, unless its maker is about to win; otherwise decline."""
    offers = {offer["offer"]: offer for offer in features.view["offers"]}
    needs = [0] * 5
    for step in steps:
        needs = [need + cost for need, cost in zip(needs, step.cost, strict=True)]
    for move in answers:
        if isinstance(move, m.AcceptOffer):
            offer = offers[move.offer]
            if not _about_to_win(features, offer["maker"]) and _gain(features, needs, offer) > 0.1:
                return move
    return next(move for move in answers if isinstance(move, m.DeclineOffer))


def _about_to_win(features: Features, seat: int) -> bool:
    goods = features.players[seat]["goods"]
    return bool(goods["covered"] + goods["free"] <= 1)


def _gain(features: Features, needs: list[int], offer: Any) -> float:
    after = list(features.hand)
    gold: int = offer["give"].get("gold", 0) - offer["want"].get("gold", 0)
    for r, name in enumerate(RESOURCES):
        after[r] += offer["give"].get(name, 0) - offer["want"].get(name, 0)
    return _worth(after, needs) - _worth(features.hand, needs) + GOLD * gold


def _worth(hand: Sequence[int], needs: Sequence[int]) -> float:
    """The value of a hand: needed cards count fully, the others less and less."""
    found = 0.0
    for held, need in zip(hand, needs, strict=True):
        used = min(held, need)
        found += NEEDED * used + fsum(SPARE * prod([0.85] * i) for i in range(held - used))
    return found
