"""The class `Kontor`: its methods for games, lists of matches, and streams of facts and turns."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self, TypeGuard

from kontor_client.checks import Checks, SeekChecks
from kontor_client.connection import Connection, RefusedError, ServerEvent
from kontor_client.ladders import Ladders
from kontor_client.matches import Matches
from kontor_client.model import Event, Json, Match
from kontor_client.prefetch import Prefetched
from kontor_client.replay import Position, read_positions
from kontor_client.tournament_checks import TournamentChecks, TournamentWatch
from kontor_client.tournaments import Tournaments

_ENDS = ("match_finished", "match_aborted")
_TOO_LATE = ("stale_version", "time_is_up", "match_not_running", "seat_given_up")
"""Why a move is refused if the match has changed since the turn: the next turn, if any, will follow."""


class Kontor(Matches, Tournaments, Ladders):
    """A client of one service for one player. Not thread-safe: use each object in one thread only."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        token: str | None = None,
        *,
        connect_s: float = 3.0,
        timeout_s: float = 30.0,
        retry_s: float = 30.0,
        folder: str | Path | None = None,
        check_deals: bool = True,
    ) -> None:
        """Use the service at `url`. Without a token, call `sign_in` or `register` first.

        The first connection is tried for up to `connect_s`. After that, a request is retried for up to
        `retry_s` if the connection is lost, if nothing is received for `timeout_s`, or if the service is busy
        (429, 502, 503, 504); streams are resumed in the same way. If all retries fail, KontorError is raised,
        or its subclass UnreachableError if there was no response.

        Everything that the service signs is stored in `folder` (default: ~/.local/state/kontor) and compared
        with each match when it is over. If they differ, UntrustedServiceError is raised. `check_deals=False`
        turns these checks off.
        """
        super().__init__(Connection(url, token, connect_s, timeout_s, retry_s), folder)
        self.last_answers, self._positions = {}, {}
        self.ended: dict[str, Match] = {}
        """The matches that were over when `my_turns` or `turn_batches` with `until` saw them last."""
        self._news: dict[str, list[str]] = {}
        self._checks = Checks(self.connection, self._folder, lambda: self._me().id, enabled=check_deals)
        self._entries = TournamentChecks(self.connection, self._folder, self._checks)
        self._seeks = SeekChecks(self.connection, self._folder, self._checks)
        self._watch = TournamentWatch(self._follow_in_thread)

    def __repr__(self) -> str:
        return f"Kontor({self.connection.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next call opens a new one."""
        self._watch.close()
        self.connection.close()

    def _follow_in_thread(self, tournament: str) -> None:
        """Follow a tournament with another object for the same account, since none is thread-safe."""
        token, url = self.connection.token, self.connection.url
        with Kontor(url, token, folder=self._folder, check_deals=self._checks.enabled) as follower:
            follower._player, follower._keys, follower._key = self._player, self._keys, self._key
            follower.follow_tournament(tournament)

    def _follow_entered(self) -> None:
        for evidence in self._entries.unchecked():
            self._watch.follow(evidence.tournament)

    def games(self) -> list[Json]:
        """Return the games that can be played, each with its numbers of players and its house bots."""
        return list(self.connection.get("/v1/games")["games"])

    def game(self, game: str) -> Json:
        """Return the rules, options, moves and facts of a game."""
        return dict(self.connection.get(f"/v1/games/{game}"))

    def data_set(self, game: str, name: str) -> Json:
        """Return a data set: its document, its format, and derived data (ids, neighbours, coordinates)."""
        return dict(self.connection.get(f"/v1/games/{game}/data-sets/{name}"))

    def picture(self, game: str, name: str) -> str:
        """Return the picture of a data set as SVG."""
        return self.connection.download(f"/v1/games/{game}/data-sets/{name}", "image/svg+xml").decode()

    def matches(self, **filters: Any) -> Generator[Json, None, None]:
        """Yield summaries of matches, newest first; filters: `game`, `status`, `player`, `tag` and others."""
        yield from self._pages("/v1/matches", "matches", **filters)

    def positions(
        self, match: str, first: int = 1, last: int | None = None, viewer: int | str | None = None
    ) -> Generator[Position, None, None]:
        """Yield the positions of a match after each command in a range of versions, both included.

        Once the match is over, `viewer` can be any seat, "spectator", or "arbiter", who sees everything.
        """
        start: int | None = first
        while start is not None:
            query = {"from": start, "to": last, "viewer": viewer}
            page = self.connection.get(f"/v1/matches/{match}/positions", **query)
            yield from read_positions(page["positions"])
            start = page["next"]

    def events(self, match: str, after: int = 0) -> Generator[Event, None, None]:
        """Yield the facts of a match after a version, then new ones as they happen, until it is over."""
        with closing(self._follow(f"/v1/matches/{match}/events", str(after), match)) as stream:
            yield from (event for event in stream if isinstance(event, Event))

    def my_events(self) -> Generator[Event, None, None]:
        """Yield the facts of all your matches from now on, over one connection."""
        with closing(self._follow("/v1/events")) as stream:
            yield from (event for event in stream if isinstance(event, Event))

    def _follow(
        self, path: str, last_id: str | None = None, match: str = ""
    ) -> Generator[Event | Match, None, None]:
        """Yield the facts of a stream and, if it was opened with `turns=true`, your turns."""
        with closing(self.connection.stream(path, last_id)) as stream:
            yield from (taken for sent in stream if (taken := self._to_item(sent, match)))

    def _to_item(self, event: ServerEvent, match: str = "") -> Event | Match | None:
        if event.kind == "turn":
            turn = self._record_position(event.data["match"], Match(event.data))
            turn.news = self._news.pop(turn.id, [])
            return turn
        return self._handle_fact(event.data, match) if event.kind == "fact" else None

    def _handle_fact(self, data: Json, match: str) -> Event:
        """Handle a fact: open your contribution if it is due, check the match if it is over."""
        event = Event(data.get("match", match), data["version"], data["at"], data["fact"], data.get("text"))
        answer = self.last_answers.get(event.match)
        if event.text and (answer is None or event.version > answer.version):
            self._news.setdefault(event.match, []).append(event.text)
        if event.fact["type"] == "contributions_due" and self._checks.evidence(event.match):
            self.match(event.match)
        elif event.fact["type"] in _ENDS:
            self._checks.check_finished(event.match)
        return event

    def turns(self, match: str, *, tell: str | None = None) -> Generator[Match, None, None]:
        """Yield the match each time it is your turn, until it is over.

        Turns are part of the stream of facts, so no further requests are needed between two moves; if you
        sign, the records of the new facts are read before each signature. With `tell`, a language, turns
        contain texts, and `news` has a sentence for each fact since your last move.
        """
        now = self.match(match, tell=tell)
        path = f"/v1/matches/{match}/events?turns=true" + _and_tell(tell)
        with closing(self._follow(path, str(now.version), match)) as stream:
            while not now.over:
                if now.your_turn:
                    yield now
                    now = self._after(now)
                if not now.your_turn and not now.over:
                    turns = (item for item in stream if _is_turn_after(item, now))
                    now = next(turns, None) or self.match(match, tell=tell)

    def _after(self, turn: Match) -> Match:
        """Return the match after the commands that the caller sent in a turn."""
        answer = self.last_answers.get(turn.id, turn)
        return answer if answer.version > turn.version and not answer.brief else self.match(turn.id)

    def run(
        self,
        choose: Callable[[Match], Json | Sequence[Json]],
        matches: Iterable[str] | None = None,
        *,
        take_seats: bool = False,
        tell: str | None = None,
    ) -> dict[str, Match]:
        """Play matches at the same time until all are over, and return them; `choose` returns a move.

        If somebody acts while `choose` computes, it is called again with the new position. Without `matches`,
        all your matches are played, endlessly. `take_seats` and `tell` work as in `my_turns`.
        """
        played = None if matches is None else list(matches)
        for turn in self.my_turns(take_seats=take_seats, until=played, tell=tell):
            try:
                self.play(turn.id, choose(turn), turn.version, tell=tell)
            except RefusedError as refusal:
                if refusal.code not in _TOO_LATE:
                    raise
        return {match: self.ended[match] for match in played or ()}

    def my_turns(
        self, *, take_seats: bool = False, until: Iterable[str] | None = None, tell: str | None = None
    ) -> Generator[Match, None, None]:
        """Yield a match whenever it is your turn in it, for all your matches, over one connection.

        It ends when the matches `until` are over, and `ended` has them; without `until`, it is endless. With
        `take_seats`, your seat is taken in every match to which you are invited, such as the matches of a
        tournament that you have entered. `tell` works as in `turns`.
        """
        self._follow_entered()
        cursor, left = self._begin(take_seats=take_seats, until=until)
        if left == set():
            return
        with closing(self._follow("/v1/events?turns=true" + _and_tell(tell), cursor)) as stream:
            for turn in stream:
                if isinstance(turn, Event):
                    self._take_seat_if_invited(turn, enabled=take_seats)
                    if self._is_last_end(turn, left):
                        return
                elif turn.your_turn and not self._is_stale(turn):
                    yield turn

    def _begin(self, *, take_seats: bool, until: Iterable[str] | None) -> tuple[str | None, set[str] | None]:
        """Return the cursor from which to follow all matches, and those of `until` that are not over."""
        cursor = None
        if take_seats:
            cursor = self._take_open_seats()
        elif until is not None:  # an end must not be missed between the requests and the stream
            cursor = self.connection.get("/v1/events")["next"]
        if until is None:
            return cursor, None
        found = {match: self.match(match) for match in until}
        self.ended |= {match: now for match, now in found.items() if now.over}
        return cursor, {match for match, now in found.items() if not now.over}

    def _is_last_end(self, event: Event, left: set[str] | None) -> bool:
        """Note the end of a match that is waited for; return whether it is the last one."""
        if left is None or event.fact["type"] not in _ENDS or event.match not in left:
            return False
        self.ended[event.match] = self.match(event.match)
        left.remove(event.match)
        return not left

    def _take_open_seats(self) -> str:
        """Take your seats in open matches; return a cursor of the events from before that."""
        cursor: str = self.connection.get("/v1/events")["next"]
        for match in self.matches(status="open", player=self._me().id):
            self._take_seat(match["id"])
        return cursor

    def _take_seat_if_invited(self, event: Event, *, enabled: bool) -> None:
        seats = event.fact["seats"] if enabled and event.fact["type"] == "match_created" else ()
        if any(seat.get("player") == self._me().id for seat in seats):
            self._take_seat(event.match)

    def _take_seat(self, match: str) -> None:
        with suppress(RefusedError):  # the match has started or is over, or you have a seat already
            self.join(match)

    def turn_batches(
        self, *, take_seats: bool = False, until: Iterable[str] | None = None
    ) -> Generator[list[Match], None, None]:
        """Yield lists of matches in which it is your turn, over one connection; answer with `play_many`.

        For bots that play hundreds of matches at the same time: turns that arrive while the bot computes are
        collected in the next list. `take_seats` and `until` work as in `my_turns`.
        """
        self._follow_entered()
        cursor, left = self._begin(take_seats=take_seats, until=until)
        if left == set():
            return
        ready: dict[str, Match] = {}
        with closing(Prefetched(self.connection.stream("/v1/events?turns=true", cursor))) as stream:
            while True:
                for turn in map(self._to_item, stream.take(wait=not ready)):
                    if isinstance(turn, Match) and turn.your_turn:
                        ready[turn.id] = turn
                    elif isinstance(turn, Event):
                        self._take_seat_if_invited(turn, enabled=take_seats)
                        if self._is_last_end(turn, left):
                            return
                turns, ready = [turn for turn in ready.values() if not self._is_stale(turn)], {}
                if turns:
                    yield turns
                    after = [self.last_answers[turn.id] for turn in turns if self._is_stale(turn)]
                    ready = {match.id: match for match in after if match.your_turn and not match.brief}

    def _is_stale(self, turn: Match) -> bool:
        answer = self.last_answers.get(turn.id)
        return answer is not None and answer.version > turn.version


def _and_tell(tell: str | None) -> str:
    return f"&tell={tell}" if tell else ""


def _is_turn_after(sent: Event | Match, now: Match) -> TypeGuard[Match]:
    """Return whether an item of a stream is your turn, at a later version than `now`."""
    return isinstance(sent, Match) and sent.your_turn and sent.version > now.version
