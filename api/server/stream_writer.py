"""One thread that writes many streams: a wake-up costs one memory lookup and one system call per stream.

A stream is handed over once its client has been sent everything that existed. After that, nothing here
blocks: if a client does not read, at most one piece is buffered for it, the next piece follows when that one
has been sent, and after SLOWEST_READER_S without progress the connection is closed.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Protocol

from kontor_games.api.server.connection import Connection

SLOWEST_READER_S = 20.0
"""How long a client may go without reading anything."""
_TICK_S = 1.0
"""How often streams are checked for timeouts and due heartbeats."""
_NOTHING = memoryview(b"")
_READ, _BOTH = selectors.EVENT_READ, selectors.EVENT_READ | selectors.EVENT_WRITE


class LiveStream(Protocol):
    """The interface of a stream of the application, which `api/streams.py` implements."""

    heartbeat: bytes
    heartbeat_s: float
    until: float
    over: bool

    def begin(self, on_change: Callable[[], None]) -> None: ...

    def take(self) -> bytes: ...

    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class HandedOver:
    """A stream, its connection, and the bytes that the client has not read yet.

    The response is chunked, and its head has been sent.
    """

    connection: Connection
    live: LiveStream
    close_response: Callable[[], None]
    must_close: bool
    """Whether the connection must be closed after the stream."""
    is_queued: bool = True
    """Whether it is in the queue. True before `add`: until then, the other thread sends changes."""
    is_ended: bool = False
    is_done: bool = False
    left: memoryview = _NOTHING
    moved_at: float = field(default_factory=time.monotonic)


class StreamWriter:
    """Writes all streams that were handed over, in one thread per process."""

    def __init__(self, give_back: Callable[[Connection], None]) -> None:
        """`give_back` is called with each connection after its stream; the first stream starts the thread."""
        self._give_back = give_back
        self._poller = selectors.DefaultSelector()
        self._streams: set[HandedOver] = set()
        self._queue: deque[HandedOver] = deque()
        self._waker, self._woken = socket.socketpair()
        self._waker.setblocking(False)
        self._woken.setblocking(False)
        self._poller.register(self._woken, _READ)
        self._is_woken = False
        self._lock = Lock()
        self._is_started = False

    def add(self, stream: HandedOver) -> None:
        """Take a stream over; its `live` must have begun with `changed` as its callback."""
        with self._lock:
            if not self._is_started:
                Thread(target=self._run, name="stream_writer", daemon=True).start()
                self._is_started = True
        stream.is_queued = False
        self.changed(stream)

    def changed(self, stream: HandedOver) -> None:
        """Queue a stream for sending; any thread can call this."""
        if stream.is_queued:
            return
        stream.is_queued = True
        self._queue.append(stream)
        if not self._is_woken:
            self._is_woken = True
            with suppress(BlockingIOError):
                self._waker.send(b"\0")

    def _run(self) -> None:
        tick_at = time.monotonic() + _TICK_S
        while True:
            for key, events in self._poller.select(max(0.0, tick_at - time.monotonic())):
                if key.fileobj is self._woken:
                    self._process_queue()
                elif key.data in self._streams:
                    self._handle_event(key.data, events)
            if time.monotonic() >= tick_at:
                self._tick()
                tick_at = time.monotonic() + _TICK_S

    def _process_queue(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(64)
        self._is_woken = False  # before the queue is read, so that later additions wake this thread again
        for _ in range(len(self._queue)):
            stream = self._queue.popleft()
            stream.is_queued = False  # before the stream is read, so that later changes queue it again
            if stream.is_done:
                continue
            if stream not in self._streams:
                self._streams.add(stream)
                self._poller.register(stream.connection.sock, _READ, stream)
            self._advance(stream)

    def _advance(self, stream: HandedOver) -> None:
        """Send the new bytes, unless previous ones are still unsent."""
        if stream.left or stream.is_ended:
            return
        if not stream.live.over and (data := stream.live.take()):
            self._send(stream, data)
            self.changed(stream)  # there may be more than one piece
        if stream.live.over:
            self._end(stream)

    def _end(self, stream: HandedOver) -> None:
        """Send the last bytes; `_flush` gives the connection back once they are sent."""
        stream.is_ended = True
        stream.left = memoryview(bytes(stream.left) + b"0\r\n\r\n")
        self._flush(stream)

    def _send(self, stream: HandedOver, data: bytes) -> None:
        """Send data as one HTTP chunk."""
        stream.left = memoryview(b"%X\r\n%b\r\n" % (len(data), data))
        self._flush(stream)

    def _flush(self, stream: HandedOver) -> None:
        if stream.is_done:
            return
        sock = stream.connection.sock
        try:
            sent = sock.send(stream.left) if stream.left else 0
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._drop(stream)
            return
        if sent:
            stream.left, stream.moved_at = stream.left[sent:], time.monotonic()
        if stream.left:
            self._poller.modify(sock, _BOTH, stream)
        elif stream.is_ended:
            self._leave(stream)
            stream.connection.send(b"", close=stream.must_close)
            self._give_back(stream.connection)

    def _handle_event(self, stream: HandedOver, events: int) -> None:
        """Handle a socket event; a client that disconnects, or sends anything before the end, is dropped."""
        if events & selectors.EVENT_READ and not self._has_sent_nothing(stream):
            self._drop(stream)
            return
        if events & selectors.EVENT_WRITE:
            self._flush(stream)
            if not stream.left and not stream.is_done:
                self._poller.modify(stream.connection.sock, _READ, stream)
                self._advance(stream)

    def _has_sent_nothing(self, stream: HandedOver) -> bool:
        try:
            stream.connection.sock.recv(4096)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            pass
        return False

    def _tick(self) -> None:
        now = time.monotonic()
        for stream in list(self._streams):
            if stream.left:
                if now > stream.moved_at + SLOWEST_READER_S:
                    self._drop(stream)
            elif now >= stream.live.until:
                self._end(stream)
            elif now >= stream.moved_at + stream.live.heartbeat_s:
                self._send(stream, stream.live.heartbeat)

    def _drop(self, stream: HandedOver) -> None:
        self._leave(stream)
        stream.connection.close()
        self._give_back(stream.connection)

    def _leave(self, stream: HandedOver) -> None:
        stream.is_done = True
        self._streams.discard(stream)
        with suppress(KeyError, ValueError):
            self._poller.unregister(stream.connection.sock)
        stream.live.close()
        stream.close_response()
