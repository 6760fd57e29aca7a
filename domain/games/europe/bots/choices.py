"""Choices outside the action phase: set-up, cards before the roll, robber, free routes, tokens, answers."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.offers import answer
from kontor_games.domain.games.europe.bots.roads import Roads
from kontor_games.domain.games.europe.bots.settling import city_worth
from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN
from kontor_games.domain.games.europe.bots.turn import Turn
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY

KEEP = (2, 1, 2, 2, 2)
"""Number of cards of each resource to keep on a 7."""


def choose(features: Features, legal: Sequence[Any]) -> Move:
    """Choose a move; the kind of the first legal move says what the choice is about."""
    return _CHOICES[type(legal[0])](features, legal)


def _start_post(features: Features, legal: Sequence[m.PlaceStartPost]) -> Move:
    """The city with the highest value, which depends on the resources still missing."""
    index = features.terrain.board.city_index
    return max(legal, key=lambda move: city_worth(features, index[move.city]))


def _neutral_post(features: Features, legal: Sequence[m.PlaceNeutralPost]) -> Move:
    """The city nearest to one's own posts, as a place to deliver to."""
    terrain, index = features.terrain, features.terrain.board.city_index
    own = [terrain.sites[city] for city in features.own]
    return min(legal, key=lambda move: terrain.nearest([terrain.sites[index[move.city]]], own))


def _start_route(features: Features, legal: Sequence[m.PlaceStartRoute]) -> Move:
    """The route towards the nearest posts of others."""
    terrain, index = features.terrain, features.terrain.board.path_index
    goals = [
        terrain.sites[city]
        for city, owner in enumerate(features.post)
        if owner not in (features.seat, NOBODY)
    ]

    def reach(move: m.PlaceStartRoute) -> float:
        ends = terrain.ends[index[move.path]]
        nearest = sorted(terrain.nearest(ends, [goal]) for goal in goals)
        return fsum(steps * 0.5**i for i, steps in enumerate(nearest[:4]))

    return min(legal, key=reach)


def _before_roll(features: Features, legal: Sequence[Any]) -> Move:
    """Roll, unless a lancer can drive the robber off one's own hexes; continue with a bribed caravan."""
    kinds: dict[type[Move], Move] = {type(move): move for move in legal}
    if m.Deliver in kinds:
        return kinds[m.Deliver]
    if m.PlayLancer in kinds and _robbed(features):
        return kinds[m.PlayLancer]
    return kinds[m.RollDice]


def _robbed(features: Features) -> bool:
    board = features.terrain.board
    return any(
        features.post[city] == features.seat
        for city in board.posts_beside[board.hex_index[features.view["robber"]]]
    )


def _discard(features: Features, legal: Sequence[m.DiscardCard]) -> Move:
    """Discard the resource with the largest surplus."""
    return max(legal, key=lambda move: _excess(features, RESOURCES.index(move.resource)))


def _excess(features: Features, resource: int) -> float:
    return features.hand[resource] - KEEP[resource] + features.income[resource] / 36


def _robber(features: Features, legal: Sequence[m.MoveRobber]) -> Move:
    """Move the robber where it costs the others most, above all the leaders, and oneself nothing."""
    board = features.terrain.board

    def harm(move: m.MoveRobber) -> float:
        hexagon = board.hex_index[move.hex]
        enmity = fsum(_harm_weight(features, features.post[city]) for city in board.posts_beside[hexagon])
        return features.pips[hexagon] * enmity

    return max(legal, key=harm)


def _harm_weight(features: Features, owner: int) -> float:
    if owner in (NOBODY, NEUTRAL):
        return 0.0
    if owner == features.seat:
        return -2.5
    player = features.players[owner]
    return 1.0 + 0.25 * int(player["goods"]["delivered"]) + 0.03 * int(player["hand_size"])


