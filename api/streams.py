"""Facts as streams of Server-Sent Events or NDJSON: resumable, with heartbeats, and of limited length.

A stream of one match or tournament is handed over to a thread that writes many streams, if the server has one
(`Live`). Every other open stream occupies a thread of its own.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from prometheus_client import Gauge
from werkzeug.wrappers import Response

from kontor_games.api.render import NO_STORE, encode, json_form
from kontor_games.api.server.hang_ups import HangUp
from kontor_games.api.server.hooks import LIVE
from kontor_games.domain.codec import Plain
from kontor_games.service.errors import NotFoundError, RecordDamagedError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import MatchSummary, Turn
from kontor_games.service.matches.event_answers import EventPage, MyEvent, RecordedEvent
from kontor_games.service.matches.player_feed import FeedPage, PlayerFeed
from kontor_games.service.people.tokens import Caller
from kontor_games.service.tournaments.answers import TournamentEventPage
from kontor_games.service.wakeups.feed import CallbackWaiter, Waiter

SSE = "text/event-stream"
ENDING = (RecordDamagedError, NotFoundError, UnavailableError)
"""Errors that end a stream after it has started; the client reconnects and then gets the problem."""
_BATCH = 500
_READ_ALL_S = 30.0
"""How often the stream of a player reads all their matches; only then are finished matches dropped from its
cursor."""
streams_open = Gauge("kontor_http_streams_open", "Streams that are open now.", multiprocess_mode="livesum")


@dataclass(frozen=True)
class Pace:
    """The timing of streams; a parameter of the app, so that tests can use shorter times."""

    longest_s: float = 300.0
    """After this time a stream ends, and the client reconnects."""
    heartbeat_s: float = 15.0
    """How often an idle stream sends a heartbeat."""
    retry_ms: int = 2000
    """How long an SSE client waits before it reconnects."""


@dataclass(frozen=True)
class Chunk:
    """The new items of a stream, and whether it has ended."""

    items: list[tuple[str, Plain]]
    """Each item with its event id, after which a client can resume."""
    mark: str
    """The event id after the last item."""
    over: Plain | None = None
    """The data of the last event (`end`) if the stream has ended."""
    shared: dict[str, Any] = field(default_factory=dict)
    """Cache of the encoded items by format, shared by all readers of the same items."""


Versions = dict[str, int] | None
"""The newest known versions of matches; None if the store must be read."""


@dataclass(frozen=True)
class Wait:
    """The parameters of a long poll or stream: the topic to wait for, the caller, and the time limit."""

    kontor: Kontor
    topic: str
    """The id of a match or tournament, or of a player for all their matches."""
    caller: Caller | None
    seconds: float
    hang_up: HangUp | None = None
    """Ends the wait when the client disconnects; None if the server does not watch its clients."""

    @contextmanager
    def begin(self, waiter: Waiter) -> Iterator[float]:
        """Register a waiter; yield the time on the monotonic clock at which the wait ends.

        The wait ends when the token expires, at the latest; revoking the token wakes the waiter.
        """
        caller, seconds = self.caller, self.seconds
        if caller is not None and caller.expires_at is not None:
            seconds = min(seconds, (caller.expires_at - self.kontor.clock()) / 1000)
        topics = [self.topic] if caller is None else [self.topic, caller.token]
        with self.kontor.feed.waiting_for(topics, waiter):
            if self.hang_up is not None:
                self.hang_up.on_gone(waiter.wake)
            yield time.monotonic() + seconds

    @property
    def allowed(self) -> bool:
        """Whether the client may continue to wait, and still does."""
        caller = self.caller
        if self.hang_up is not None and self.hang_up.is_gone:
            return False
        return not self.kontor.feed.closing and (caller is None or self.kontor.tokens.is_valid(caller))


def wait_for(wait: Wait, read: Callable[[Versions], bool]) -> None:
    """Wait until `read` returns True or time is up; raise UnauthorisedError if the token became invalid."""
    waiter = Waiter()
    with wait.begin(waiter) as until:
        while wait.allowed and not read(waiter.take_changes()) and (left := until - time.monotonic()) > 0:
            waiter.wait(left)
            waiter.clear()
    wait.kontor.tokens.require_valid(wait.caller)


def respond(
    wait: Wait,
    read: Callable[[Versions], Chunk],
    first: Chunk,
    media_type: str,
    pace: Pace,
    environ: dict[str, Any] | None = None,
) -> Response:
    """A streaming response of limited length.

    `first` is read before the response starts, so that its errors are answered with problems. With `environ`,
    a shared thread of the server may write the stream; this is only for facts that are read from memory.
    """
    form = _sse if media_type == SSE else _ndjson
    start = b"retry: %d\n\n" % pace.retry_ms if media_type == SSE else b""
    live = Live(wait, read, form, pace.heartbeat_s)
    live.over = first.over is not None
    if environ is not None:
        environ[LIVE] = live
    response = Response(_follow(live, start + form(first)), content_type=media_type)
    response.headers["Cache-Control"] = NO_STORE
    response.headers["X-Accel-Buffering"] = "no"
    streams_open.inc()
    response.call_on_close(streams_open.dec)
    return response


def _follow(live: "Live", first: bytes) -> Iterator[bytes]:
    """Yield the existing items, then new ones as they arrive, and heartbeats while there are none."""
    yield first
    changed = Event()
    live.begin(changed.set)
    try:
        while not live.over and (left := live.until - time.monotonic()) > 0:
            changed.clear()
            if data := live.take():
                yield data
            elif not live.over and not changed.wait(min(live.heartbeat_s, left)):
                yield live.heartbeat
    finally:
        live.close()


class Live:
    """A stream after its first piece: it returns the next bytes and never blocks."""

    def __init__(
        self,
        wait: Wait,
        read: Callable[[Versions], Chunk],
        form: Callable[[Chunk], bytes],
        heartbeat_s: float,
    ) -> None:
        """Nothing is registered before `begin`."""
        self._wait = wait
        self._read = read
        self._form = form
        self._ends = ExitStack()
        self.heartbeat_s = heartbeat_s
        self.heartbeat = form(Chunk([], ""))
        self.until = 0.0
        """When the stream ends at the latest, on the monotonic clock."""
        self.over = False

    def begin(self, on_change: Callable[[], None]) -> None:
        """Register for changes; `on_change` is called from any thread when there may be something to send."""
        self._waiter = CallbackWaiter(on_change)
        self.until = self._ends.enter_context(self._wait.begin(self._waiter))

    def take(self) -> bytes:
        """Return the bytes to send, if any; set `over` when the stream must end."""
        if not self._wait.allowed:
            self.over = True
            return b""
        try:
            chunk = self._read(self._waiter.take_changes())
        except ENDING:
            self.over = True  # the client reconnects and gets the problem
            return b""
        self.over = chunk.over is not None
        return self._form(chunk) if chunk.items or self.over else b""

    def close(self) -> None:
        self._ends.close()


def _sse(chunk: Chunk) -> bytes:
    if not chunk.items and chunk.over is None:
        return b": still here\n\n"
    if "sse" not in chunk.shared:
        chunk.shared["sse"] = b"".join(_sse_event(mark, item) for mark, item in chunk.items)
    encoded: bytes = chunk.shared["sse"]
    if chunk.over is not None:
        encoded += b"event: end\nid: %s\ndata: %s\n\n" % (chunk.mark.encode(), encode(chunk.over))
    return encoded


def _sse_event(mark: str, item: Plain) -> bytes:
    if isinstance(item, dict):
        [(kind, content)] = item.items()
        data = encode(content if kind == "turn" else item)
    else:
        kind, data = "fact", encode(item)
    return b"event: %s\nid: %s\ndata: %s\n\n" % (kind.encode(), mark.encode(), data)


def _ndjson(chunk: Chunk) -> bytes:
    if "ndjson" not in chunk.shared:
        chunk.shared["ndjson"] = b"".join(encode(item) + b"\n" for _, item in chunk.items) or b"\n"
    encoded: bytes = chunk.shared["ndjson"]
    return encoded


# --- readers of facts ---------------------------------------------------------------------------------------


@dataclass
class Turns:
    """Reads the positions in which it is the player's turn, each once."""

    kontor: Kontor
    caller: Caller | None
    language: str | None = None
    _sent: dict[str, int] = field(default_factory=dict)

    def of(self, match_id: str, version: int) -> list[Plain]:
        """The player's turn at `version`, up to which the stream has sent all facts; empty if sent before."""
        if self.caller is None or self._sent.get(match_id, 0) >= version:
            return []
        at = self.kontor.queries.turn(self.caller, match_id, version, self.language)
        if at is None:
            return []
        self._sent[match_id] = version
        return [{"turn": json_form(Turn(match_id, at))}]


