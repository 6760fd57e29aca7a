"""The subjects of the engine benchmark: each installed game, and catanatron."""

from collections.abc import Callable
from random import random, seed
from typing import Any, Protocol

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Game as Title
from kontor_games.domain.game import Rules


class Subject(Protocol):
    """An engine that plays random matches."""

    name: str
    seats: int

    def play(self, number: int) -> int:
        """Play the random match with this number to its end; return how many decisions it took.

        Every legal move is listed at each decision.
        """

    def midway(self) -> Callable[[], object]:
        """A function that copies the state in the middle of a match."""


class Installed:
    """One of our games. Random values are drawn and moves are checked as in the service."""

    def __init__(self, game: Title, seats: int) -> None:
        self.name = game.id
        self.seats = seats
        self._rules: Rules[Any] = game.rules()
        self._chosen = self._rules.options()

    def _run(self, number: int, limit: int | None = None) -> tuple[Any, int]:
        rules = self._rules
        to_act, legal_moves, play = rules.to_act, rules.legal_moves, rules.play
        chance, decisions = Seeded(seed_from(str(number))), 0
        seed(number)
        state = rules.table(self.seats, self._chosen)
        rules.deal(state, chance)
        while (waited := to_act(state)) and decisions != limit:
            seat = waited[0]
            moves = legal_moves(state, seat)
            play(state, seat, moves[int(random() * len(moves))], chance)
            decisions += 1
        return state, decisions

    def play(self, number: int) -> int:
        return self._run(number)[1]

    def midway(self) -> Callable[[], object]:
        copy: Callable[[], object] = self._run(1, self._run(1)[1] // 2)[0].copy
        return copy


class Catanatron:
    """catanatron with its own loop, its own random players, and its own list of actions at each decision."""

    name = "catanatron"
    seats = 4

    def _game(self, number: int) -> Any:
        from catanatron import Color, Game, RandomPlayer  # slow to import

        return Game([RandomPlayer(color) for color in Color], seed=number)

    def play(self, number: int) -> int:
        game = self._game(number + 1)  # catanatron treats seed 0 as no seed.
        game.play()
        return len(game.state.actions)

    def midway(self) -> Callable[[], object]:
        half, game = self.play(0) // 2, self._game(1)
        while len(game.state.actions) < half:
            game.play_tick()
        copy: Callable[[], object] = game.state.copy
        return copy
