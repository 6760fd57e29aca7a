"""House bots: they play their seats through the same use case as everyone, from the same view and legal moves.

Whatever the store says is what they know: a restart loses nothing, and since each move is decided on a version, none is made twice.
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
    """A house bot, built once for all matches under the same rules."""
    return installed_games()[game].bots[name](find_rules(game, version, data))


class HouseBots(MatchWorker):
    """Moves for all house bots, match by match, as matches change."""

    kind = "bots"
    hands = 4

    def __init__(self, cache: MatchCache, matches: Matches, feed: Feed, clock: Callable[[], int]) -> None:
        """Hears of every change; acts only while it has taken up its duty."""
        super().__init__(matches, feed, clock)
        self._cache = cache
        self._heard: dict[UUID, int] = {}
        self._thinkers = ThreadPoolExecutor(self.hands, "house")

    def on_change(self, change: Change) -> None:
        """Looks at once where a bot may want to move."""
        if change.house:
            self._heard[change.match] = change.version
            self.schedule.put(change.match, self.clock())

    def process(self, match_id: UUID) -> None:
        """Makes the first move that a bot of this match wants to make now; the move itself brings the match here again."""
        match = self._catch_up(match_id)
        for seat in match.may_act:
            taken = match.seats[seat]
            if taken is not None and taken.house is not None and (chosen := self._choose(match, seat, taken.house)) is not None:
                self._move(match_id, match, seat, chosen)
                return

    def _catch_up(self, match_id: UUID) -> Match:
        """The match at least as new as we were told; a move of this process needs no look at the store."""
        heard = self._heard.pop(match_id, None)
        log = self._cache.hold(match_id)
        if heard is None or log.match.version < heard:
            log.refresh()
        return log.match

    def _choose(self, match: Match, seat: int, name: str) -> Move | None:
        """What the bot wants. One that fails, or says nothing when everybody waits for it, is our mistake and never the players' problem."""
        thought = self._thinkers.submit(choose, match, seat, name)
        error = thought.exception()
        if error is not None:
            _LOG.error("house_bot_failed", bot=name, game=match.created.game, exc_info=error)
        chosen = thought.result() if error is None else None
        return quiet_move(match, seat) if chosen is None and seat in match.to_act else chosen

    def _move(self, match_id: UUID, match: Match, seat: int, chosen: Move) -> None:
        for wanted in (chosen, quiet_move(match, seat)):
            try:
                return self.matches.play_for_house(match_id, match.version, seat, wanted)
            except StaleVersionError:
                return self.schedule.put(match_id, self.clock())
            except TimeIsUpError:
                return None  # the timekeeper moves for it
            except Refusal as refusal:
                _LOG.error("house_bot_refused", game=match.created.game, code=refusal.code, rule=refusal.rule)
        return None


def choose(match: Match, seat: int, name: str) -> Move | None:
    """What a house bot does at a seat: it sees that seat's view and legal moves, nothing else."""
    created, rules = match.created, match.rules
    bot = find_bot(created.game, created.rules_version, created.data, name)
    draws = Seeded(secrets.token_bytes(32)).draws("bot", match.version)
    return bot.choose(seat, lambda: rules.view(match.state, seat), rules.legal_moves(match.state, seat), draws)


def quiet_move(match: Match, seat: int) -> Move:
    """A legal move that gives nothing away."""
    return secrets.choice(match.rules.quiet_moves(match.state, seat))
