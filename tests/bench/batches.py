"""Moves in batches (`POST /v1/moves`): the same players in all matches, with one connection each."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import uuid4

import msgspec

from kontor_games.domain.codec import Plain
from tests.bench.load import UnexpectedAnswerError
from tests.bench.scripts import ScriptedMatch
from tests.support.http_connection import HttpConnection, request

MOST = 200
"""The most commands in one request."""


class _Status(msgspec.Struct):
    status: int
    problem: dict[str, Plain] | None


class _Answers(msgspec.Struct):
    answers: list[_Status]


_DECODER = msgspec.json.Decoder(_Answers)


class MatchSequence:
    """Matches that are played one after the other, with the next command."""

    def __init__(self, matches: Sequence[ScriptedMatch]) -> None:
        self._steps = self._all(matches)
        self.seat, self.command = next(self._steps)

    @staticmethod
    def _all(matches: Sequence[ScriptedMatch]) -> Iterator[tuple[int, dict[str, Plain]]]:
        for match in matches:
            version = match.version
            for (seat, move), after in zip(match.script.moves, match.versions(), strict=True):
                yield seat, {"match": match.id, "move": move, "version": version, "key": uuid4().hex}
                version = after

    def advance(self) -> None:
        """Go on to the next move."""
        step = next(self._steps, None)
        if step is None:
            raise UnexpectedAnswerError("the matches have run out of prepared moves")
        self.seat, self.command = step


@dataclass
class Table:
    """Several sequences of matches, played concurrently by the same players."""

    sequences: Sequence[MatchSequence]
    tokens: Sequence[str]
    brief: bool = False
    """Whether answers have neither view nor legal moves, as for a bot that gets its turns from a stream."""
    moves: int = 0
    requests: int = 0

    async def play(self, port: int, seconds: float) -> float:
        """Play for `seconds`, at least one request; return how long it took with the last answers."""
        self._before = self.requests
        self._news = asyncio.Event()
        self._free = set(self.sequences)
        began = time.monotonic()
        await asyncio.gather(*[self._player(port, seat, began + seconds) for seat in range(len(self.tokens))])
        return time.monotonic() - began

    async def _player(self, port: int, seat: int, until: float) -> None:
        connection = await HttpConnection.open(port)
        while time.monotonic() < until or self.requests == self._before:
            mine = [sequence for sequence in self._free if sequence.seat == seat][:MOST]
            if mine:
                await self._send(connection, seat, mine)
            else:
                self._news.clear()
                await asyncio.wait([asyncio.ensure_future(self._news.wait())], timeout=0.05)
        await connection.close()

    async def _send(self, connection: HttpConnection, seat: int, mine: Sequence[MatchSequence]) -> None:
        self._free.difference_update(mine)
        body = {"commands": [sequence.command for sequence in mine]}
        path = f"/v1/moves?brief={str(self.brief).lower()}"
        status, data = await connection.send(request("POST", path, self.tokens[seat], body))
        if status != 200:
            raise UnexpectedAnswerError(f"{status} {data[:500].decode(errors='replace')}")
        for answer in _DECODER.decode(data).answers:
            if answer.status != 201:
                raise UnexpectedAnswerError(str(answer.problem))
        for sequence in mine:
            sequence.advance()
        self._free.update(mine)
        self.moves += len(mine)
        self.requests += 1
        self._news.set()
