"""Where to put a worker: the demand solved to its end, or a tree of samples if that exceeds the budget."""

from math import sqrt

from kontor_games.domain.chance import Draws
from kontor_games.domain.games.speicherstadt.bots.searching.round_game import Lines, RoundGame, Values
from kontor_games.domain.games.speicherstadt.state import Table

_WIDTH = 2.0
"""Choices of so many points less than the best have no share in samples."""
_CURIOSITY = 3.0
"""How many points a choice may seem worse and still be tried."""
_FINE = 1 << 16


class DemandSearch:
    """Searches the placements of one demand."""

    def __init__(self, game: RoundGame, state: Table, nodes: int, draws: Draws) -> None:
        """`nodes` limits the number of complete demands that are valued."""
        self._game, self._nodes, self._draws = game, nodes, draws
        self._first, self._placed = state.first, state.placed
        self._workers, self._most = state.numbers.workers * state.seats, state.numbers.line
        self._lines: Lines = tuple(state.lines)
        self._solutions: dict[Lines, Values] = {}
        self._tree: dict[tuple[int, ...], _Node] = {}

    def best(self) -> int:
        """The place in the row of the card for the next worker."""
        if len(self._lines) ** (self._workers - self._placed) > self._nodes:
            return self._sampled()
        seat = self._seat(self._placed)
        after = {place: self._joined(self._lines, place, seat) for place in self._open(self._lines)}
        return max(after, key=lambda place: self._solved(after[place], self._placed + 1)[seat])

    def _seat(self, placed: int) -> int:
        return (self._first + placed) % self._game.seats

    def _open(self, lines: Lines) -> list[int]:
        return [place for place, line in enumerate(lines) if len(line) < self._most]

    def _joined(self, lines: Lines, place: int, seat: int) -> Lines:
        return (*lines[:place], (*lines[place], seat), *lines[place + 1 :])

    # --- solved -------------------------------------------------------------------------------------------

    def _solved(self, lines: Lines, placed: int) -> Values:
        """The values if every seat makes the best choice for itself from here on."""
        if placed == self._workers:
            return self._game.sold(lines)
        found = self._solutions.get(lines)
        if found is None:
            seat = self._seat(placed)
            options = [
                self._solved(self._joined(lines, place, seat), placed + 1) for place in self._open(lines)
            ]
            found = self._solutions[lines] = max(options, key=lambda values: values[seat])
        return found

    # --- sampled ------------------------------------------------------------------------------------------

    def _sampled(self) -> int:
        """Sample as often as the budget allows, and return the choice that was made most often."""
        for _ in range(self._nodes):
            self._sample()
        root = self._tree[()]
        most = max(range(len(root.places)), key=lambda at: (root.visits[at], root.totals[at]))
        return root.places[most]

    def _sample(self) -> None:
        """Follow the tree, add a node, complete the demand by the policy, and count its values."""
        path: list[tuple[_Node, int, int]] = []
        key: tuple[int, ...] = ()
        lines, placed, is_new = self._lines, self._placed, False
        while placed < self._workers and not is_new:
            seat = self._seat(placed)
            node = self._tree.get(key)
            if is_new := node is None:
                appeals = self._game.appeals(lines, seat, self._workers - placed - 1)
                node = self._tree[key] = _Node(self._open(lines), appeals)
            choice = node.promising()
            path.append((node, choice, seat))
            lines = self._joined(lines, node.places[choice], seat)
            placed, key = placed + 1, (*key, choice)
        values = self._game.sold(self._completed(lines, placed))
        for node, choice, seat in path:
            node.count(choice, values[seat])

    def _completed(self, lines: Lines, placed: int) -> Lines:
        """The lines after the policy has placed all other workers."""
        for number in range(placed, self._workers):
            seat = self._seat(number)
            appeals = self._game.appeals(lines, seat, self._workers - number - 1)
            lines = self._joined(lines, self._drawn(self._open(lines), appeals), seat)
        return lines

    def _drawn(self, places: list[int], appeals: list[float]) -> int:
        """A place drawn by its share."""
        point = self._draws.below(_FINE) / _FINE
        for place, share in zip(places, _shares(places, appeals), strict=True):
            point -= share
            if point < 0:
                return place
        return places[-1]


def _shares(places: list[int], appeals: list[float]) -> list[float]:
    """How often the policy makes each choice: more often the more it appeals, never if it is far worse."""
    best = max([appeals[place] for place in places])
    ahead = [max(0.0, appeals[place] - best + _WIDTH) for place in places]
    total = 0.0
    for one in ahead:
        total += one * one
    return [one * one / total for one in ahead]


class _Node:
    """A position of the tree: how often each choice was made, and what it brought to its seat."""

    __slots__ = ("_count", "_mean", "_shares", "places", "totals", "visits")

    def __init__(self, places: list[int], appeals: list[float]) -> None:
        self.places = places
        self._shares = [0.9 * share + 0.1 / len(places) for share in _shares(places, appeals)]
        self.visits = [0] * len(places)
        self.totals = [0.0] * len(places)
        self._count, self._mean = 0, 0.0

    def promising(self) -> int:
        """The choice with the best mean, with an allowance for those rarely made."""
        allowance = _CURIOSITY * sqrt(self._count + 1)
        best, most = 0, float("-inf")
        for at, visits in enumerate(self.visits):
            mean = self.totals[at] / visits if visits else self._mean
            score = mean + allowance * self._shares[at] / (1 + visits)
            if score > most:
                best, most = at, score
        return best

    def count(self, choice: int, value: float) -> None:
        self.visits[choice] += 1
        self.totals[choice] += value
        self._count += 1
        self._mean += (value - self._mean) / self._count
