"""The moves that a search tries: legal ones that may be useful, and offers to the other players."""

from collections.abc import Sequence
from itertools import product

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.turn import Turn, fare
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import Terms

MOST_OFFERS = 4
"""Offers that are made in one turn."""
MOST_GOLD = 3
"""Gold that is offered for a card."""


def worth_trying(features: Features, legal: Sequence[Move]) -> list[Move]:
    """Return all moves but withdrawals, with one of each kind of a caravan's ways: the cheapest to a post."""
    found: list[Move] = []
    ways: dict[tuple[int, str], m.MoveCaravan] = {}
    index, cities_of = features.terrain.board.path_index, features.terrain.cities_of
    for move in legal:
        if isinstance(move, m.MoveCaravan):
            end = index[move.path[-1]]
            if not features.customers.isdisjoint(cities_of[end]):
                key = move.caravan, move.path[-1]
                if key not in ways or fare(move) < fare(ways[key]):
                    ways[key] = move
        elif not isinstance(move, m.WithdrawOffer):
            found.append(move)
    return [*found, *ways.values()]


def offers(features: Features, legal: Sequence[Move]) -> list[Move]:
    """Return offers of cards that no goal needs, or gold, for a card that one of the goals misses."""
    if features.me["offers_made"] >= MOST_OFFERS:
        return []
    needs, missing = [0] * 5, dict[int, None]()
    for step in Turn(features, legal).steps:
        needs = [need + cost for need, cost in zip(needs, step.cost, strict=True)]
        missing |= {r: None for r in range(5) if needs[r] > features.hand[r]}
    spare = [held - need for held, need in zip(features.hand, needs, strict=True)]
    cards = [
        _offer(wanted, Terms(**{RESOURCES[give]: count}))
        for wanted, give, count in product(missing, range(5), (1, 2))
        if spare[give] >= count
    ]
    most = min(features.gold, MOST_GOLD)
    gold = [_offer(wanted, Terms(gold=paid)) for wanted in missing for paid in range(1, most + 1)]
    return [*cards, *gold]


def _offer(wanted: int, give: Terms) -> m.OfferTrade:
    return m.OfferTrade(give, Terms(**{RESOURCES[wanted]: 1}))
