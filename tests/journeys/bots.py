"""Programs of other people that play while something else happens, and count what was acknowledged."""

import json
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from subprocess import Popen
from threading import Event

from kontor_client import Kontor, RefusedError
from tests.support.shell import Shell
from tests.support.waiting import wait_until

SEATS = [{"type": "me"}, *[{"type": "bot", "bot": "greedy"}] * 2]

THOUGHT_S = 0.1
"""The time between two moves of a bot, so that the machine has time for what the test is about."""


class RemoteBot:
    """A program with an account and a key of its own, which plays one match after another."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        self.name = name
        self.moves: dict[str, int] = {}
        """For each match the number of acknowledged moves."""
        self._client = Kontor(url, folder=folder, retry_s=120.0)

    def play_until(self, enough: Event, game: str) -> None:
        """Play against a house bot until `enough` is set and the last match is over."""
        with self._client as kontor:
            kontor.sign_in(self.name)
            while not enough.is_set():
                match = kontor.create_match(game, SEATS).id
                self.moves[match] = 0
                for turn in kontor.turns(match):
                    try:
                        kontor.play(match, random.choice(turn.legal_moves), turn.version)
                    except RefusedError:  # somebody has acted: the next turn has the new position
                        continue
                    self.moves[match] += 1
                    if enough.wait(THOUGHT_S):
                        break
                if not kontor.match(match).over:
                    kontor.resign(match)

    def recorded(self) -> dict[str, int]:
        """For each match the number of moves that its record has of this player."""
        with self._client as kontor:
            me = kontor.me().id
            return {
                match: moves_in(
                    kontor.connection.download(f"/v1/matches/{match}/export", "application/x-ndjson"), me
                )
                for match in self.moves
            }


class Entrant:
    """A program that has entered a tournament and plays its matches until it is stopped."""

    def __init__(self, author: Shell, program: str, tournament: str) -> None:
        (author.folder / "cup_bot.py").write_text(program, encoding="utf-8")
        self._name, self._author = author.folder.name, author
        self._process = Popen(
            [sys.executable, "cup_bot.py", self._name, tournament], cwd=author.folder, env=author.environment
        )

    @cached_property
    def account(self) -> Kontor:
        """The account of the program, for its author."""
        folder = self._author.folder / ".local/state/kontor"
        wait_until(lambda: len([*folder.glob("*.token"), *folder.glob("*.key")]) == 2)
        account = Kontor(self._author.environment["KONTOR_URL"], folder=folder)
        account.sign_in(self._name)
        return account

    def close(self) -> None:
        """End the program, and close the connection of its author."""
        self._process.terminate()
        self._process.wait(60)
        self.account.close()


def moves_in(export: bytes, player: str) -> int:
    """The number of moves of a player in the export of a match."""
    lines = [json.loads(line) for line in export.splitlines()]
    return sum(
        len(line["command"]["moves"])
        for line in lines
        if line.get("by") == player and line.get("command", {}).get("type") == "play"
    )


@contextmanager
def playing(bots: list[RemoteBot]) -> Iterator[Callable[[], None]]:
    """Let bots play during the block; the result waits until each has made another five moves."""
    enough, games = Event(), ["europe", "speicherstadt"]
    with ThreadPoolExecutor(len(bots)) as threads:
        running: list[Future[None]] = [
            threads.submit(bot.play_until, enough, games[number % 2]) for number, bot in enumerate(bots)
        ]

        def go_on() -> None:
            before = [sum(bot.moves.values()) for bot in bots]
            wait_until(
                lambda: (
                    any(one.done() for one in running)
                    or all(sum(bot.moves.values()) >= had + 5 for bot, had in zip(bots, before, strict=True))
                )
            )
            for one in running:
                if one.done():
                    one.result()

        try:
            yield go_on
        finally:
            enough.set()
        for one in running:
            one.result()
