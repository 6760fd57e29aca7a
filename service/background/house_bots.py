"""House bots play their seats through the same use case as players, from the same view and legal moves.

They keep no state, so a restart loses nothing. Each move is bound to a version of the match, so none is made
twice.
"""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from uuid import UUID

import structlog

from kontor_games.domain.chance import Seeded
from kontor_games.domain.game import Bot, Move, Refusal
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import find_rules
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.matches.use_cases import Matches
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)


@cache
def find_bot(game: str, version: int, data: str, name: str) -> Bot:
    """Return the named bot of a ruleset; it is built once and shared by all matches."""
    return installed_games()[game].bots[name](find_rules(game, version, data))


class HouseBots(MatchWorker):
    """Makes the moves of all house bots."""

    kind = "bots"
    thread_count = 4

    def __init__(self, cache: MatchCache, matches: Matches, feed: Feed, clock: Callable[[], int]) -> None:
        super().__init__(matches, feed, clock)
        self._cache = cache
        self._notified: dict[UUID, int] = {}
        self._executor = ThreadPoolExecutor(self.thread_count, "house")

    def on_change(self, change: Change) -> None:
        """Schedule the match now if a bot has a move in it."""
        if change.bot_may_act:
            self._notified[change.match] = change.version
            self.schedule.put(change.match, self.clock())

    def process(self, match_id: UUID) -> None:
        """Make the first move that a bot chooses; the change that follows schedules the match again."""
        match = self._load(match_id)
        for seat in match.may_act:
            taken = match.seats[seat]
            if (
                taken is not None
                and taken.house is not None
                and (move := self._choose(match, seat, taken.house)) is not None
            ):
                self._play(match_id, match, seat, move)
                return

    def _load(self, match_id: UUID) -> Match:
        """Return the match at the notified version or later; read the store only if the cache is behind."""
        version = self._notified.pop(match_id, None)
        log = self._cache.get(match_id)
        if version is None or log.match.version < version:
            log.refresh()
        return log.match

    def _choose(self, match: Match, seat: int, name: str) -> Move | None:
        """Return the move of a bot; a quiet move if it fails, or has none while the match waits for it."""
        future = self._executor.submit(choose, match, seat, name)
        error = future.exception()
        if error is not None:
            _LOG.error("house_bot_failed", bot=name, game=match.created.game, exc_info=error)
        move = future.result() if error is None else None
        return quiet_move(match, seat) if move is None and seat in match.to_act else move

    def _play(self, match_id: UUID, match: Match, seat: int, chosen: Move) -> None:
        for move in (chosen, quiet_move(match, seat)):
            try:
                return self.matches.play_for_house(match_id, match.version, seat, move)
            except StaleVersionError:
                return self.schedule.put(match_id, self.clock())
            except TimeIsUpError:
                return None  # the clock worker records the time-out
            except Refusal as refusal:
                _LOG.error("house_bot_refused", game=match.created.game, code=refusal.code, rule=refusal.rule)
        return None


def choose(match: Match, seat: int, name: str) -> Move | None:
    """Return the move of a bot, which knows only the view and the legal moves of its seat."""
    created, rules = match.created, match.rules
    bot = find_bot(created.game, created.rules_version, created.data, name)
    draws = Seeded(secrets.token_bytes(32)).draws("bot", match.version)
    return bot.choose(
        seat, lambda: rules.view(match.state, seat), rules.legal_moves(match.state, seat), draws
    )


def quiet_move(match: Match, seat: int) -> Move:
    """Return a random legal move among those that give nothing away."""
    return secrets.choice(match.rules.quiet_moves(match.state, seat))
