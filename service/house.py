"""House bots: they play their seats through the same use case as everyone, from the same view and legal moves.

Whatever the store says is what they know: a restart loses nothing, and since each move is decided on a version, none is made twice.
"""

import secrets
from functools import cache
from queue import Empty, Queue
from threading import Event, Thread
from time import sleep
from uuid import UUID

import structlog

from domain.chance import Seeded
from domain.entry import find_rules
from domain.game import Bot, Move, Refusal
from domain.games import installed_games
from domain.match import Match
from service.errors import NotFoundError, StaleVersionError, UnavailableError
from service.feed import Feed
from service.log import Logs
from service.matches import Matches

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 0.2


@cache
def find_bot(game: str, version: int, data: str, name: str) -> Bot:
    """A house bot, built once for all matches under the same rules."""
    return installed_games()[game].bots[name](find_rules(game, version, data))


class House:
    """Moves for all house bots, match by match, as matches change."""

    def __init__(self, logs: Logs, matches: Matches, feed: Feed) -> None:
        """Hears of every change; acts only while it has taken up its duty."""
        self._logs = logs
        self._matches = matches
        self._changed: Queue[UUID] = Queue()
        self._on_duty = Event()
        self._thread: Thread | None = None
        feed.on_change(self._hear)

    def _hear(self, match_id: UUID) -> None:
        if self._on_duty.is_set():
            self._changed.put(match_id)

    def take_up(self) -> None:
        """Begins with every running match that has bots."""
        self._on_duty.set()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def lay_down(self) -> None:
        """Stops after the move at hand."""
        self._on_duty.clear()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        self._look_around()
        while self._on_duty.is_set():
            try:
                self._attend(self._changed.get(timeout=_PAUSE_S))
            except Empty:
                continue
            except UnavailableError:
                _LOG.warning("house_bots_interrupted")
                self._look_around()

    def _look_around(self) -> None:
        """Puts every running match with bots on the list, as soon as the store answers."""
        while self._on_duty.is_set():
            try:
                for match_id in self._matches.running("bots"):
                    self._changed.put(match_id)
            except UnavailableError:
                sleep(_PAUSE_S)
            else:
                return

    def _attend(self, match_id: UUID) -> None:
        """Makes the first move that a bot of this match wants to make now; the move itself brings the match here again."""
        try:
            if not _has_bots(self._logs.hold(match_id).match):
                return
            match = self._logs.fresh(match_id).match
        except NotFoundError:
            return
        for seat in match.may_act:
            taken = match.seats[seat]
            if taken is not None and taken.house is not None and self._move(match_id, match, seat, taken.house):
                return

    def _move(self, match_id: UUID, match: Match, seat: int, name: str) -> bool:
        """Whether the bot at this seat moved, or the match moved on meanwhile."""
        chosen = choose(match, seat, name)
        if chosen is None:
            return False
        try:
            self._matches.play_for_house(match_id, match.version, seat, chosen)
        except StaleVersionError:
            self._changed.put(match_id)
        except Refusal as refusal:
            # A bot that wants what it can't have is our mistake, never the players' problem: a quiet move goes on.
            _LOG.error("house_bot_refused", bot=name, code=refusal.code, rule=refusal.rule)
            self._matches.play_for_house(match_id, match.version, seat, _any_quiet_move(match, seat))
        return True


def _has_bots(match: Match) -> bool:
    return any(plan.kind == "bot" for plan in match.created.seats)


def choose(match: Match, seat: int, name: str) -> Move | None:
    """What a house bot does at a seat: it sees that seat's view and legal moves, nothing else."""
    created, rules = match.created, match.rules
    bot = find_bot(created.game, created.rules_version, created.data, name)
    draws = Seeded(secrets.token_bytes(32)).draws("bot", match.version)
    return bot.choose(seat, lambda: rules.view(match.state, seat), rules.legal_moves(match.state, seat), draws)


def _any_quiet_move(match: Match, seat: int) -> Move:
    return secrets.choice(match.rules.quiet_moves(match.state, seat))
