"""All matches of one player as one log that can be resumed: nothing is told twice, nothing is left out.

The cursor holds how far each match was told. Matches have no common order across processes, and need none: a list of versions is exact
where a common counter would have to wait for the slowest writer.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from kontor_games.domain.plain import LARGEST
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.matches.answers import Events, Summary
from kontor_games.service.matches.queries import Queries
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

_HEAD = struct.Struct(">Q")
_MARK = struct.Struct(">16sI")
_SKEW_MS = 10_000
"""How far the clocks of two processes may differ, and how long a finished match stays in the cursor."""


class Marks:
    """How far each match was told, and when this was known to be all."""

    def __init__(self, since: int, versions: dict[str, int]) -> None:
        """A moment, and for each match its last told version."""
        self.since = since
        self.versions = versions

    @property
    def text(self) -> str:
        """The cursor, opaque to clients."""
        marks = b"".join(
            _MARK.pack(UUID(match).bytes, version) for match, version in sorted(self.versions.items())
        )
        return write_cursor(_HEAD.pack(self.since) + marks)

    @classmethod
    def read(cls, cursor: str) -> "Marks":
        """The cursor that `text` wrote; MalformedError for any other."""
        return read_cursor(cursor, "/after", cls._unpack)

    @classmethod
    def _unpack(cls, raw: bytes) -> "Marks":
        since, versions = _HEAD.unpack_from(raw)[0], _MARK.iter_unpack(raw[_HEAD.size :])
        if since > LARGEST:
            raise ValueError("no such moment")
        return cls(since, {str(UUID(bytes=match)): version for match, version in versions})


@dataclass(frozen=True, slots=True)
class News:
    """What happened in some matches, and the cursor that continues after it."""

    events: tuple[Events, ...]
    cursor: str


class Following:
    """What happens in all matches that a player has part in."""

    def __init__(self, queries: Queries, database: Database, clock: Callable[[], int]) -> None:
        """Keeps nothing in memory: the cursor is with the client."""
        self._queries = queries
        self._database = database
        self._clock = clock

    def begin(self, caller: Caller) -> str:
        """A cursor that means: everything up to now is known."""
        now = self._clock()
        seen = [self._queries.see(caller, match) for match in self._lately(caller, now)]
        return Marks(now, {one.id: one.match.version for one in seen}).text

    def current(self, caller: Caller) -> tuple[Summary, ...]:
        """The caller's matches that are not over."""
        return self._queries.current(caller)

    def news_of(self, caller: Caller, cursor: str, limit: int, versions: Mapping[str, int]) -> News:
        """What the holder of the cursor does not know yet of the matches that are known to have changed, up to so many facts."""
        told, found = Marks.read(cursor), list[Events]()
        for match, version in versions.items():
            events = self._events(caller, match, told.versions.get(match, 0), limit, version)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                told.versions[match] = events.events[-1].version
        return News(tuple(found), told.text)

    def news(self, caller: Caller, cursor: str, limit: int) -> News:
        """What the holder of the cursor does not know yet: match after match, up to so many facts."""
        known, now = Marks.read(cursor), self._clock()
        lately = self._lately(caller, known.since)
        told, found = Marks(now, dict(known.versions)), list[Events]()
        for match in sorted(lately | known.versions.keys()):
            if not limit:
                told.since = known.since
                break
            events = self._events(caller, match, known.versions.get(match, 0), limit)
            if events is not None and events.events:
                found.append(events)
                limit -= len(events.events)
                told.versions[match] = events.events[-1].version
            if match not in lately and (events is None or told.versions[match] >= events.version):
                del told.versions[match]
        return News(tuple(found), told.text)

    def _lately(self, caller: Caller, since: int) -> set[str]:
        """The caller's matches that go on, or ended after a moment."""
        rows = self._database.read(
            "SELECT m.id FROM matches m JOIN match_players p ON p.match_id = m.id"
            " WHERE p.player = ? AND (m.status IN ('open', 'running') OR m.changed_at >= ?)",
            [caller.player, since - _SKEW_MS],
        )
        return {row["id"] for row in rows}

    def _events(
        self, caller: Caller, match: str, after: int, limit: int, at_least: int | None = None
    ) -> Events | None:
        """None where the caller may not see the match, or not any more: whoever leaves a private match knows nothing of it."""
        try:
            return self._queries.events(caller, match, after, limit, at_least)
        except NotFoundError:
            return None
