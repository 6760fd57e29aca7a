"""A parser for Server-Sent Events (HTML standard), without the parts that Kontor does not use."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class ServerEvent(NamedTuple):
    """One event of a stream; to resume the stream after it, its id is sent as Last-Event-ID."""

    kind: str
    id: str
    data: Any


def read_events(lines: Iterable[bytes], last_id: str) -> Iterator[ServerEvent]:
    """Yield the complete events of a stream; an event counts only once its empty line has arrived."""
    kind, event_id, data = "message", last_id, list[str]()
    for raw in lines:
        if not raw.endswith(b"\n"):
            return
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "id":
            event_id = value
        elif name == "data":
            data.append(value)
        elif not line:
            if data:
                yield ServerEvent(kind, event_id, json.loads("\n".join(data)))
            kind, data = "message", []
