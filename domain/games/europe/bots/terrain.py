"""What a bot knows of a board once and for all: distances, and what each number is worth."""

from kontor_games.domain.games.europe.board import RESOURCES, SEA, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.resources import RINGED, TOKENS

PIPS = (0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1)
"""Number to how often it comes in 36 rolls."""

EXPECTED_TOKEN = tuple(
    (sum(PIPS[number] for number in numbers) - PIPS[RINGED[r]]) / (len(numbers) - 1)
    for r, numbers in enumerate(TOKENS)
)
"""Resource to what a token of its colour in the sea is worth on average (E-6)."""


class Terrain:
    """A board as a bot sees it."""

    def __init__(self, board: Board) -> None:
        """Works out all distances."""
        self.board = board
        self.yields = tuple(
            -1 if h.terrain == SEA else RESOURCES.index(TERRAIN_RESOURCE[h.terrain]) for h in board.hexes
        )
        self.sites = tuple(city.crossroads for city in board.cities)
        self.gold = tuple(city.gold for city in board.cities)
        self.hexes = tuple(board.hexes_at[city.crossroads] for city in board.cities)
        self.away = tuple(self._away(start) for start in range(len(board.crossroads)))
        """Crossroads to how far every other one is."""
        self.ends = tuple((path.a, path.b) for path in board.paths)
        self.cities_of = tuple(
            tuple(c for c in (board.city_at[a], board.city_at[b]) if c >= 0) for a, b in self.ends
        )
        """Path to the cities at its ends."""

    def _away(self, start: int) -> list[int]:
        steps = [-1] * len(self.board.crossroads)
        steps[start] = 0
        wave = [start]
        for at in wave:
            for other, _ in self.board.neighbours[at]:
                if steps[other] < 0:
                    steps[other] = steps[at] + 1
                    wave.append(other)
        return steps
