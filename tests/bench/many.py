"""Moves in many matches by `POST /v1/moves`: four players with the same matches, one connection each."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import uuid4

import msgspec

from kontor_games.domain.codec import Plain
from tests.bench.lanes import WrongAnswerError
from tests.bench.scripts import Stage
from tests.support.http_connection import HttpConnection, request

MOST = 200
"""Commands in one request."""


class _Status(msgspec.Struct):
    status: int
    problem: dict[str, Plain] | None


class _Answers(msgspec.Struct):
    answers: list[_Status]


_DECODER = msgspec.json.Decoder(_Answers)


class Board:
    """A place where one match is played after the other."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._steps = self._all(stages)
        self.seat, self.command = next(self._steps)

    @staticmethod
    def _all(stages: Sequence[Stage]) -> Iterator[tuple[int, dict[str, Plain]]]:
        for stage in stages:
            version = stage.version
            for (seat, move), after in zip(stage.script.moves, stage.versions(), strict=True):
                yield seat, {"match": stage.id, "move": move, "version": version, "key": uuid4().hex}
                version = after

    def advance(self) -> None:
        """Goes on to the next move."""
        step = next(self._steps, None)
        if step is None:
            raise WrongAnswerError("the board has run out of prepared moves")
        self.seat, self.command = step


@dataclass
class Table:
    """All boards, and the players who sit at all of them."""

    boards: Sequence[Board]
    tokens: Sequence[str]
    brief: bool = False
    """Whether answers have neither view nor legal moves, as for a bot that gets its turns from a stream."""
    moves: int = 0
    requests: int = 0

    async def play(self, port: int, seconds: float) -> float:
        """Everybody plays for so long, one request at least, and finishes the last one; how long it took."""
        self._before = self.requests
        self._news = asyncio.Event()
        self._free = set(self.boards)
        began = time.monotonic()
        await asyncio.gather(*[self._player(port, seat, began + seconds) for seat in range(len(self.tokens))])
        return time.monotonic() - began

    async def _player(self, port: int, seat: int, until: float) -> None:
        connection = await HttpConnection.open(port)
        while time.monotonic() < until or self.requests == self._before:
            mine = [board for board in self._free if board.seat == seat][:MOST]
            if mine:
                await self._send(connection, seat, mine)
            else:
                self._news.clear()
                await asyncio.wait([asyncio.ensure_future(self._news.wait())], timeout=0.05)
        await connection.close()

    async def _send(self, connection: HttpConnection, seat: int, mine: Sequence[Board]) -> None:
        self._free.difference_update(mine)
        body = {"commands": [board.command for board in mine]}
        path = f"/v1/moves?brief={str(self.brief).lower()}"
        status, data = await connection.send(request("POST", path, self.tokens[seat], body))
        if status != 200:
            raise WrongAnswerError(f"{status} {data[:500].decode(errors='replace')}")
        for answer in _DECODER.decode(data).answers:
            if answer.status != 201:
                raise WrongAnswerError(str(answer.problem))
        for board in mine:
            board.advance()
        self._free.update(mine)
        self.moves += len(mine)
        self.requests += 1
        self._news.set()
