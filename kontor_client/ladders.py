"""Players, ratings and seeks."""

from collections.abc import Generator
from typing import Any

from kontor_client.checks import Checks, SeekChecks
from kontor_client.connection import Connection
from kontor_client.model import Json


class Ladders:
    """The methods of `Kontor` for players, ladders and seeks."""

    connection: Connection
    _checks: Checks
    _seeks: SeekChecks

    def ratings(self, game: str, kind: str = "people") -> Generator[Json, None, None]:
        """Yield the ladder of a game, the strongest first; `kind` is `people` or `programs`."""
        yield from self._pages("/v1/ratings", "ratings", game=game, kind=kind)

    def players(
        self, q: str | None = None, *, online: bool = False, bot: bool | None = None
    ) -> Generator[Json, None, None]:
        """Yield players by name: all, those whose names begin with `q`, or those who are online now."""
        yield from self._pages("/v1/players", "players", q=q, online=online, bot=bot)

    def player(self, player: str) -> Json:
        """Return a player with their ratings and rating history."""
        return dict(self.connection.get(f"/v1/players/{player}"))

    def seek(self, game: str, seats: int, **more: Any) -> Json:
        """Look for a match; `more` can be `rated`, `opponents`, `clock`, `options` and `lifetime_ms`.

        When opponents are found, you are invited to a match, which appears in the stream of all your matches.
        `join` takes your seat there only if it has the terms that you sought.
        """
        body = {"game": game, "seats": seats, **more}
        seek = dict(self.connection.command("POST", "/v1/seeks", body))
        self._seeks.keep(seek["id"], body)
        return seek

    def seeks(self, game: str | None = None, *, mine: bool = False) -> list[Json]:
        """Return the open seeks, or your own with their outcome."""
        return list(self.connection.get("/v1/seeks", game=game, mine=mine)["seeks"])

    def cancel_seek(self, seek: str) -> Json:
        """Cancel a seek that is still waiting, and return it."""
        return dict(self.connection.command("DELETE", f"/v1/seeks/{seek}"))

    def create_matches(self, matches: list[Json]) -> list[Json]:
        """Create many matches; each answer has `status`, and the match as `answer` or the `problem`."""
        answers = list(self.connection.command("POST", "/v1/match-batches", {"matches": matches})["answers"])
        for requested, made in zip(matches, answers, strict=True):
            if made["status"] == 201:
                self._checks.check_created(made["answer"], requested)
        return answers

    def _pages(self, path: str, name: str, **query: Any) -> Generator[Json, None, None]:
        cursor: str | None = ""
        while cursor is not None:
            page = self.connection.get(path, cursor=cursor or None, **query)
            yield from page[name]
            cursor = page["next"]
