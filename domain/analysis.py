"""What a seat could have done better: every decision of a match, with the value of other moves.

For each decision, states are imagined that the seat cannot tell from the true one (`Sight`). In the same
imagined states each move is made, the usual house bot plays on until the position is quiet enough to be
valued, and the mean value counts. So nothing enters that the seat could not know at that moment, and the
result follows from the record alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kontor_games.domain.chance import Chance, Seeded, seed_from
from kontor_games.domain.commands import Play
from kontor_games.domain.game import Appraiser, Bot, Move, Rules, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.stream import HOUSE, Entry

WORLDS = 6
"""Imagined states in which the moves that look best are compared."""
_FINALISTS = 4
_MOST_STEPS = 80
"""Decisions that are played on, at most."""
_LINE = 5
"""Decisions of a line that are shown."""
LEAST_LOSS = 0.25
"""A smaller loss, in the unit of the game, is no mistake."""
MISTAKES = 3


class Step(NamedTuple):
    """One move of a line."""

    seat: int
    move: Move
    labels: Mapping[str, str]
    """What the move is called, by language."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that a seat chose among several."""

    version: int
    """That of the match before the move."""
    seat: int
    made: Step
    before: float
    """The value of the position for the seat: that after the best move."""
    after: float
    """The value after the move that was made."""
    line: tuple[Step, ...]
    """The best move and how the match may have gone on from it; empty if the best move was made."""

    @property
    def loss(self) -> float:
        """What the move gave away."""
        return self.before - self.after


def mistakes(decisions: Sequence[Decision], seat: int) -> tuple[Decision, ...]:
    """The largest mistakes of a seat, the largest first."""
    found = [one for one in decisions if one.seat == seat and one.loss >= LEAST_LOSS]
    return tuple(sorted(found, key=lambda one: -one.loss)[:MISTAKES])


def analysed(
    match_id: str, entries: Sequence[Entry], names: Mapping[str, Sequence[str]], only: int | None = None
) -> Iterator[tuple[Decision, ...]]:
    """Yield the decisions of each entry of a finished match, of all seats or of one.

    `names` has what the seats are called, in each language in which moves are labelled.
    """
    match = Match()
    for entry in entries:
        yield tuple(_decisions(match_id, match, entry, names, only)) if match.version else ()
        match.fold(entry)


def _decisions(
    match_id: str, match: Match, entry: Entry, names: Mapping[str, Sequence[str]], only: int | None
) -> Iterator[Decision]:
    command = entry.command
    if not isinstance(command, Play) or not match.begun:
        return
    seat = command.seat if entry.by == HOUSE else match.seat_of(entry.by)
    if seat is None or only not in (None, seat):
        return
    state = match.state.copy()
    for number, move in enumerate(command.moves):
        legal = match.rules.legal_moves(state, seat)
        if len(legal) > 1:
            name = f"{match_id}/{match.version}/{number}"
            weighing = weighing_of(match, state, seat, name)
            best, before, after = weighing.best(legal, move)
            made = labelled(match.rules, state, seat, move, names)
            line = () if best == move else weighing.line(best, names)
            yield Decision(match.version, seat, made, before, after, line)
        match.rules.play(state, seat, move, match.chance)


def _ignore(state: Any, seat: int, move: Move) -> None:
    """Do nothing with a step."""


def weighing_of(match: Match, state: Any, seat: int, name: str) -> "Weighing":
    """Compare moves of a seat in a state of a match; raise LookupError if the game values no positions."""
    game = installed_games()[match.created.game]
    if game.appraiser is None:
        raise LookupError(f"{game.id} has no appraiser")
    bot = list(game.bots.values())[-1](match.rules)
    sight = Sight(match.rules, state, seat)
    return Weighing(game.appraiser(match.rules), bot, match.rules, sight, seat, name)


class Weighing:
    """Compares the moves of one decision."""

    def __init__(
        self, appraiser: Appraiser, bot: Bot, rules: Rules[Any], sight: Sight, seat: int, name: str
    ) -> None:
        """The chance of the imagined states follows from the name alone."""
        self._appraiser, self._bot, self._rules = appraiser, bot, rules
        self._sight, self._seat, self._name = sight, seat, name

    def best(self, legal: Sequence[Move], made: Move) -> tuple[Move, float, float]:
        """The best move, its value, and that of the move that was made.

        All moves are valued in one imagined state, then the best ones and the move that was made in more.
        """
        moves = legal if made in legal else [*legal, made]
        first = {move: self._outcome(move, 0) for move in moves}
        finalists = sorted(first, key=lambda move: -first[move])[:_FINALISTS]
        totals = {move: first[move] for move in dict.fromkeys([*finalists, made])}
        for world in range(1, WORLDS):
            for move in totals:
                totals[move] += self._outcome(move, world)
        best = max(totals, key=lambda move: (totals[move], move == made))
        return best, totals[best] / WORLDS, totals[made] / WORLDS

    def line(self, best: Move, names: Mapping[str, Sequence[str]]) -> tuple[Step, ...]:
        """The first steps from a move on, in one imagined state."""
        steps: list[Step] = []

        def add(state: Any, seat: int, move: Move) -> None:
            if len(steps) < _LINE:
                steps.append(labelled(self._rules, state, seat, move, names))

        self._outcome(best, 0, add)
        return tuple(steps)

    def _outcome(self, move: Move, world: int, on_step: Callable[[Any, int, Move], None] = _ignore) -> float:
        """The value for the seat when the usual bot has played on from a move in an imagined state."""
        chance: Chance = Seeded(seed_from(f"analysis/{self._name}/{world}"))
        rules, state = self._rules, self._sight.imagined(chance)
        moment = self._appraiser.moment(state)
        seat: int | None = self._seat
        chosen: Move | None = move
        for step in range(_MOST_STEPS):
            if seat is None or chosen is None:
                break
            on_step(state, seat, chosen)
            rules.play(state, seat, chosen, chance)
            if self._appraiser.moment(state) != moment:
                break
            seat = next(iter(rules.to_act(state)), None)
            if seat is not None:
                sight, legal = Sight(rules, state, seat), rules.legal_moves(state, seat)
                chosen = self._bot.choose(seat, sight, legal, chance.draws("bot", step))
        return self._appraiser.value(state, self._seat)


def labelled(
    rules: Rules[Any], state: Any, seat: int, move: Move, names: Mapping[str, Sequence[str]]
) -> Step:
    """A move with its labels."""
    return Step(seat, move, {one: rules.tell_move(state, seat, move, names[one], one) for one in names})
