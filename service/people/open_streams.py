"""Limits the open streams, long polls and exports by address and player: each of them holds a thread."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from threading import Lock

from kontor_games.service.errors import TooManyStreamsError
from kontor_games.service.people.limits import address_key
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings

_ANONYMOUS_SHARE = 0.75
"""The share of all streams that callers without a token can use; the rest is reserved for players."""

_PLAYER = "player "


class OpenStreams:
    """The open streams of this process, counted by address and by player: a player can have many tokens."""

    def __init__(self, settings: Settings) -> None:
        self._per_address = settings.streams_per_address
        self._per_player = settings.streams_per_player
        self._anonymous_limit = int(settings.streams * _ANONYMOUS_SHARE)
        self._lock = Lock()
        self._open: Counter[str] = Counter()
        self._count = 0

    def open(self, address: str, caller: Caller | None) -> Callable[[], None]:
        """Count a stream until the returned function is called; raise TooManyStreamsError beyond a limit."""
        keys = [(f"address {address_key(address)}", self._per_address, "your address")]
        if caller is not None:
            keys.append((f"{_PLAYER}{caller.player}", self._per_player, "you"))
        with self._lock:
            for key, limit, whose in keys:
                if self._open[key] >= limit:
                    raise TooManyStreamsError(f"{limit} streams of {whose} are open. Close one of them.")
            if caller is None and self._count >= self._anonymous_limit:
                raise TooManyStreamsError(
                    "Too many streams without a token are open. Send a token, or try again later."
                )
            self._count += 1
            self._open.update(key for key, _, _ in keys)
        ending = ExitStack()  # closing it again does nothing
        ending.callback(self._close, [key for key, _, _ in keys])
        return ending.close

    def players(self) -> list[str]:
        """The players with an open stream."""
        with self._lock:
            return [key.removeprefix(_PLAYER) for key in self._open if key.startswith(_PLAYER)]

    def _close(self, keys: list[str]) -> None:
        with self._lock:
            self._count -= 1
            for key in keys:
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]
