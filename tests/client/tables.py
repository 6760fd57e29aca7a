"""Matches for the tests of the client."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from kontor_client import Kontor, Match, RefusedError
from kontor_client.checks import Checks
from kontor_client.connection import Connection
from kontor_games.domain.games import installed_games

GAMES = list(installed_games())
ME, OPEN, HOUSE = {"type": "me"}, {"type": "open"}, {"type": "bot", "bot": "random"}


def fewest_seats(game: str) -> int:
    """Return the smallest number of seats of a game."""
    return min(installed_games()[game].rules().seat_counts)


def create_bot_match(player: Kontor, game: str = GAMES[0], **settings: Any) -> Match:
    """Create a match against house bots; it starts at once."""
    return player.create_match(game, [ME, *[HOUSE] * (fewest_seats(game) - 1)], **settings)


def create_open_match(player: Kontor, game: str = GAMES[0], **settings: Any) -> Match:
    """Create a match that waits for a second player: seat 1 is open."""
    return player.create_match(game, [ME, OPEN, *[HOUSE] * (fewest_seats(game) - 2)], **settings)


def at_once(
    monkeypatch: pytest.MonkeyPatch, programs: list[Kontor], last: str, command: Callable[[Kontor], object]
) -> list[Any]:
    """Give the same command in several programs, which go on together after they have read what is stored.

    If something makes them wait for each other, they go on one by one. Return the bodies of the requests to
    the path that ends with `last`, of which only one is not refused.
    """
    sent, together, refused = list[Any](), Barrier(len(programs)), list[RefusedError]()
    check, send = Checks.check_commitment, Connection.command

    def slow(checks: Checks, *about: Any) -> None:
        with suppress(BrokenBarrierError):
            together.wait(1)
        check(checks, *about)

    def noted(connection: Connection, method: str, path: str, body: Any, *rest: Any) -> Any:
        if path.endswith(f"/{last}"):
            sent.append(body)
        return send(connection, method, path, body, *rest)

    def give(program: Kontor) -> None:
        try:
            command(program)
        except RefusedError as error:
            refused.append(error)

    monkeypatch.setattr(Checks, "check_commitment", slow)
    monkeypatch.setattr(Connection, "command", noted)
    with ThreadPoolExecutor(len(programs)) as threads:
        list(threads.map(give, programs))
    assert len(refused) == len(programs) - 1
    return sent
