"""The actions of a turn, one decision at a time. The bot is stateless: the next view shows all effects."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.offers import answer
from kontor_games.domain.games.europe.bots.roads import Road, Roads
from kontor_games.domain.games.europe.bots.settling import GRAIN_WORTH, best_site, city_worth
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import SALT, WOOL
from kontor_games.domain.games.europe.rules.robber import HAND_LIMIT

Cost = tuple[int, ...]
M = TypeVar("M", bound=Move)
Walk = TypeVar("Walk", m.MoveMerchant, m.PlayTreatyForMerchant)
TREATY_AS_GOLD = 1.5
"""The value of a trade treaty's gold, in cards."""


class Step(NamedTuple):
    """A goal to save for, with the move that reaches it once its cost can be paid."""

    cost: Cost
    move: Move | None


class Turn:
    """One decision of the player on turn after production."""

    def __init__(self, features: Features, legal: Sequence[Move]) -> None:
        self.features = features
        self.legal = legal
        self.by: dict[type[Move], list[Any]] = {}
        for move in legal:
            self.by.setdefault(type(move), []).append(move)

    def of(self, kind: type[M]) -> list[M]:
        """The legal moves of one kind."""
        return self.by.get(kind, [])

    def move(self) -> Move:
        """The first useful move, in this order."""
        return (
            self._deliver()
            or self._move_caravan()
            or self._settle()
            or self._play_card()
            or self._offers()
            or self._spend()
            or self.legal[-1]
        )

    # --- pieces on the board --------------------------------------------------------------------------------

    def _deliver(self) -> Move | None:
        return next(iter(self.of(m.Deliver)), None)

    def _move_caravan(self) -> Move | None:
        """The cheapest move of a caravan to a post that takes a good."""
        if not self.features.free:
            return None
        index, cities_of = self.features.terrain.board.path_index, self.features.terrain.cities_of
        ends = [(cities_of[index[move.path[-1]]], move) for move in self.of(m.MoveCaravan)]
        good = [move for cities, move in ends if not self.features.customers.isdisjoint(cities)]
        return min(good, key=fare, default=None)

    def _settle(self) -> Move | None:
        """A merchant's move to the best empty city, less its grain; by treaty if worth more than the gold."""
        walks = [
            (worth - GRAIN_WORTH * (move.grain or 0), move)
            for worth, move in self._foundings(self.of(m.MoveMerchant))
        ]
        best = max(walks, key=itemgetter(0), default=None)
        card = max(self._foundings(self.of(m.PlayTreatyForMerchant)), key=itemgetter(0), default=None)
        if card and (best is None or card[0] > best[0] + TREATY_AS_GOLD):
            return card[1]
        return best[1] if best else None

    def _foundings(self, walks: Iterable[Walk]) -> list[tuple[float, Walk]]:
        """The merchants' moves that end in an empty city, with its value."""
        board, features = self.features.terrain.board, self.features
        ends = ((board.city_at[board.crossroads_index[walk.to]], walk) for walk in walks)
        return [
            (city_worth(features, city), walk) for city, walk in ends if city >= 0 and features.post[city] < 0
        ]

    # --- cards and offers -----------------------------------------------------------------------------------

    def _play_card(self) -> Move | None:
        return (
            self._bribe()
            or self._safe_conduct()
            or next(iter([*self.of(m.PlayLancer), *self.of(m.PlayTreatyForGold)]), None)
        )

    def _bribe(self) -> Move | None:
        """Moves of a caravan to a post that accepts a good."""
        bribes, road = self.of(m.PlayBribe), self.road if self.features.free else None
        if road is None or road.build or road.steps > self.features.terrain.bribe_steps:
            return None
        return next((move for move in bribes if move.caravan == road.caravan), None)

    def _safe_conduct(self) -> Move | None:
        """The paths on which to build routes."""
        return next(iter(self.of(m.PlaySafeConduct)), None) if self.road and self.road.build else None

    def _offers(self) -> Move | None:
        if not self.of(m.DeclineOffer):
            return None
        return answer(self.features, [*self.of(m.AcceptOffer), *self.of(m.DeclineOffer)], self.steps)

    # --- goals to save for ----------------------------------------------------------------------------------

    @cached_property
    def road(self) -> Road | None:
        """The cheapest way to deliver another good."""
        return Roads(self.features).best() if self.features.to_deliver else None

    @cached_property
    def steps(self) -> list[Step]:
        """The goals of this seat, the most urgent first."""
        founding, travelling = list(self._founding_steps()), list(self._road_steps())
        return travelling + founding if self.features.free > 1 else founding + travelling

    def _founding_steps(self) -> Iterator[Step]:
        features = self.features
        standing = [at for at in features.merchants if at >= 0]
        if standing and features.covered:
            grain = best_site(features, standing)[3]
            yield Step((0, 0, grain, 0, 0), None)
        if features.covered > len(standing) and len(standing) < 2:
            sites, cities = features.terrain.sites, features.terrain.board.cities
            posts = {sites[city]: cities[city].id for city in features.own if sites[city] not in standing}
            _, city, start, _ = best_site(features, list(posts))
            if city >= 0:
                yield Step(features.terrain.merchant, m.HireMerchant(posts[start]))

    def _road_steps(self) -> Iterator[Step]:
        road, paths = self.road, self.features.terrain.board.paths
        if road is None:
            return
        if road.caravan < 0 and self.features.route[road.first] == self.features.seat:
            both = all(at >= 0 for at in self.features.caravans)
            yield Step(
                self.features.terrain.caravan, m.FormCaravan(paths[road.first].id, 0 if both else None)
            )
        elif road.build:
            yield Step(self.features.terrain.route, m.BuildRoute(paths[road.build[0]].id))
        elif self.features.free:
            yield Step((0, 0, 0, 0, -(-road.steps // self.features.terrain.steps_per_salt)), None)

    # --- spending -------------------------------------------------------------------------------------------

    def _spend(self) -> Move | None:
        """An affordable purchase, or a trade towards one, or a development card."""
        kept = [0] * 5
        for step in self.steps:
            left = [held - keep for held, keep in zip(self.features.hand, kept, strict=True)]
            missing = [max(0, cost - held) for cost, held in zip(step.cost, left, strict=True)]
            if not any(missing):
                if step.move in self.legal:
                    return step.move
                kept = [keep + cost for keep, cost in zip(kept, step.cost, strict=True)]
            elif bought := self._fetch(step.cost, missing, left):
                return bought
            elif sum(missing) == 1:
                kept = [
                    keep + min(cost, held) for keep, cost, held in zip(kept, step.cost, left, strict=True)
                ]
        return self._buy_card(kept)

    def _fetch(self, cost: Cost, missing: list[int], left: list[int]) -> Move | None:
        """A purchase or a trade with the supply, if gold and spare cards suffice for all that is missing."""
        terrain = self.features.terrain
        spare = [max(0, held - need) // terrain.alike for held, need in zip(left, cost, strict=True)]
        buys = min(
            terrain.buys_a_turn - self.features.view["gold_buys"],
            self.features.gold // terrain.resource_price,
        )
        if sum(missing) > buys + sum(spare):
            return None
        needed = RESOURCES[next(r for r in range(5) if missing[r])]
        trades = [
            move
            for move in self.of(m.TradeWithSupply)
            if move.take == needed and spare[RESOURCES.index(move.give)]
        ]
        if trades:
            return max(trades, key=lambda move: left[RESOURCES.index(move.give)])
        return next((move for move in self.of(m.BuyResource) if move.resource == needed), None)

    def _buy_card(self, kept: list[int]) -> Move | None:
        """A development card, paid with surplus cards or with cards that the robber might take."""
        hand = self.features.hand
        spare = hand[WOOL] > kept[WOOL] and hand[SALT] > kept[SALT]
        return next(iter(self.of(m.BuyCard)), None) if spare or sum(hand) > HAND_LIMIT else None


def fare(move: m.MoveCaravan) -> float:
    """The cost of a caravan's path."""
    return (move.salt or 0) * 5 + (move.toll or 0) * 3 + len(move.path) * 0.1