@dataclass
class FactReader(ABC):
    """Reads the facts of one match or tournament after a version."""

    kontor: Kontor
    id: str
    after: int
    """The version that the client already has."""

    @abstractmethod
    def page(self, limit: int, versions: Versions = None) -> EventPage | TournamentEventPage:
        """Read one page without advancing."""

    def __call__(self, versions: Versions) -> Chunk:
        """Return the facts after the cursor and advance the cursor."""
        found = self.page(_BATCH, versions)
        items = found.rendered.get("items")
        if items is None:
            items = found.rendered["items"] = [(str(one.version), one) for one in found.events]
        self.after = max(self.after, found.events[-1].version if found.events else 0)
        shared = found.rendered
        if turns := self._turns_at(found.version):
            items, shared = items + turns, {}  # a turn is for this reader only
        ended = found.over and self.after >= found.version
        over = {"status": found.status, "version": found.version} if ended else None
        return Chunk(items, str(self.after), over, shared)

    def _turns_at(self, version: int) -> list[tuple[str, Plain]]:
        """The turns to send once all facts up to this version have been sent."""
        return []


@dataclass
class MatchFactReader(FactReader):
    """Reads the facts of one match, and the caller's turns if requested."""

    caller: Caller | None
    language: str | None = None
    turns: Turns | None = None

    def page(self, limit: int, versions: Versions = None) -> EventPage:
        at_least = None if versions is None else versions.get(self.id, 0)
        return self.kontor.queries.events(self.caller, self.id, self.after, limit, at_least, self.language)

    def records(self, last: int) -> list[Plain]:
        """Return the records of the facts that follow, up to a version."""
        return self.kontor.exports.records(self.caller, self.id, self.after, last)

    def _turns_at(self, version: int) -> list[tuple[str, Plain]]:
        if not self.turns or self.after != version:
            return []
        return [(str(version), turn) for turn in self.turns.of(self.id, version)]


