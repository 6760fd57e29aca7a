"""Players, ratings and seeks."""

from collections.abc import Generator
from typing import Any

from kontor_client.connection import Connection
from kontor_client.model import Json


class Ladders:
    """What `Kontor` tells about other players."""

    connection: Connection

    def ratings(self, game: str, kind: str = "people") -> Generator[Json, None, None]:
        """Yield the ladder of a game, the strongest first; `kind` is `people` or `programs`."""
        yield from self._pages("/v1/ratings", "ratings", game=game, kind=kind)

    def players(
        self, q: str | None = None, *, online: bool = False, bot: bool | None = None
    ) -> Generator[Json, None, None]:
        """Yield players by name: all, those whose names begin with `q`, those who are there now."""
        yield from self._pages("/v1/players", "players", q=q, online=online, bot=bot)

    def player(self, player: str) -> Json:
        """Return a player with their ratings and the history of these."""
        return dict(self.connection.get(f"/v1/players/{player}"))

    def _pages(self, path: str, name: str, **query: Any) -> Generator[Json, None, None]:
        cursor: str | None = ""
        while cursor is not None:
            page = self.connection.get(path, cursor=cursor or None, **query)
            yield from page[name]
            cursor = page["next"]
