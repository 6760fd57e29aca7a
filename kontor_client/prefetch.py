"""Reads a stream in a separate thread, so that all received events can be taken together."""

from collections.abc import Generator
from queue import Empty, SimpleQueue
from threading import Thread

from kontor_client.connection import KontorError, ServerEvent


class Prefetched:
    """A queue of the events of a stream that have been received."""

    def __init__(self, stream: Generator[ServerEvent, None, None]) -> None:
        self._queue: SimpleQueue[ServerEvent | KontorError | None] = SimpleQueue()
        self._closed = False
        Thread(target=self._read, args=(stream,), name="kontor-stream", daemon=True).start()

    def _read(self, stream: Generator[ServerEvent, None, None]) -> None:
        try:
            for event in stream:
                self._queue.put(event)
                if self._closed:
                    break
        except KontorError as error:
            self._queue.put(error)
        finally:
            stream.close()
            self._queue.put(None)

    def take(self, *, wait: bool) -> list[ServerEvent]:
        """Return the received events; with `wait`, at least one. Raises the error that ended the stream."""
        found: list[ServerEvent] = []
        while True:
            try:
                event = self._queue.get(block=wait and not found)
            except Empty:
                return found
            if isinstance(event, KontorError):
                raise event
            if event is None:
                raise KontorError({"status": 0, "code": "ended", "detail": "The stream has ended."})
            found.append(event)

    def close(self) -> None:
        """Stop reading after the next event."""
        self._closed = True
