"""How the greedy bot loads: it tries each step on a copy of its cubes and takes the best one."""

from collections.abc import Sequence
from math import fsum, prod
from typing import Any

from kontor_games.domain.game import Move, View
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.data.cards import CONTRACT_POINTS, KIND, MERCHANTS, SEASONS
from kontor_games.domain.games.speicherstadt.state import Place

_KEPT = 0.45
"""The value of a cube in the market hall while ships are left in the pile."""
_STORED = 1.1
"""The value of a cube in the warehouse: a point at the end, and a possible use before."""


def reach(view: View) -> tuple[float, ...]:
    """The probability that 0, 1, 2 … missing goods will arrive; it falls with every ship that is gone."""
    ships = sum(KIND[card] == "ship" for season in SEASONS for card in view["pile"][season])
    one = 0.4 + 0.4 * ships / 15
    return tuple(prod([one] * missing) for missing in range(max(CONTRACT_POINTS) + 1))


class Holdings:
    """A player's cubes, contracts and merchants, with their values."""

    __slots__ = ("_coin", "_reach", "_room", "_trades", "contracts", "gained", "hall", "quay", "warehouse")

    def __init__(self, player: dict[str, Any], room: int, likely: tuple[float, ...], coin: float) -> None:
        """Read the player's part of a view; `room` is the size of the warehouse."""
        self.quay: list[str] = list(player["quay"])
        self.hall: list[str] = list(player["market_hall"])
        self.warehouse: list[str] = list(player["warehouse"] or ())
        self.contracts = {c["card"]: (c["points"], list(c["open"])) for c in player["contracts"] if c["open"]}
        self.gained = 0.0
        self._trades = {MERCHANTS[card] for card in player["cards"] if card in MERCHANTS}
        self._room = 0 if player["warehouse"] is None else room
        self._reach, self._coin = likely, coin

    def copy(self) -> "Holdings":
        twin = Holdings.__new__(Holdings)
        twin.quay, twin.hall, twin.warehouse = self.quay[:], self.hall[:], self.warehouse[:]
        twin.contracts = {card: (points, missing[:]) for card, (points, missing) in self.contracts.items()}
        twin.gained, twin._trades = self.gained, self._trades
        twin._room, twin._reach, twin._coin = self._room, self._reach, self._coin
        return twin

    def worth(self) -> float:
        """The total value if loading ends now and cubes on the quay are lost."""
        waiting = [points * self._reach[len(missing)] for points, missing in self.contracts.values()]
        return self.gained + fsum(waiting) + _KEPT * len(self.hall) + _STORED * len(self.warehouse)

    def missing_goods(self) -> set[str]:
        """The goods that the contracts still need."""
        return {good for _, missing in self.contracts.values() for good in missing}

    def place_cubes(self) -> float:
        """Put each cube in turn where it is worth most; return the total value."""
        for good in sorted(self.quay, key=self._best_use, reverse=True):
            self._use(good)
        self.gained += self._coin * (len(self.quay) // 2)
        return self.worth()

    def _best_use(self, good: str) -> float:
        fits = [self._delivery(card) for card, (_, missing) in self.contracts.items() if good in missing]
        return max([self._coin if good in self._trades else 0.0, *fits])

    def _delivery(self, card: str) -> float:
        """The value of one more cube on a contract."""
        points, missing = self.contracts[card]
        return float(points * self._reach[len(missing) - 1] * (1 - self._reach[1]))

    def _use(self, good: str) -> None:
        fits = [card for card, (_, missing) in self.contracts.items() if good in missing]
        best = max(fits, key=self._delivery, default=None)
        if best is not None and self._delivery(best) >= (self._coin if good in self._trades else 0.0):
            self.deliver(best, good, self.quay)
        elif len(self.warehouse) < self._room:
            self.quay.remove(good)
            self.warehouse.append(good)
        elif good in self._trades:
            self.quay.remove(good)
            self.gained += self._coin
        elif not self.hall:
            self.quay.remove(good)
            self.hall.append(good)

    def deliver(self, card: str, good: str, origin: list[str]) -> None:
        """Put a cube on a contract."""
        origin.remove(good)
        self.contracts[card][1].remove(good)

    def give(self, goods: Sequence[str]) -> None:
        """Give several cubes to the stock, those on the quay first."""
        for good in goods:
            next(heap for heap in (self.quay, self.hall, self.warehouse) if good in heap).remove(good)

    def at(self, place: Place) -> list[str]:
        return {"quay": self.quay, "market_hall": self.hall, "warehouse": self.warehouse}[place]

    def after(self, move: Move) -> "Holdings | None":
        """Return the possessions after a step, or None if the step is not worth considering."""
        twin = self.copy()
        match move:
            case m.PutOnContract():
                twin.deliver(move.contract, move.good, twin.at(move.origin))
            case m.SellToMerchant():
                twin.at(move.origin).remove(move.good)
                twin.gained += self._coin
            case m.StoreCube():
                twin.at(move.origin).remove(move.good)
                twin.warehouse.append(move.good)
            case m.KeepCube():
                twin.at(move.origin).remove(move.good)
                twin.hall.append(move.good)
            case m.SellTwo():
                twin.give(move.goods)
                twin.gained += self._coin
            case m.Convert() if move.take in self.missing_goods():
                twin.give(move.give)
                twin.quay.append(move.take)
            case _:
                return None
        return twin


def best_step(rules: Any, view: View, seat: int, legal: Sequence[Move]) -> Move:
    """Return the step after which the cubes can be worth most; finish loading if no step gains anything."""
    left = view["rounds"] - view["round"]
    room = rules.steps.numbers(len(view["seats"])).warehouse
    hold = Holdings(view["seats"][seat], room, reach(view), min(1.0, 0.2 + 0.2 * left))
    chosen: Move = m.FINISH_LOADING
    most = hold.worth() + 1e-6
    # Among equal steps, keeping a cube comes last.
    for move in sorted(legal, key=lambda step: isinstance(step, m.KeepCube)):
        after = hold.after(move)
        if after is not None and (worth := after.place_cubes()) > most:
            chosen, most = move, worth
    return chosen
