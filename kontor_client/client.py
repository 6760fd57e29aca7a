"""Everything that a player can do, as methods of `Kontor`."""

import hashlib
import os
import secrets
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from kontor_client.connection import Connection, KontorError, log
from kontor_client.model import Event, Json, Match, Player
from kontor_client.tokens import default_token_file, read_token, write_token


class Kontor:
    """A service, used by one player. Use an object from one thread only."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        token: str | None = None,
        *,
        connect_s: float = 3.0,
        timeout_s: float = 30.0,
        retry_s: float = 30.0,
    ) -> None:
        """Use the service at `url`, and a token if there is one already; else `sign_in` or `register` first.

        A service that has not been reached yet is tried for `connect_s`. After that, a request is sent again
        for up to `retry_s` if the connection is lost, if nothing arrives for `timeout_s`, or if the service
        is busy (429, 502, 503, 504); streams are resumed in the same way. If that fails, KontorError is
        raised, or its subclass UnreachableError if there was no answer.
        """
        self.connection = Connection(url, token, connect_s, timeout_s, retry_s)
        self.last_answers: dict[str, Match] = {}  # to your last command in each match, with its receipt
        self._sealed: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Kontor({self.connection.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        self.connection.close()

    def sign_in(self, name: str, *, bot: bool = True, token_file: str | Path | None = None) -> Player:
        """Use the account of earlier runs, or register one and keep its token for later runs.

        The token is taken from the environment variable KONTOR_TOKEN if that is set, else from a file that
        only you can read; without `token_file`, there is one for each service and name. If the service
        refuses the token in the file, a new account replaces it.
        """
        file = Path(token_file or default_token_file(self.connection.url, name))
        given = os.environ.get("KONTOR_TOKEN")
        self.connection.token = given or read_token(file)
        try:
            if self.connection.token:
                return self.me()
        except KontorError as error:
            if error.status != 401:
                raise
            if given:
                raise KontorError(
                    error.problem | {"detail": "The service refuses the token in KONTOR_TOKEN."}
                ) from error
            log.warning("The service refuses the token in %s; registering a new account.", file)
            self.connection.token = None
        player = self.register(name, bot=bot)
        write_token(file, player.token)
        return player

    def register(self, name: str, *, bot: bool = True) -> Player:
        """Create an account and use it from now on. Its token is shown only here."""
        data = self.connection.command("POST", "/v1/players", {"name": name, "bot": bot})
        self.connection.token = data["token"]
        return Player(data["id"], data["name"], data["bot"], data["token"])

    def me(self) -> Player:
        """Return the account that this object uses."""
        data = self.connection.get("/v1/me")
        return Player(data["id"], data["name"], data["bot"], self.connection.token or "")

    def games(self) -> list[Json]:
        """Return the games that can be played, each with its numbers of players and its house bots."""
        return list(self.connection.get("/v1/games")["games"])

    def game(self, game: str) -> Json:
        """Return the rules, options, moves and facts of a game."""
        return dict(self.connection.get(f"/v1/games/{game}"))

    def create_match(
        self, game: str, seats: list[Json], contribution: str | None = None, **more: Any
    ) -> Match:
        """Create a match; your seat is `{"type": "me"}`, `more` can be options, clock, sealed and so on."""
        value = _sha256(contribution) if contribution else secrets.token_hex(32)
        body = {"game": game, "seats": seats, "contribution": _sha256(value), **more}
        return self._seated(self.connection.command("POST", "/v1/matches", body), value)

    def matches(self, **filters: Any) -> Generator[Json, None, None]:
        """Yield summaries of matches, newest first; filters are `game`, `status`, `player` and others."""
        cursor: str | None = ""
        while cursor is not None:
            page = self.connection.get("/v1/matches", cursor=cursor or None, **filters)
            yield from page["matches"]
            cursor = page["next"]

    def join(self, match: str, seat: int | None = None, *, contribution: str | None = None) -> Match:
        """Take a seat, with a contribution to the seed, so that nobody else decides the deal alone.

        It is made from your text by SHA-256, or drawn at random; your text itself is never sent. Where contributions
        are sealed, this object opens yours when it is due. To open it after a restart, pass your own text, keep it,
        and send its SHA-256 with `open_contribution`.
        """
        value = _sha256(contribution) if contribution else secrets.token_hex(32)
        body = {"contribution": _sha256(value)} | ({} if seat is None else {"seat": seat})
        return self._seated(self.connection.command("POST", f"/v1/matches/{match}/seats", body), value)

    def _seated(self, data: Json, value: str) -> Match:
        match = self._answered(data)
        if match.you is not None and data["chance"]["sealed"]:
            self._sealed[match.id] = value
        return self._open_if_due(match)

    def _open_if_due(self, match: Match) -> Match:
        """Open your sealed contribution if it is due, and return the match after that."""
        if match.data["chance"]["due"] is None or match.id not in self._sealed:
            return match
        opened = self.open_contribution(match.id, self._sealed[match.id])
        del self._sealed[match.id]
        return opened

    def open_contribution(self, match: str, value: str) -> Match:
        """Reveal the contribution that you sealed; the match starts when all are revealed."""
        return self._command(match, "contribution", {"value": value})

    def leave(self, match: str) -> Match:
        """Leave your seat before the match starts."""
        return self._answered(self.connection.command("DELETE", f"/v1/matches/{match}/seats/me"))

    def start(self, match: str) -> Match:
        """Start a match that you created with `autostart=False`, once all seats are taken."""
        return self._open_if_due(self._command(match, "start"))

    def match(self, match: str, version: int | None = None) -> Match:
        """Return a match as you may see it, now or at a version. Opens your contribution if it is due."""
        seen = Match(self.connection.get(f"/v1/matches/{match}", version=version))
        return seen if version is not None else self._open_if_due(seen)

    def play(self, match: str, move: Json | Sequence[Json], version: int | None = None) -> Match:
        """Make a move, or several as one; with a version, only if the match is still at it."""
        return self._command(
            match, "moves", move if isinstance(move, dict) else {"moves": list(move)}, version
        )

    def resign(self, match: str) -> Match:
        """Resign."""
        return self._command(match, "resignation")

    def abort(self, match: str) -> Match:
        """End the match without a result, or agree to end it so."""
        return self._command(match, "abort")

    def _command(self, match: str, what: str, body: Json | None = None, version: int | None = None) -> Match:
        return self._answered(
            self.connection.command("POST", f"/v1/matches/{match}/{what}", body or {}, version)
        )

    def _answered(self, data: Json) -> Match:
        match = self.last_answers[data["id"]] = Match(data)
        return match

    def events(self, match: str, after: int = 0) -> Generator[Event, None, None]:
        """Yield the facts of a match after a version, as they happen, until it ends."""
        return self._facts(f"/v1/matches/{match}/events", str(after), match)

    def my_events(self) -> Generator[Event, None, None]:
        """Yield the facts of all your matches from now on, over one connection."""
        return self._facts("/v1/events")

    def _facts(self, path: str, last_id: str | None = None, match: str = "") -> Generator[Event, None, None]:
        with closing(self.connection.stream(path, last_id)) as stream:
            for data in (sent.data for sent in stream if sent.kind == "fact"):
                event = Event(data.get("match", match), data["version"], data["at"], data["fact"])
                if event.fact["type"] == "contributions_due" and event.match in self._sealed:
                    self.match(event.match)
                yield event

    def turns(self, match: str) -> Generator[Match, None, None]:
        """Yield the match each time it is your turn, until it is over."""
        now = self.match(match)
        with closing(self.events(match, now.version)) as events:
            while not now.over:
                if now.your_turn:
                    yield now
                    answer = self.last_answers.get(match, now)
                    now = answer if answer.version > now.version else self.match(match)
                else:
                    next((event for event in events if event.version > now.version), None)
                    now = self.match(match)


def _sha256(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()
