"""The facts of all matches of a player as one feed with a cursor: no fact is repeated or left out.

The cursor holds the last sent version of each match. There is no common order of the facts of all matches: a
common counter would have to wait for the slowest writer, and a list of versions is exact without it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.matches.event_answers import EventPage
from kontor_games.service.matches.feed_cursor import Cursor, FeedCursors
from kontor_games.service.matches.queries import Queries
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

_SKEW_MS = 10_000
"""How far the clocks of two processes may differ, and how long a finished match stays in the cursor."""


@dataclass(frozen=True, slots=True)
class FeedPage:
    """New facts of some matches, and the cursor after them."""

    events: tuple[EventPage, ...]
    cursor: str


class PlayerFeed:
    """Reads the facts of all matches in which a player takes part."""

    def __init__(
        self,
        queries: Queries,
        database: Database,
        clock: Callable[[], int],
        caller: Caller,
        language: str | None = None,
    ) -> None:
        """All progress is in the cursor of the client, so a feed holds no state of its own."""
        self._language = language
        self._caller = caller
        self.cursors = FeedCursors(database, clock, caller.player)
        self._queries = queries
        self._database = database
        self._clock = clock

    def begin(self) -> str:
        """A cursor after everything up to now."""
        now = self._clock()
        visible = self._queries.visible_matches(self._caller, self._recent(now))
        return self.cursors.write(Cursor(now, {one.id: one.match.version for one in visible}))

    def read_changed(self, cursor: str, limit: int, versions: Mapping[str, int]) -> FeedPage:
        """The facts after the cursor in matches that are known to have changed, at most `limit`."""
        sent, found = self.cursors.read(cursor), list[EventPage]()
        for match, version in versions.items():
            events = self._events(match, sent.versions.get(match, 0), limit, version)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                sent.versions[match] = events.events[-1].version
        return FeedPage(tuple(found), self.cursors.write(sent))

    def read(self, cursor: str, limit: int) -> FeedPage:
        """The facts after the cursor, match by match, at most `limit`."""
        known, now = self.cursors.read(cursor), self._clock()
        recent = self._recent(known.since)
        sent, found = Cursor(now, dict(known.versions), known.stored), list[EventPage]()
        for match in sorted(recent | known.versions.keys()):
            if not limit:
                sent.since = known.since
                break
            events = self._events(match, known.versions.get(match, 0), limit)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                sent.versions[match] = events.events[-1].version
            if match not in recent and (events is None or sent.versions[match] >= events.version):
                del sent.versions[match]
        return FeedPage(tuple(found), self.cursors.write(sent))

    def _recent(self, since: int) -> set[str]:
        """The caller's matches that are not over, or ended after a time."""
        rows = self._database.read(
            "SELECT m.id FROM matches m JOIN match_players p ON p.match_id = m.id"
            " WHERE p.player = ? AND (m.status IN ('open', 'running') OR m.changed_at >= ?)",
            [self._caller.player, since - _SKEW_MS],
        )
        return {row["id"] for row in rows}

    def _events(self, match: str, after: int, limit: int, at_least: int | None = None) -> EventPage | None:
        """The facts of a match.

        None if the caller may not see it any more, as after leaving a private match, or if it is damaged.
        """
        try:
            return self._queries.events(self._caller, match, after, limit, at_least, self._language)
        except (RecordDamagedError, NotFoundError):
            return None
