"""Everything a player does, as methods."""

import hashlib
import secrets
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from kontor_client.http import Connection
from kontor_client.model import Data, Event, Match, Player


class Kontor:
    """A service, as one player."""

    def __init__(self, url: str = "http://127.0.0.1:8000", token: str | None = None, *, patience_s: float = 30.0) -> None:
        """Without a token, `register` comes first. It goes on trying for `patience_s` when the service is away."""
        self.connection = Connection(url, token, patience_s=patience_s)
        self.last: dict[str, Match] = {}
        """The last answer to a command of yours in each match; its `receipt` is your evidence."""
        self._values: dict[str, str] = {}

    def close(self) -> None:
        """Lets the connection go; should you go on, another is opened."""
        self.connection.close()

    def register(self, name: str, *, bot: bool = True) -> Player:
        """A new account, which this client uses from now on. Keep its token: it is shown once."""
        data = self.connection.command("POST", "/v1/players", {"name": name, "bot": bot})
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

    def create_match(self, game: str, seats: Sequence[Data], *, contribution: str | None = None, **wishes: Any) -> Match:
        """Announces a match; `wishes` are options, clock, sealed and the like. A seat `{"type": "me"}` is yours."""
        value = contribution or secrets.token_hex(32)
        body = {"game": game, "seats": list(seats), "contribution": _sealed(value), **wishes}
        return self._seated(self.connection.command("POST", "/v1/matches", body), value)

    def matches(self, **filters: Any) -> Generator[Data, None, None]:
        """Matches in short, newest first, page after page; filters are `game`, `status` and `player`."""
        cursor: str | None = None
        while True:
            page = self.connection.get("/v1/matches", cursor=cursor, **filters)
            yield from page["matches"]
            cursor = page["next"]
            if cursor is None:
                return

    def join(self, match: str, seat: int | None = None, *, contribution: str | None = None) -> Match:
        """Sits down, with a contribution to the seed, so that nobody else decides the deal alone.

        What travels is the SHA-256 of your contribution, or of one drawn for you. Where contributions are sealed, this client opens
        yours as soon as it sees that it is due; one of your own can be opened after a restart too (`open_contribution`).
        """
        value = contribution or secrets.token_hex(32)
        wish = {"contribution": _sealed(value)} | ({} if seat is None else {"seat": seat})
        return self._seated(self.connection.command("POST", f"/v1/matches/{match}/seats", wish), value)

    def _seated(self, data: Data, value: str) -> Match:
        match = self._done(data)
        if match.you is not None and data["chance"]["sealed"]:
            self._values[match.id] = value
        return self._opened(match)

    def _opened(self, match: Match) -> Match:
        """The match after what was sealed has been opened, if now is the time."""
        if match.data["chance"]["due"] is None or match.id not in self._values:
            return match
        opened = self.open_contribution(match.id, self._values[match.id])
        del self._values[match.id]
        return opened

    def open_contribution(self, match: str, value: str) -> Match:
        """Opens what you sealed when you sat down; the last one to do so starts the match."""
        return self._command(match, "contribution", {"value": value})

    def leave(self, match: str) -> Match:
        """Stands up again, before the start."""
        return self._done(self.connection.command("DELETE", f"/v1/matches/{match}/seats/me"))

    def start(self, match: str) -> Match:
        """Starts a full match that you announced without `autostart`."""
        return self._opened(self._command(match, "start"))

    def match(self, match: str, version: int | None = None) -> Match:
        """A match as you may see it, now or then. If your sealed contribution is due now, it is opened."""
        seen = Match(self.connection.get(f"/v1/matches/{match}", version=version))
        return seen if version is not None else self._opened(seen)

    def play(self, match: str, move: Data | Sequence[Data], version: int | None = None) -> Match:
        """A move, or several as one; with the version you decided on, a move that comes too late is refused."""
        return self._command(match, "moves", move if isinstance(move, dict) else {"moves": list(move)}, version)

    def resign(self, match: str) -> Match:
        """Gives up."""
        return self._command(match, "resignation")

    def abort(self, match: str) -> Match:
        """Breaks the match off, or agrees to."""
        return self._command(match, "abort")

    def _command(self, match: str, what: str, body: Data | None = None, version: int | None = None) -> Match:
        return self._done(self.connection.command("POST", f"/v1/matches/{match}/{what}", body or {}, version))

    def _done(self, data: Data) -> Match:
        match = self.last[data["id"]] = Match(data)
        return match

    def events(self, match: str, after: int = 0) -> Generator[Event, None, None]:
        """The facts of a match as they happen, from a version on until its end; a dropped connection misses nothing."""
        return self._facts(f"/v1/matches/{match}/events", str(after), match)

    def my_events(self) -> Generator[Event, None, None]:
        """The facts of all your matches in one stream, from now on."""
        return self._facts("/v1/events")

    def _facts(self, path: str, last_id: str | None = None, match: str = "") -> Generator[Event, None, None]:
        with closing(self.connection.stream(path, last_id)) as stream:
            for said in stream:
                if said.kind == "fact":
                    event = Event(said.data.get("match", match), said.data["version"], said.data["at"], said.data["fact"])
                    if event.fact["type"] == "contributions_due" and event.match in self._values:
                        self.match(event.match)
                    yield event

    def turns(self, match: str) -> Generator[Match, None, None]:
        """The match each time it waits for you, until it is over."""
        now = self.match(match)
        with closing(self.events(match, now.version)) as events:
            while not now.over:
                if now.your_turn:
                    yield now
                    answer = self.last.get(match, now)
                    now = answer if answer.version > now.version else self.match(match)
                else:
                    next((event for event in events if event.version > now.version), None)
                    now = self.match(match)


def _sealed(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()