class TournamentFactReader(FactReader):
    """Reads the facts of one tournament."""

    def page(self, limit: int, versions: Versions = None) -> TournamentEventPage:
        at_least = None if versions is None else versions.get(self.id, self.after)
        return self.kontor.tournaments.events(self.id, self.after, limit, at_least)


class PlayerFactReader:
    """Reads the facts of all matches of a player after a cursor, and their turns if requested."""

    def __init__(
        self,
        kontor: Kontor,
        caller: Caller,
        cursor: str | None,
        language: str | None = None,
        turns: Turns | None = None,
    ) -> None:
        """Without a cursor, it starts with a list of the current matches and returns only new facts."""
        self._kontor = kontor
        self._caller = caller
        self._turns = turns
        self._turns_due = turns is not None
        """Whether turns in matches without new facts must still be sent, once per connection."""
        self._feed = PlayerFeed(kontor.queries, kontor.database, kontor.clock, caller, language)
        self._starts_now = cursor is None
        self._more = False
        self._read_all_at = 0.0
        self.cursor = cursor or self._feed.begin()

    def matches(self) -> tuple[MatchSummary, ...]:
        """The player's matches that are not over."""
        return self._kontor.queries.current(self._caller)

    def __call__(self, versions: Versions) -> Chunk:
        """Return the facts after the cursor and advance the cursor."""
        first_items: list[tuple[str, Plain]] = (
            [(self.cursor, {"matches": json_form(self.matches())})] if self._starts_now else []
        )
        self._starts_now = False
        current = self._kontor.queries.current_versions(self._caller) if self._turns_due else {}
        page = self._read_feed(versions)
        items = list(self._marked(page))
        if items:
            items[-1] = (page.cursor, items[-1][1])
        self.cursor = page.cursor
        turns = [(self.cursor, turn) for turn in self._new_turns(page, current)]
        return Chunk([*first_items, *items, *turns], self.cursor)

    def _marked(self, page: FeedPage) -> Iterator[tuple[str, Plain]]:
        """Yield each new fact with the cursor after it."""
        cursors = self._feed.cursors
        cursor = cursors.read(self.cursor)
        for found in page.events:
            for one in found.events:
                cursor.versions[found.match] = one.version
                yield cursors.write(cursor), _mine(one, found.match)

    def _new_turns(self, page: FeedPage, current: dict[str, int]) -> Iterator[Plain]:
        """Yield the turns in matches whose facts have all been sent.

        `current` has the versions of the matches before `page` was read: in a match that is not on the page,
        all facts up to that version have been sent.
        """
        if self._turns is None:
            return
        versions = {} if self._more else dict(current)
        self._turns_due = self._turns_due and self._more
        versions |= {found.match: found.version for found in page.events}
        sent = {found.match: found.events[-1].version for found in page.events}
        for match, version in versions.items():
            if sent.get(match, version) == version:
                yield from self._turns.of(match, version)

    def _read_feed(self, versions: Versions) -> FeedPage:
        """Read the matches that have changed; all of them if the last batch was full or after _READ_ALL_S."""
        now = time.monotonic()
        if versions is None or self._more or now > self._read_all_at + _READ_ALL_S:
            self._read_all_at = now
            page = self._feed.read(self.cursor, _BATCH)
        else:
            page = self._feed.read_changed(self.cursor, _BATCH, versions)
        self._more = sum(len(found.events) for found in page.events) >= _BATCH
        return page


def _mine(event: RecordedEvent, match: str) -> MyEvent:
    return MyEvent(event.version, event.at, event.by, event.fact, event.text, match=match)
