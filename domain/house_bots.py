"""The moves of house bots.

Each follows from the match, its seed and the pinned version of the bot, so that anyone can recompute it. A
bot knows only the view and the legal moves of its seat. Its chance is drawn from the match's seed: stream
`bot`, or `bot_quiet` for the move that replaces a missing one, at the version of the match before the move
(docs/chance.md).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from kontor_games.domain.anomalies import Anomaly, anomaly
from kontor_games.domain.fact_difference import shortened
from kontor_games.domain.game import Bot, BotClass, Move, Refusal, Rules, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.toolkit.searching import Level

_FAILURES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, Refusal, RuntimeError, StopIteration,
    TypeError, ValueError,
)  # fmt: skip
"""The errors that a faulty bot may raise; others, such as MemoryError, are not the bot's fault."""


class HouseMove(NamedTuple):
    """The move of a house bot, None if it makes none; and the reason if the bot failed."""

    move: Move | None
    failure: Exception | None = None


def is_searched(match: Match) -> bool:
    """Whether a house bot of a match may take long for a move, so that its bots play in other processes."""
    bots = {taken.house for taken in match.seats if taken and taken.house}
    return bool(bots) and not bots.isdisjoint(installed_games()[match.created.game].slow_bots)


def house_move(match: Match, seat: int) -> HouseMove:
    """Return the move that the house bot on a seat makes now.

    If the bot fails or chooses none while the match waits for its seat, that is a random quiet move.
    """
    failure: Exception | None = None
    try:
        move = _choice(match, seat)
        failure = None if move is None else match.rules.refusal(match.state, seat, move)
    except _FAILURES as error:
        move, failure = None, error
    if move is not None and failure is None:
        return HouseMove(move)
    return HouseMove(_quiet_move(match, seat) if seat in match.to_act else None, failure)


def _choice(match: Match, seat: int) -> Move | None:
    rules, state = match.rules, match.state
    bot, draws = _find(match, seat), match.bot_chance.draws("bot", match.version)
    return bot.choose(seat, Sight(rules, state, seat), rules.legal_moves(state, seat), draws)


def _quiet_move(match: Match, seat: int) -> Move:
    quiet = match.rules.quiet_moves(match.state, seat)
    return quiet[match.bot_chance.draws("bot_quiet", match.version).below(len(quiet))]


def _find(match: Match, seat: int) -> Bot:
    """Return the bot on a seat; raise LookupError if its version is not installed."""
    name, version = _name_and_version(match, seat)
    kind = installed_games()[match.created.game].bot(name, version)
    return _built(kind, match.rules)  # type: ignore[arg-type]  # a class can be hashed


def _name_and_version(match: Match, seat: int) -> tuple[str, int | None]:
    taken = match.seats[seat]
    if taken is None or taken.house is None:
        raise LookupError(f"no house bot sits on seat {seat}")
    return taken.house, taken.house_version


@cache
def _built(kind: BotClass, rules: Rules[Any]) -> Bot:
    """Return the bot that all matches under these rules share."""
    return kind(rules)


# --- audit ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class BotMoves:
    """The number of moves of one house bot that an audit has recomputed."""

    seat: int
    bot: str
    version: int | None
    """None if the record does not pin it."""
    recomputed: int = 0
    left_out: int = 0
    """The moves that were left out of a sample, since the bot searches long for each."""
    not_recomputed: int = 0
    """The moves that could not be recomputed, since the version is not pinned or not installed here."""


class BotAudit:
    """Recomputes the moves of the house bots of one match."""

    def __init__(self, match: Match, is_sampled: Callable[[int], bool] = lambda one_in: True) -> None:
        """Takes the audited match, which advances between two checks.

        Of a bot that searches long for a move, those moves are recomputed for which `is_sampled` is true; it
        gets the number of moves of which one is to be recomputed. Nobody may be able to predict which.
        """
        self._match = match
        self._is_sampled = is_sampled
        self._counted: dict[int, tuple[BotMoves, bool]] = {}

    @property
    def moves(self) -> tuple[BotMoves, ...]:
        """The house bots that have moved, in the order of seats."""
        return tuple(self._counted[seat][0] for seat in sorted(self._counted))

    def check(self, seat: int, moves: Sequence[Move]) -> Anomaly | None:
        """Return the error in the next moves of a house bot, or None."""
        counted, installed = self._counted.get(seat) or self._begin(seat)
        if not installed:
            counted.not_recomputed += len(moves)
            return None
        if self._match.status != "running":
            return None  # the command is refused anyway
        kind = installed_games()[self._match.created.game].bot(counted.bot, counted.version)
        one_in = kind.one_in if isinstance(kind, Level) and len(moves) == 1 else 1
        if one_in > 1 and not self._is_sampled(one_in):
            counted.left_out += 1
            return None
        counted.recomputed += 1
        bot: dict[str, str | int] = {"bot": counted.bot, "version": str(counted.version), "seat": seat}
        if len(moves) != 1:
            return anomaly("bot_moves", **bot, count=len(moves))
        return self._other_move(seat, moves[0], bot)

    def _begin(self, seat: int) -> tuple[BotMoves, bool]:
        counted = BotMoves(seat, *_name_and_version(self._match, seat))
        installed = counted.version is not None
        try:
            _find(self._match, seat)
        except LookupError:
            installed = False
        self._counted[seat] = counted, installed
        return self._counted[seat]

    def _other_move(self, seat: int, move: Move, bot: Mapping[str, str | int]) -> Anomaly | None:
        """Return what is wrong with a move; None if the bot makes it."""
        try:
            if _choice(self._match, seat) == move:
                return None  # whether it is legal is checked when it is carried out
        except _FAILURES:
            pass  # a quiet move replaces it
        right, encode = house_move(self._match, seat).move, self._match.rules.move_codec.encode
        if right is None:
            return anomaly("bot_no_move", **bot)
        if encode(right) == encode(move):
            return None
        return anomaly("bot_move", **bot, move=shortened(encode(right)))
