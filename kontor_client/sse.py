"""Server-Sent Events as the HTML standard describes them, as far as a client of ours needs them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One event of a stream."""

    kind: str
    id: str
    """Comes back as Last-Event-ID when the stream is resumed."""
    data: Any


def read_events(lines: Iterable[bytes], last_id: str) -> Iterator[Said]:
    """The events of a stream; one that breaks off before its empty line has not been said."""
    kind, mark, data = "message", last_id, list[str]()
    for raw in lines:
        if not raw.endswith(b"\n"):
            return
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "id":
            mark = value
        elif name == "data":
            data.append(value)
        elif not line:
            if data:
                yield Said(kind, mark, json.loads("\n".join(data)))
            kind, data = "message", []
