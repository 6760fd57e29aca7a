"""Everything a player does, as methods."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from kontor_client.http import Connection, KontorError, RefusedError, UnreachableError
from kontor_client.model import Data, Event, Match, Player

__all__ = ["Kontor", "KontorError", "RefusedError", "UnreachableError"]


class Kontor:
    """A service, as one player."""

    def __init__(self, url: str = "http://127.0.0.1:8000", token: str | None = None, **behaviour: float) -> None:
        """`patience_s` and `timeout_s` say how long to try and to wait."""
        self.connection = Connection(url, token, **behaviour)

    def register(self, name: str, *, bot: bool = True) -> Player:
        """A new account, which this client uses from now on. Keep its token: it is shown once."""
        data = self.connection.post("/v1/players", {"name": name, "bot": bot})
        self.connection.token = data["token"]
        return Player(data["id"], data["name"], data["bot"], data["token"])

    def games(self) -> list[Data]:
        """The games that can be played."""
        games: list[Data] = self.connection.get("/v1/games")["games"]
        return games

    def game(self, game: str) -> Data:
        """Rules, options, moves and facts of a game."""
        found: Data = self.connection.get(f"/v1/games/{game}")
        return found

    def create_match(self, game: str, seats: Sequence[Data], **wishes: Any) -> Match:
        """Announces a match; `wishes` are options, clock and the like. A seat `{"type": "me"}` is yours."""
        wishes.setdefault("contribution", secrets.token_hex(16))
        return Match(self.connection.post("/v1/matches", {"game": game, "seats": list(seats), **wishes}))

    def matches(self, **filters: Any) -> Iterator[Data]:
        """Matches in short, newest first, page after page."""
        cursor: str | None = None
        while True:
            page = self.connection.get("/v1/matches", cursor=cursor, **filters)
            yield from page["matches"]
            cursor = page["next"]
            if cursor is None:
                return

    def join(self, match: str, seat: int | None = None) -> Match:
        """Sits down, with a contribution to the seed, so that nobody else decides the deal alone."""
        wish = {"contribution": secrets.token_hex(16)} | ({} if seat is None else {"seat": seat})
        return Match(self.connection.post(f"/v1/matches/{match}/seats", wish))

    def match(self, match: str, version: int | None = None) -> Match:
        """A match as you may see it, now or then."""
        return Match(self.connection.get(f"/v1/matches/{match}", version=version))

    def play(self, match: str, move: Data | Sequence[Data], version: int | None = None) -> Match:
        """A move, or several as one; with the version you decided on, a move that comes too late is refused."""
        body: Any = move if isinstance(move, dict) else {"moves": list(move)}
        return Match(self.connection.post(f"/v1/matches/{match}/moves", body, version=version))

    def resign(self, match: str) -> Match:
        """Gives up."""
        return Match(self.connection.post(f"/v1/matches/{match}/resignation"))

    def events(self, match: str, after: int = 0) -> Iterator[Event]:
        """The facts of a match as they happen, from a version on until its end; a dropped connection misses nothing."""
        for kind, _, data in self.connection.stream(f"/v1/matches/{match}/events", str(after)):
            if kind == "fact":
                yield Event(match, data["version"], data["at"], data["fact"])

    def my_events(self) -> Iterator[Event]:
        """The facts of all your matches in one stream, from now on."""
        for kind, _, data in self.connection.stream("/v1/events"):
            if kind == "fact":
                yield Event(data["match"], data["version"], data["at"], data["fact"])

    def turns(self, match: str) -> Iterator[Match]:
        """The match each time it waits for you, until it is over."""
        now = self.match(match)
        while not now.over:
            if now.your_turn:
                yield now
            else:
                self.connection.get(f"/v1/matches/{match}/events", after=now.version, wait=20)
            now = self.match(match)
