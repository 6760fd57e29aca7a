"""The list of players: by the beginning of their names, and those who are online now."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from kontor_games.service.answer_fields import Inline
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.people.names import folded
from kontor_games.service.people.players import Player, Players
from kontor_games.service.people.presence import PRESENT_MS
from kontor_games.service.store.database import Database

_AFTER_ALL_DIGITS = "g"
"""Sorts after every hex digit."""


class ListedPlayer(Struct, frozen=True):
    """A player in a list."""

    player: Inline[Player]
    online: bool
    """Whether the player sent a request in the last five minutes or has an open stream."""


class PlayerPage(Struct, frozen=True):
    """One page of players, in the order of their names."""

    players: tuple[ListedPlayer, ...]
    """The players."""
    next: str | None
    """Cursor of the next page; null on the last page."""


class Directory:
    """Finds players by the beginning of their names, and says who is online."""

    def __init__(self, database: Database, players: Players, clock: Callable[[], int]) -> None:
        self._database = database
        self._players = players
        self._clock = clock

    def page(
        self, q: str | None, *, online: bool, bot: bool | None, cursor: str | None, limit: int
    ) -> PlayerPage:
        """Players whose names begin with a text, ignoring case; with `online`, only those who are online."""
        since = self._clock() - PRESENT_MS
        where, values = ["p.name IS NOT NULL"], list[Any]([since])
        for condition, given in _conditions(q, online=online, bot=bot, cursor=cursor):
            where.append(condition)
            values += given
        rows = self._database.read(
            "SELECT n.player, n.folded, s.seen_at FROM player_names n JOIN players p ON p.id = n.player"  # noqa: S608
            f" LEFT JOIN presence s ON s.player = n.player AND s.seen_at > ? WHERE {' AND '.join(where)}"
            " ORDER BY n.folded, n.player LIMIT ?",
            [*values, limit + 1],
        )
        shown = rows[:limit]
        known = self._players.get_many(row["player"] for row in shown)
        listed = tuple(
            ListedPlayer(known[row["player"]], row["seen_at"] is not None)
            for row in shown
            if row["player"] in known
        )
        last = shown[-1] if len(rows) > limit else None
        text = last and f"{last['player']}{last['folded']}"
        return PlayerPage(listed, write_cursor(text.encode()) if text else None)

    def is_online(self, player: str) -> bool:
        """Whether a player made a call in the last minutes or has an open stream."""
        query = "SELECT 1 AS found FROM presence WHERE player = ? AND seen_at > ?"
        return bool(self._database.read(query, (player, self._clock() - PRESENT_MS)))


def _conditions(
    q: str | None, *, online: bool, bot: bool | None, cursor: str | None
) -> Iterable[tuple[str, list[Any]]]:
    if q is not None:
        yield "n.folded >= ? AND n.folded < ?", [folded(q), folded(q) + _AFTER_ALL_DIGITS]
    if online:
        yield "s.seen_at IS NOT NULL", []
    if bot is not None:
        yield "p.bot = ?", [int(bot)]
    if cursor is not None:
        text = read_cursor(cursor, bytes.decode)
        yield "(n.folded, n.player) > (?, ?)", [text[36:], text[:36]]
