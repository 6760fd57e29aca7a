"""Chance that records its draws.

`python -m tests.domain.recorded_chance` prints the draws with which each version of each installed game is
dealt, as published in docs/vectors/deals.json.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.game import Rules
from kontor_games.domain.games import installed_games

T = TypeVar("T")
SEED = "7"
DEALS = Path(__file__).parents[2] / "docs" / "vectors" / "deals.json"


class RecordedDraws:
    """Draws that record each call."""

    def __init__(self, inner: Draws, calls: list[Any]) -> None:
        self._inner = inner
        self._calls = calls

    def below(self, bound: int) -> int:
        """Return a number; recorded as `[bound, number]`."""
        value = self._inner.below(bound)
        self._calls.append([bound, value])
        return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return an order; recorded as `[items, order]`."""
        order = self._inner.shuffled(items)
        self._calls.append([list(items), order])
        return order


class RecordedChance:
    """Seeded chance with a record of all draws."""

    def __init__(self, seed: bytes) -> None:
        self._inner = Seeded(seed)
        self.record: list[dict[str, Any]] = []

    def draws(self, stream: str, index: int) -> Draws:
        """Return a draw; recorded with its address."""
        calls: list[Any] = []
        self.record.append({"stream": stream, "index": str(index), "calls": calls})
        return RecordedDraws(self._inner.draws(stream, index), calls)


def deal_of(rules: Rules[Any]) -> dict[str, Any]:
    """The draws of a deal by these rules: fewest seats, no option chosen."""
    seats = min(rules.seat_counts)
    chance = RecordedChance(seed_from(SEED))
    rules.deal(rules.table(seats, rules.options()), chance)
    where = {"version": rules.version, "data_set": rules.data.name, "seats": seats}
    return {**where, "seed": seed_from(SEED).hex(), "draws": json.loads(json.dumps(chance.record))}


def deals() -> dict[str, Any]:
    """The deals of all installed games; that of version 2 is called `europe-2`.

    A deal has the data set with which it was published, a new one the default data set.
    """
    before: dict[str, Any] = json.loads(DEALS.read_text(encoding="utf-8"))
    found = {}
    for game in installed_games().values():
        for version in game.rulesets:
            name = game.id if version.version == 1 else f"{game.id}-{version.version}"
            data = before[name]["data_set"] if name in before else game.data_sets[0].name
            found[name] = deal_of(version.rules(game.data_set(data)))
    return found


def published() -> str:
    """The deals, one draw on a line."""
    text = json.dumps(deals(), ensure_ascii=False)
    return re.sub(r' ?(\{"stream"|"[\w-]+": \{"version")', r"\n\1", text)


if __name__ == "__main__":
    print(published())  # noqa: T201  # its output