def _theft(features: Features, legal: Sequence[Move]) -> Move:
    """Steal from the player with the most cards."""
    return max(
        legal,
        key=lambda move: features.players[move.victim]["hand_size"] if isinstance(move, m.StealCard) else -1,
    )


def _chain(features: Features, legal: Sequence[m.ChooseChain]) -> Move:
    """The chain with the most routes of one's own."""
    routes = features.view["routes"]
    return max(legal, key=lambda move: sum(routes[path] == features.seat for path in move.chain))


def _token(features: Features, legal: Sequence[Move]) -> Move:
    """Place a number where it helps oneself most and the others least."""
    return max(legal, key=lambda move: _token_worth(features, move))


def _token_worth(features: Features, move: Move) -> float:
    index, terrain = features.terrain.board.hex_index, features.terrain
    if isinstance(move, m.PlaceToken):
        return EXPECTED_TOKEN[terrain.yields[index[move.hex]]] * _stake(features, index[move.hex])
    if isinstance(move, m.ShiftToken):
        return features.pips[index[move.source]] * (
            _stake(features, index[move.hex]) - _stake(features, index[move.source])
        )
    return 0.0


def _stake(features: Features, hexagon: int) -> float:
    """Number of one's own posts beside a hex, minus those of others."""
    owners = [features.post[city] for city in features.terrain.board.posts_beside[hexagon]]
    return fsum(
        1.0 if owner == features.seat else 0.0 if owner in (NOBODY, NEUTRAL) else -0.35 for owner in owners
    )


def _free_route(features: Features, legal: Sequence[Any]) -> Move:
    """A route of the cheapest road, else the one nearest to a post that takes a good; none if useless."""
    road = Roads(features).best() if features.to_deliver else None
    ids = {move.path: move for move in legal if isinstance(move, m.BuildRoute)}
    for path in road.build if road else ():
        if (name := features.terrain.board.paths[path].id) in ids:
            return ids[name]
    return _towards(features, list(ids.values())) or next(
        move for move in legal if isinstance(move, m.ForgoRoute)
    )


def _towards(features: Features, found: list[m.BuildRoute]) -> Move | None:
    """The free route that ends nearest to a post that takes a good."""
    terrain, index = features.terrain, features.terrain.board.path_index
    goals = [terrain.sites[city] for city in features.customers]
    if not goals or not features.to_deliver:
        return None
    ends = terrain.ends
    return min(found, key=lambda move: terrain.nearest(ends[index[move.path]], goals), default=None)


def _answer(features: Features, legal: Sequence[Any]) -> Move:
    """Weigh an offer against the next goal; one's own offers stay open."""
    answers = [move for move in legal if isinstance(move, m.AcceptOffer | m.DeclineOffer)]
    return answer(features, answers, Turn(features, legal).steps) if answers else legal[0]


def _go_on(features: Features, legal: Sequence[Any]) -> Move:
    """Deliver, then continue as cheaply as possible."""
    return next((move for move in legal if isinstance(move, m.Deliver)), None) or min(
        legal, key=lambda move: (move.salt, move.toll, len(move.path))
    )


_CHOICES: dict[type[Move], Callable[[Features, Sequence[Any]], Move]] = {
    m.PlaceStartPost: _start_post,
    m.PlaceNeutralPost: _neutral_post,
    m.PlaceStartRoute: _start_route,
    m.RollDice: _before_roll,
    m.DiscardCard: _discard,
    m.MoveRobber: _robber,
    m.StealCard: _theft,
    m.ForgoTheft: _theft,
    m.ChooseChain: _chain,
    m.PlaceToken: _token,
    m.ShiftToken: _token,
    m.LeaveHexEmpty: _token,
    m.BuildRoute: _free_route,
    m.ForgoRoute: _free_route,
    m.AcceptOffer: _answer,
    m.DeclineOffer: _answer,
    m.WithdrawOffer: _answer,
    m.Deliver: _go_on,
    m.MoveCaravan: _go_on,
}
