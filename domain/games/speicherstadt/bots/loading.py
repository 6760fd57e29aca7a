"""How the greedy bot loads: it tries each step on a picture of its own cubes and keeps the one that ends best."""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.game import Move, View
from kontor_games.domain.games.speicherstadt.cards import KIND, MERCHANTS, SEASONS
from kontor_games.domain.games.speicherstadt.moves import (
    Convert,
    KeepCube,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
)
from kontor_games.domain.games.speicherstadt.moves.loading import FINISH_LOADING, WAREHOUSE_ROOM
from kontor_games.domain.games.speicherstadt.state import Place

_KEPT = 0.45
"""What a cube in the market hall is worth while ships are still to come."""
_STORED = 1.1
"""A point at the end, and of use before."""


def reach(shown: View) -> float:
    """How likely a good that is still missing will come: less with every ship that is gone."""
    ships = sum(KIND[card] == "ship" for season in SEASONS for card in shown["pile"][season])
    return 0.4 + 0.4 * ships / 15


class Hold:
    """A player's cubes, contracts and merchants, with what they are worth."""

    __slots__ = ("_coin", "_reach", "_trades", "contracts", "gained", "hall", "quay", "warehouse")

    def __init__(self, own: dict[str, Any], likely: float, coin: float) -> None:
        """Reads the player's part of a view."""
        self.quay: list[str] = list(own["quay"])
        self.hall: list[str] = list(own["market_hall"])
        self.warehouse: list[str] | None = None if own["warehouse"] is None else list(own["warehouse"])
        self.contracts = {c["card"]: (c["points"], list(c["open"])) for c in own["contracts"] if c["open"]}
        self.gained = 0.0
        self._trades = {MERCHANTS[card] for card in own["cards"] if card in MERCHANTS}
        self._reach = likely
        self._coin = coin

    def copy(self) -> "Hold":
        """An independent picture."""
        twin = Hold.__new__(Hold)
        twin.quay, twin.hall = self.quay[:], self.hall[:]
        twin.warehouse = None if self.warehouse is None else self.warehouse[:]
        twin.contracts = {card: (points, missing[:]) for card, (points, missing) in self.contracts.items()}
        twin.gained, twin._trades, twin._reach, twin._coin = (
            self.gained,
            self._trades,
            self._reach,
            self._coin,
        )
        return twin

    def worth(self) -> float:
        """What it is worth if loading ended here: cubes on the quay are lost."""
        waiting: float = sum(
            points * self._reach ** len(missing) for points, missing in self.contracts.values()
        )
        return self.gained + waiting + _KEPT * len(self.hall) + _STORED * len(self.warehouse or ())

    def wanted(self) -> set[str]:
        """The goods that its contracts still wait for."""
        return {good for _, missing in self.contracts.values() for good in missing}

    def settled(self) -> float:
        """What it comes to if each cube in turn goes where it is worth most."""
        twin = self.copy()
        for good in sorted(twin.quay, key=twin._best_use, reverse=True):
            twin._use(good)
        twin.gained += twin._coin * (len(twin.quay) // 2)
        return twin.worth()

    def _best_use(self, good: str) -> float:
        fits = [self._delivery(card) for card, (_, missing) in self.contracts.items() if good in missing]
        return max([self._coin if good in self._trades else 0.0, *fits])

    def _delivery(self, card: str) -> float:
        """What one more cube on a contract adds."""
        points, missing = self.contracts[card]
        return float(points * self._reach ** (len(missing) - 1) * (1 - self._reach))

    def _use(self, good: str) -> None:
        fits = [card for card, (_, missing) in self.contracts.items() if good in missing]
        best = max(fits, key=self._delivery, default=None)
        if best is not None and self._delivery(best) >= (self._coin if good in self._trades else 0.0):
            self.deliver(best, good, self.quay)
        elif self.warehouse is not None and len(self.warehouse) < WAREHOUSE_ROOM:
            self.quay.remove(good)
            self.warehouse.append(good)
        elif good in self._trades:
            self.quay.remove(good)
            self.gained += self._coin
        elif not self.hall:
            self.quay.remove(good)
            self.hall.append(good)

    def deliver(self, card: str, good: str, origin: list[str]) -> None:
        """Puts a cube on a contract."""
        origin.remove(good)
        self.contracts[card][1].remove(good)

    def give(self, goods: Sequence[str]) -> None:
        """Gives several cubes to the stock, those on the quay first."""
        for good in goods:
            next(heap for heap in (self.quay, self.hall, self.warehouse or []) if good in heap).remove(good)

    def at(self, place: Place) -> list[str]:
        """The cubes in one place."""
        return {"quay": self.quay, "market_hall": self.hall, "warehouse": self.warehouse or []}[place]

    def after(self, move: Move) -> "Hold | None":
        """The picture after a step, or None where the step is not worth a thought."""
        twin = self.copy()
        match move:
            case PutOnContract():
                twin.deliver(move.contract, move.good, twin.at(move.origin))
            case SellToMerchant():
                twin.at(move.origin).remove(move.good)
                twin.gained += self._coin
            case StoreCube():
                twin.at(move.origin).remove(move.good)
                twin.warehouse = [*twin.at("warehouse"), move.good]
            case KeepCube():
                twin.at(move.origin).remove(move.good)
                twin.hall.append(move.good)
            case SellTwo():
                twin.give(move.goods)
                twin.gained += self._coin
            case Convert() if move.take in self.wanted():
                twin.give(move.give)
                twin.quay.append(move.take)
            case _:
                return None
        return twin


def best_step(shown: View, seat: int, legal: Sequence[Move]) -> Move:
    """The step that ends best if each cube left then goes where it is worth most; done when no step gains anything."""
    left = shown["rounds"] - shown["round"]
    hold = Hold(shown["seats"][seat], reach(shown), min(1.0, 0.2 + 0.2 * left))
    chosen: Move = FINISH_LOADING
    most = hold.worth() + 1e-6
    for move in sorted(
        legal, key=lambda step: isinstance(step, KeepCube)
    ):  # of equal steps, keeping is for later
        after = hold.after(move)
        if after is not None and (worth := after.settled()) > most:
            chosen, most = move, worth
    return chosen
