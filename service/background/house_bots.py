"""House bots play their seats through the same use case as players, from the same view and legal moves.

They keep no state, so a restart loses nothing. Each move is bound to a version of the match, so none is made
twice.
"""

from collections.abc import Callable
from uuid import UUID

import structlog

from kontor_games.domain.game import Move, Refusal
from kontor_games.domain.house_bots import house_move, is_searched
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)


class HouseBots(MatchWorker):
    """Makes the moves of house bots in matches in which none of them searches."""

    kind = "bots"
    thread_count = 4
    searching = False
    """Whether these are the matches with bots that search."""

    def __init__(self, cache: MatchCache, house: HouseCommands, feed: Feed, clock: Callable[[], int]) -> None:
        super().__init__(house, feed, clock)
        self._cache = cache
        self._notified: dict[UUID, int] = {}

    def on_change(self, change: Change) -> None:
        """Schedule the match now if a bot has a move in it."""
        if change.bot_may_act and change.searched == self.searching:
            self._notified[change.match] = change.version
            self.schedule.put(change.match, self.clock(), change.creator)

    def running(self) -> dict[UUID, tuple[int, str]]:
        return self.house.running("bots", self.scanned, 2 if self.searching else 1)

    def process(self, match_id: UUID) -> int | None:
        """Make the first move that a bot chooses; the change that follows schedules the match again.

        Bots that may answer are asked before those that must move, so that an offer can be accepted.
        """
        match = self._cache.get_at_least(match_id, self._notified.pop(match_id, None)).state
        seats = sorted(filter(match.is_house, match.may_act), key=lambda seat: seat in match.to_act)
        if not seats or not self.claim(match_id, match):
            return None
        for seat in seats:
            if (move := _choose(match, seat)) is not None:
                return self._play(match_id, match, seat, move)
        return None

    def claim(self, match_id: UUID, match: Match) -> bool:
        """Whether the bots of a match shall move here now.

        Earlier releases did not mark the matches with bots that search; they are marked when they are found.
        """
        if is_searched(match):
            self.house.mark_as_searched(match_id)
            return False
        return True

    def _play(self, match_id: UUID, match: Match, seat: int, move: Move) -> int | None:
        """Play a move; if the match has changed meanwhile, return the time at which to try again."""
        try:
            self.house.play_for_house(match_id, match.version, seat, move)
        except StaleVersionError:
            return self.clock()
        except TimeIsUpError:
            return None  # the clock worker records the time-out
        except Refusal as refusal:
            _LOG.error("house_bot_refused", game=match.created.game, code=refusal.code)
        return None


def _choose(match: Match, seat: int) -> Move | None:
    """Return the move of a bot; log why if it failed."""
    move, failure = house_move(match, seat)
    if failure is not None:
        taken, created = match.seats[seat], match.created
        _LOG.error("house_bot_failed", bot=taken and taken.house, game=created.game, exc_info=failure)
    return move
