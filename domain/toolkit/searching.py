"""What searching bots share: weights as data, levels, and states in which hidden things are redrawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kontor_games.domain.chance import Chance, Draws, Seeded
from kontor_games.domain.codec import digest
from kontor_games.domain.data import read_json
from kontor_games.domain.game import Move, Rules, Sight

Weights = Mapping[str, float]
"""The weights of a value of positions, by name."""
Imagine = Callable[[], Any]
"""Returns another state each time, in which everything that the seat may not know is drawn again."""


def read_weights(package: str, version: int) -> Weights:
    """Return the weights of a version; raise ValueError if they are not those that its hash pins."""
    document: Any = read_json(package, f"weights-{version}.json")
    weights: Weights = document["weights"]
    if (document["version"], document["hash"]) != (version, digest(weights)):
        raise ValueError(f"version {version} of the weights in {package} was changed")
    return weights


_NODES_TO_VERIFY = 400


class Search(Protocol):
    """The search of one game, under some rules, with a budget."""

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the move to make; None if the seat need not move and makes none."""


@dataclass(frozen=True)
class Level:
    """A level of a searching bot: a `BotClass` with a budget in nodes, so that it does not depend on time."""

    version: int
    nodes: int
    search: Callable[[Rules[Any], int, Weights], Search]
    weights: Weights = field(compare=False, repr=False)
    """Those of the version."""

    @property
    def one_in(self) -> int:
        """Of how many moves a verifier recomputes one, so that none costs more than 400 nodes on average."""
        return -(-self.nodes // _NODES_TO_VERIFY)

    def __call__(self, rules: Rules[Any]) -> "SearchingBot":
        """Return the bot for these rules."""
        return SearchingBot(self.search(rules, self.nodes, self.weights))


def levels(
    package: str, version: int, nodes: Sequence[int], search: Callable[[Rules[Any], int, Weights], Search]
) -> dict[str, Level]:
    """Return the levels of a bot by name, one for each budget, with the weights of a version."""
    weights = read_weights(package, version)
    return {
        f"search:{number}": Level(version, budget, search, weights)
        for number, budget in enumerate(nodes, start=1)
    }


class SearchingBot:
    """Searches states that its seat can't tell from the true one; it never sees the true one."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def choose(self, seat: int, view: Sight, legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the best move that the search finds."""
        return self._search.best(seat, _imagination(view, draws), legal, draws) if legal else None


def _imagination(view: Sight, draws: Draws) -> Imagine:
    """Return a function that imagines states, each with chance of its own from these draws."""

    def imagine() -> Any:
        return view.imagined(chance_from(draws))

    return imagine


def chance_from(draws: Draws) -> Chance:
    """Return chance whose seed is drawn."""
    return Seeded(b"".join([draws.below(1 << 64).to_bytes(8, "big") for _ in range(4)]))
