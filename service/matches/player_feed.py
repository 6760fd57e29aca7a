"""The facts of all matches of a player as one log with a cursor: nothing comes twice, nothing is left out.

The cursor holds the last sent version of each match. There is no common order of all matches: a common
counter would have to wait for the slowest writer, and a list of versions is exact without it.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from kontor_games.domain.plain import LARGEST
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import MatchDamagedError, NotFoundError
from kontor_games.service.matches.answers import Events
from kontor_games.service.matches.queries import Queries
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

_HEAD = struct.Struct(">Q")
_MARK = struct.Struct(">16sI")
_SKEW_MS = 10_000
"""How far the clocks of two processes may differ, and how long a finished match stays in the cursor."""


class Cursor:
    """The last sent version of each match, and the time at which these were all matches."""

    def __init__(self, since: int, versions: dict[str, int]) -> None:
        """A time, and the last sent version of each match."""
        self.since = since
        self.versions = versions

    @property
    def text(self) -> str:
        """The cursor, opaque to clients."""
        marks = [_MARK.pack(UUID(match).bytes, version) for match, version in sorted(self.versions.items())]
        return write_cursor(b"".join([_HEAD.pack(self.since), *marks]))

    @classmethod
    def read(cls, cursor: str) -> "Cursor":
        """The cursor that `text` wrote; NotFoundError for any other."""
        return read_cursor(cursor, cls._unpack)

    @classmethod
    def _unpack(cls, raw: bytes) -> "Cursor":
        since, versions = _HEAD.unpack_from(raw)[0], _MARK.iter_unpack(raw[_HEAD.size :])
        if since > LARGEST:
            raise ValueError("no such moment")
        return cls(since, {str(UUID(bytes=match)): version for match, version in versions})


@dataclass(frozen=True, slots=True)
class News:
    """New facts of some matches, and the cursor after them."""

    events: tuple[Events, ...]
    cursor: str


class PlayerFeed:
    """Reads the facts of all matches in which a player takes part."""

    def __init__(
        self, queries: Queries, database: Database, clock: Callable[[], int], language: str | None = None
    ) -> None:
        """Keeps nothing in memory: the cursor is with the client."""
        self._language = language
        self._queries = queries
        self._database = database
        self._clock = clock

    def begin(self, caller: Caller) -> str:
        """A cursor after everything up to now."""
        now = self._clock()
        seen = self._queries.see_undamaged(caller, self._recent(caller, now))
        return Cursor(now, {one.id: one.match.version for one in seen}).text

    def news_of(self, caller: Caller, cursor: str, limit: int, versions: Mapping[str, int]) -> News:
        """The facts after the cursor in matches that are known to have changed, at most `limit`."""
        sent, found = Cursor.read(cursor), list[Events]()
        for match, version in versions.items():
            events = self._events(caller, match, sent.versions.get(match, 0), limit, version)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                sent.versions[match] = events.events[-1].version
        return News(tuple(found), sent.text)

    def news(self, caller: Caller, cursor: str, limit: int) -> News:
        """The facts after the cursor, match by match, at most `limit`."""
        known, now = Cursor.read(cursor), self._clock()
        recent = self._recent(caller, known.since)
        sent, found = Cursor(now, dict(known.versions)), list[Events]()
        for match in sorted(recent | known.versions.keys()):
            if not limit:
                sent.since = known.since
                break
            events = self._events(caller, match, known.versions.get(match, 0), limit)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                sent.versions[match] = events.events[-1].version
            if match not in recent and (events is None or sent.versions[match] >= events.version):
                del sent.versions[match]
        return News(tuple(found), sent.text)

    def _recent(self, caller: Caller, since: int) -> set[str]:
        """The caller's matches that are not over, or ended after a time."""
        rows = self._database.read(
            "SELECT m.id FROM matches m JOIN match_players p ON p.match_id = m.id"
            " WHERE p.player = ? AND (m.status IN ('open', 'running') OR m.changed_at >= ?)",
            [caller.player, since - _SKEW_MS],
        )
        return {row["id"] for row in rows}

    def _events(
        self, caller: Caller, match: str, after: int, limit: int, at_least: int | None = None
    ) -> Events | None:
        """The facts of a match.

        None if the caller may not see it any more, as after leaving a private match, or if it is damaged.
        """
        try:
            return self._queries.events(caller, match, after, limit, at_least, self._language)
        except (MatchDamagedError, NotFoundError):
            return None
