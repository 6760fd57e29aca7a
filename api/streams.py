"""Logs as streams: Server-Sent Events and NDJSON, resumable, with heartbeats, and of bounded length so that clients reconnect.

Each open stream holds a thread, so a stream does nothing but wait, look and write.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flask import Response

from kontor_games.api.render import UNSTORED, encode, event, lines, summary
from kontor_games.api.telemetry import count_stream
from kontor_games.domain.codec import Plain
from kontor_games.service.errors import NotFoundError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Events
from kontor_games.service.matches.player_feed import Following, Marks, News
from kontor_games.service.people.tokens import Caller
from kontor_games.service.wakeups.feed import Waiter

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
_BATCH = 500
_LOOK_AROUND_S = 30.0
"""How often a stream of all my matches looks at all of them: only then those that are over leave its cursor."""


@dataclass(frozen=True)
class Pace:
    """How streams behave in time; an argument of the app, since tests can't wait."""

    longest_s: float = 300.0
    """After which a stream ends and its client comes back."""
    heartbeat_s: float = 15.0
    """How often an idle stream says that it is still there."""
    retry_ms: int = 2000
    """How long an SSE client waits before it comes back."""


@dataclass(frozen=True)
class Chunk:
    """What a look at the log found: items to write, and whether nothing more will ever come."""

    items: list[tuple[str, Plain]]
    """Each with the id by which a client resumes after it."""
    mark: str
    """The id after all of them."""
    over: Plain | None = None


Versions = dict[str, int] | None
"""The versions to which matches are known to have come; None when only the store can say."""


def wait_for(kontor: Kontor, topic: str, look: Callable[[Versions], bool], seconds: float) -> None:
    """Waits until a look finds something, or the time is over."""
    until = time.monotonic() + seconds
    with kontor.feed.waiting_for([topic]) as waiter:
        while (
            not look(waiter.take_changes())
            and (left := until - time.monotonic()) > 0
            and not kontor.feed.closing
        ):
            _pause(waiter, left)


def respond(
    kontor: Kontor, topic: str, look: Callable[[Versions], Chunk], media_type: str, seconds: float, pace: Pace
) -> Response:
    """An endless answer, but for its bound; the first look happens before anything is sent, so that it can still fail properly."""
    first = look(None)
    chunks = _follow(kontor, topic, first, look, seconds, pace)
    body = _sse(chunks, pace) if media_type == SSE else _ndjson(chunks)
    response = Response(body, content_type=media_type)
    response.headers["Cache-Control"] = UNSTORED
    response.headers["X-Accel-Buffering"] = "no"
    return count_stream(response)


def _follow(
    kontor: Kontor, topic: str, first: Chunk, look: Callable[[Versions], Chunk], seconds: float, pace: Pace
) -> Iterator[Chunk]:
    """Looks again whenever something changed; an empty chunk is a heartbeat."""
    until = time.monotonic() + seconds
    with kontor.feed.waiting_for([topic]) as waiter:
        yield first
        chunk = first
        while chunk.over is None and time.monotonic() < until and not kontor.feed.closing:
            try:
                chunk = look(waiter.take_changes())
            except (NotFoundError, UnavailableError):
                return  # the client comes back and is told why
            news = bool(chunk.items) or chunk.over is not None
            if news or not _pause(waiter, min(pace.heartbeat_s, until - time.monotonic())):
                yield chunk


def _pause(waiter: Waiter, seconds: float) -> bool:
    """Whether something changed within the time."""
    changed = waiter.wait(max(0.0, seconds))
    waiter.clear()
    return changed


def _sse(chunks: Iterator[Chunk], pace: Pace) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % pace.retry_ms
    for chunk in chunks:
        for mark, item in chunk.items:
            kind = "fact" if "fact" in item else "matches"
            yield b"event: %s\nid: %s\ndata: %s\n\n" % (kind.encode(), mark.encode(), encode(item))
        if chunk.over is not None:
            yield b"event: end\nid: %s\ndata: %s\n\n" % (chunk.mark.encode(), encode(chunk.over))
        elif not chunk.items:
            yield b": still here\n\n"


def _ndjson(chunks: Iterator[Chunk]) -> Iterator[bytes]:
    for chunk in chunks:
        yield lines(item for _, item in chunk.items) or b"\n"


# --- what is looked at -----------------------------------------------------------------------------------------------------


class MatchLook:
    """The log of one match beyond a version."""

    def __init__(self, kontor: Kontor, caller: Caller | None, match_id: str, after: int) -> None:
        """Looks from the version on that the client knows."""
        self._kontor = kontor
        self._caller = caller
        self._match_id = match_id
        self.after = after

    def page(self, limit: int, versions: Versions = None) -> Events:
        """One page; does not move on."""
        at_least = None if versions is None else versions.get(self._match_id, 0)
        return self._kontor.queries.events(self._caller, self._match_id, self.after, limit, at_least)

    def __call__(self, versions: Versions) -> Chunk:
        """What is new; the next look is behind it."""
        found = self.page(_BATCH, versions)
        items = [(str(one.version), event(one)) for one in found.events]
        self.after = max(self.after, found.events[-1].version if found.events else 0)
        ended = found.over and self.after >= found.version
        over = {"status": found.status, "version": found.version} if ended else None
        return Chunk(items, str(self.after), over)


class MyLook:
    """The log of all matches of a player beyond a cursor."""

    def __init__(self, kontor: Kontor, caller: Caller, cursor: str | None) -> None:
        """Without a cursor from now on, after a list of the matches there are."""
        self._kontor = kontor
        self._caller = caller
        self._following = Following(kontor.queries, kontor.database, kontor.clock)
        self._greet = cursor is None
        self._more = False
        self._looked = 0.0
        self.cursor = cursor or self._following.begin(caller)

    def matches(self) -> list[Plain]:
        """The player's matches that are not over."""
        return [summary(one) for one in self._following.current(self._caller)]

    def __call__(self, versions: Versions) -> Chunk:
        """What is new; the next look is behind it."""
        greeting: list[tuple[str, Plain]] = (
            [(self.cursor, {"matches": self.matches()})] if self._greet else []
        )
        self._greet = False
        news = self._news(versions)
        marks = Marks.read(self.cursor)
        items = [item for found in news.events for item in _marked(found, marks)]
        if items:
            items[-1] = (news.cursor, items[-1][1])
        self.cursor = news.cursor
        return Chunk(greeting + items, self.cursor)

    def _news(self, versions: Versions) -> News:
        """Of the matches that are known to have changed, unless something was left over the last time or all are due."""
        now = time.monotonic()
        if versions is None or self._more or now > self._looked + _LOOK_AROUND_S:
            self._looked = now
            news = self._following.news(self._caller, self.cursor, _BATCH)
        else:
            news = self._following.news_of(self._caller, self.cursor, _BATCH, versions)
        self._more = sum(len(found.events) for found in news.events) >= _BATCH
        return news


def _marked(found: Events, marks: Marks) -> Iterator[tuple[str, Plain]]:
    """Each fact with the cursor that continues after it."""
    for one in found.events:
        marks.versions[found.match] = one.version
        yield marks.text, {"match": found.match, **event(one)}
