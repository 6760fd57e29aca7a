"""The facts of all matches of a player as one feed with a cursor: no fact is repeated or left out.

The cursor holds the last sent version of each match. There is no common order of the facts of all matches: a
common counter would have to wait for the slowest writer, and a list of versions is exact without it.
"""

import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid5

from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.matches.event_answers import EventPage
from kontor_games.service.matches.queries import Queries
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

MAX_BYTES = 2250
"""3,000 characters of text, which fit into an HTTP header."""
KEPT_ROWS = 20
"""Number of rows kept per player; a cursor that names an older one is refused."""
_HEAD = struct.Struct(">BQ16sH")
"""The number of the format, the time, the id of the stored row, and how many of its versions have changed."""
_FORMAT = 2
_CHANGED = struct.Struct(">HI")
"""The index of a match in the stored row, and its version now; 0 if the cursor no longer contains it."""
_MARK = struct.Struct(">16sI")
"""The id of a match, and its version."""
_NO_ROW = UUID(int=0)


class StoredPositions(NamedTuple):
    """Versions that are stored, for cursors to refer to."""

    id: UUID
    versions: Mapping[str, int]


_NOTHING = StoredPositions(_NO_ROW, {})


@dataclass
class Cursor:
    """The last sent version of each match."""

    since: int
    """When the matches of the player were last listed, in milliseconds since 1970."""
    versions: dict[str, int]
    stored: StoredPositions = _NOTHING
    """The stored versions that the text refers to."""

    def pack(self) -> bytes:
        """Return the cursor as its difference from the stored versions."""
        stored, versions = self.stored.versions, self.versions
        changed = [
            _CHANGED.pack(place, versions.get(match, 0))
            for place, (match, version) in enumerate(stored.items())
            if versions.get(match, 0) != version
        ]
        new = [
            _MARK.pack(UUID(match).bytes, version)
            for match, version in sorted(versions.items())
            if match not in stored
        ]
        head = _HEAD.pack(_FORMAT, self.since, self.stored.id.bytes, len(changed))
        return b"".join([head, *changed, *new])


class FeedCursors:
    """Writes and reads the cursors of one player, of bounded size however many matches the player has.

    If a cursor would become too long, the versions are stored in a row, and the cursor holds the id of the
    row and only the differences from it. A row is never changed, and its id is a hash of its content, so the
    same versions are stored only once.
    """

    def __init__(self, database: Database, clock: Callable[[], int], player: str) -> None:
        self._database = database
        self._clock = clock
        self._player = player
        self._last = _NOTHING
        """The stored versions that were used last: a stream refers to the same ones for a long time."""

    def write(self, cursor: Cursor) -> str:
        """Return the text of a cursor; store its versions first if the text would be too long."""
        packed = cursor.pack()
        if len(packed) > MAX_BYTES:
            cursor.stored = self._last = self._store(cursor.versions)
            packed = cursor.pack()
        return write_cursor(packed)

    def _store(self, versions: Mapping[str, int]) -> StoredPositions:
        in_order = sorted(versions.items())
        positions = b64encode(
            b"".join(_MARK.pack(UUID(match).bytes, version) for match, version in in_order)
        ).decode()
        stored, player = StoredPositions(uuid5(UUID(self._player), positions), dict(in_order)), self._player
        insert = "INSERT INTO feed_positions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        newest = "SELECT id FROM feed_positions WHERE player = ? ORDER BY created_at DESC, id LIMIT ?"
        delete = f"DELETE FROM feed_positions WHERE player = ? AND id <> ? AND id NOT IN ({newest})"  # noqa: S608
        self._database.write(
            (insert, (str(stored.id), player, positions, self._clock())),
            (delete, (player, str(stored.id), player, KEPT_ROWS)),
        )
        return stored

    def read(self, text: str) -> Cursor:
        """Parse a cursor; raise NotFoundError if it does not belong to this player, or is too old."""
        since, row, changed, versions = read_cursor(text, _unpack)
        stored = self._stored(row)
        matches = list(stored.versions)
        if changed and max(changed) >= len(matches):
            raise NotFoundError("This is not a cursor of this service. Start without one.")
        now = {
            **stored.versions,
            **{matches[place]: version for place, version in changed.items()},
            **versions,
        }
        return Cursor(since, {match: version for match, version in now.items() if version}, stored)

    def _stored(self, row: UUID) -> StoredPositions:
        if row == _NO_ROW:
            return _NOTHING
        if self._last.id != row:
            query = "SELECT positions FROM feed_positions WHERE id = ? AND player = ?"
            rows = self._database.read(query, (str(row), self._player))
            if not rows:
                raise NotFoundError("This cursor is too old, or not yours. Start without one.")
            self._last = StoredPositions(row, _versions(b64decode(rows[0]["positions"])))
        return self._last


def _unpack(raw: bytes) -> tuple[int, UUID, dict[int, int], dict[str, int]]:
    format_number, since, row, count = _HEAD.unpack_from(raw)
    end = _HEAD.size + count * _CHANGED.size
    if format_number != _FORMAT or since > MAX_INTEGER:
        raise ValueError("not a feed cursor")
    changed = dict(_CHANGED.iter_unpack(raw[_HEAD.size : end]))
    return since, UUID(bytes=row), changed, _versions(raw[end:])


def _versions(marks: bytes) -> dict[str, int]:
    return {str(UUID(bytes=match)): version for match, version in _MARK.iter_unpack(marks)}


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
