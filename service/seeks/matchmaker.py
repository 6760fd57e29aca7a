"""Matchmaking in the leading process: pair compatible seeks, and follow up on the offered matches.

It keeps no state of its own. A table is stored first, which reserves its seeks, and then its match is created
with an id that is derived from the seeks. So if a process dies in between, the next one completes its work.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import groupby
from threading import Event
from uuid import UUID, uuid5

import structlog

from kontor_games.domain.codec import SPECTATOR, MalformedError
from kontor_games.domain.commands import Abort, Create
from kontor_games.domain.game import Refusal
from kontor_games.domain.ladders import Ladder, kind_of
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.domain.matchmaking import Seeker, drawn_seats, pair
from kontor_games.domain.stream import HOUSE
from kontor_games.service.errors import NotFoundError, RecordDamagedError, StaleVersionError
from kontor_games.service.matches.match_spec import SeatSpec, plan_match
from kontor_games.service.matches.outages import Outages
from kontor_games.service.matches.use_cases import Call, Matches
from kontor_games.service.people.players import Players
from kontor_games.service.people.presence import Presence
from kontor_games.service.people.tokens import THE_SERVICE
from kontor_games.service.ratings.queries import RatingQueries
from kontor_games.service.seeks.store import Seek, SeekStore
from kontor_games.service.seeks.use_cases import match_spec_of
from kontor_games.service.store.database import Statement
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.threads import DueWork

ACCEPT_MS = 60_000
"""How long paired players have to take their seats."""
ABSENT_MS = 90_000
"""A seek ends if its player made no call and had no stream for this time; presence is stored every 30 s."""
AVOID_MS = 3_600_000
"""How long a player who declined is not paired with the same players again."""
_PAUSE_S = 2.0
_NAMESPACE = UUID("6b6f6e74-6f72-5461-8262-6c6573000000")
_LOG = structlog.get_logger(__name__)


class Matchmaker(DueWork):
    """Pairs the waiting seeks, creates the matches of complete tables, and expires seeks."""

    def __init__(
        self,
        store: SeekStore,
        matches: Matches,
        cache: MatchCache,
        ratings: RatingQueries,
        players: Players,
        presence: Presence,
        outages: Outages,
        clock: Callable[[], int],
        due: Event,
    ) -> None:
        """`due` is set when a seek is created in this process."""
        super().__init__(self.step, due, _PAUSE_S, "matchmaking_interrupted")
        self._store = store
        self._matches = matches
        self._cache = cache
        self._ratings = ratings
        self._players = players
        self._presence = presence
        self._outages = outages
        self._clock = clock

    def step(self) -> int:
        """Follow up on offers, end old seeks, pair compatible ones; return the number of new tables."""
        self._follow_up()
        waiting = list(self._unexpired())
        self._store.delete_old()
        made = 0
        by_terms: dict[str, list[Seek]] = {}
        for seek in waiting:
            by_terms.setdefault(seek.terms.text(), []).append(seek)
        for _, seeks in sorted(by_terms.items()):
            tables = pair(self._seekers(seeks), seeks[0].terms.seats, self._clock())
            by_id = {one.id: one for one in seeks}
            made += sum(self._offer([by_id[one.id] for one in table]) for table in tables)
        return made

    def _unexpired(self) -> Iterator[Seek]:
        waiting = self._store.with_status("waiting")
        gone = self._absent_players(waiting)
        may_play = self._players.who_may_play(seek.player for seek in waiting)
        for seek in waiting:
            if seek.expires_at <= self._clock() or seek.player in gone:
                self._store.take([seek], "expired")
            elif seek.player not in may_play:
                self._store.take([seek], "cancelled")
            else:
                yield seek

    def _absent_players(self, waiting: Sequence[Seek]) -> Set[str]:
        """The players not seen for `ABSENT_MS`: they have closed the page, or their program has ended."""
        since = self._clock() - ABSENT_MS
        if self._outages.last is not None and self._outages.last.until > since:
            return frozenset()  # nobody could reach the service
        old_players = {one.player for one in waiting}
        old_players -= {one.player for one in waiting if one.changed_at > since}
        last_seen = self._presence.last_seen(old_players) if old_players else {}
        return {player for player in old_players if last_seen.get(player, 0) <= since}

    def _seekers(self, seeks: Sequence[Seek]) -> list[Seeker]:
        avoided = self._store.avoided(one.player for one in seeks)
        return [
            Seeker(
                one.id,
                one.player,
                one.bot,
                self._ratings.rating(Ladder(one.terms.game, kind_of(bot=one.bot)), one.player).mean,
                one.created_at,
                one.opponents,
                avoided.get(one.player, frozenset()),
            )
            for one in seeks
        ]

    # --- offers ---------------------------------------------------------------------------------------------

    def _offer(self, table: Sequence[Seek]) -> bool:
        """Store a table and create its match; return False if one of its seeks was taken meanwhile."""
        match_id = uuid5(_NAMESPACE, " ".join(sorted(f"{one.id}.{one.turn}" for one in table)))
        if not self._store.take(table, "offered", str(match_id)):
            return False
        self._create(match_id, table)
        return True

    def _create(self, match_id: UUID, table: Sequence[Seek]) -> None:
        self._matches.announce(
            Call(THE_SERVICE, f"seeks.{match_id}"),
            Create(takes_seat=False, bot=False, contribution=""),
            lambda: self._planned(table),
            shared_id=match_id,
        )

    def _planned(self, table: Sequence[Seek]) -> MatchCreated:
        """Announce a match; its seats are drawn by its secret, which no player can know or influence."""
        secret = secrets.token_hex(32)
        players = drawn_seats(secret, [one.player for one in table])
        spec = match_spec_of(table[0].terms, tuple(SeatSpec("invited", player) for player in players))
        return plan_match(spec, HOUSE, secret, lambda _: True, self._matches.defaults)

    def _follow_up(self) -> None:
        """Settle the offers whose matches have started, were declined, or were not accepted in time."""
        offered = sorted(self._store.with_status("offered"), key=lambda one: one.match_id or "")
        for match_id, group in groupby(offered, lambda one: one.match_id):
            table = list(group)
            try:
                self._settle(UUID(match_id), table)
            except (RecordDamagedError, MalformedError) as error:
                _LOG.warning("offer_dropped", match=match_id, error=type(error).__name__)
                self._store.settle([(one, "cancelled") for one in table])

    def _settle(self, match_id: UUID, table: Sequence[Seek]) -> None:
        try:
            match = self._cache.get_fresh(match_id).state
        except NotFoundError:  # the process that stored the table has died
            self._create(match_id, table)
            return
        late = table[0].changed_at + ACCEPT_MS <= self._clock()
        if match.status == "open" and (match.declined or late):
            match = self._aborted(match_id)
        if match.begun:
            self._store.settle([(one, "matched") for one in table])
        elif match.over:
            self._release(match, table, late=late)

    def _aborted(self, match_id: UUID) -> Match:
        with suppress(Refusal, StaleVersionError):
            self._matches.execute(Call(THE_SERVICE, f"unaccepted.{match_id}"), str(match_id), Abort())
        return self._cache.get_fresh(match_id).state

    def _release(self, match: Match, table: Sequence[Seek], *, late: bool) -> None:
        """End the seeks of those who declined or did not join; the others wait again and keep their age."""
        declined = {match.created.seats[seat].player for seat in match.declined}
        ends = [(one, _end_of(one, match, declined, late=late)) for one in table]
        until = self._clock() + AVOID_MS
        avoid: list[Statement] = [
            (
                "INSERT INTO declined_players VALUES (?, ?, ?) ON CONFLICT (player, other)"
                " DO UPDATE SET until = excluded.until",
                [one.player, other.player, until],
            )
            for one in table
            if one.player in declined
            for other in table
            if other is not one
        ]
        self._store.settle(ends, *avoid)


def _end_of(seek: Seek, match: Match, declined: Set[str | None], *, late: bool) -> str:
    if seek.player in declined:
        return "declined"
    return "waiting" if match.seat_of(seek.player) != SPECTATOR or not late else "missed"
