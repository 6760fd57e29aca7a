"""Players who retry each move with the same idempotency key until it is acknowledged.

All acknowledgements are kept, in order to compare them with the database.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from kontor_games.domain.games import installed_games
from tests.bench.scripts import Script, make_script
from tests.support.http_connection import Answer, HttpConnection, request

_MOST_FACTS = 600
_PAUSE_S = 0.1
_TIMEOUT_S = 15.0
_BATCH_SIZE = 4
"""How many matches have their moves sent in one batch."""


class UnexpectedAnswerError(Exception):
    """An answer that is neither success nor 503; it is in the journal."""


class Receipt(msgspec.Struct):
    """The receipt in an answer; only the field that we compare."""

    head: str


class Acknowledged(msgspec.Struct):
    """The answer to an accepted move; only the fields that we compare, and the key of the request."""

    id: str
    first: int
    version: int
    receipt: Receipt
    key: str = ""


@dataclass
class Journal:
    """Everything that all clients saw."""

    moves: list[Acknowledged] = field(default_factory=list)
    batched: int = 0
    """How many of the moves were acknowledged in batches."""
    statuses: Counter[int] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)
    """Answers other than success and 503."""
    lost_connections: int = 0
    longest_wait_s: float = 0.0
    """The longest time that one move took, including all retries."""


class Table:
    """Players of one match at a time, scripted beforehand; all use one connection."""

    def __init__(self, port: int, number: int, journal: Journal) -> None:
        self._port = port
        self._number = number
        self._journal = journal
        self._connection: HttpConnection | None = None
        self._tokens: list[str] = []

    async def play_until(self, over: Callable[[], bool]) -> None:
        """Play until `over` returns true or an unexpected answer arrives."""
        with suppress(UnexpectedAnswerError):
            await self._play_until(over)
        await self._disconnect()

    async def _play_until(self, over: Callable[[], bool]) -> None:
        for script in self._scripts():
            match_id = await self._create_match(script)
            for number, (seat, move) in enumerate(script.moves):
                if over():
                    return
                await self._move(match_id, f"{self._number}-{number}", self._tokens[seat], move)

    def _scripts(self) -> Iterator[Script]:
        games = list(installed_games().values())
        for number in range(10**6):
            game = games[(self._number + number) % len(games)]
            yield make_script(
                game, min(game.rules().seat_counts), f"chaos-{self._number}-{number}", most_facts=_MOST_FACTS
            )

    async def _create_match(self, script: Script) -> str:
        while len(self._tokens) < script.seats:
            body = {"name": f"Player {self._number}.{len(self._tokens)}"}
            key = f"player-{self._number}.{len(self._tokens)}-{time.time_ns()}"
            self._tokens.append(
                msgspec.json.decode(
                    await self._send_until_answered(
                        request("POST", "/v1/players", None, body, Idempotency_Key=key)
                    )
                )["token"]
            )
        new_match = {
            "game": script.game,
            "seats": [{"type": "me"}, *[{"type": "open"}] * (script.seats - 1)],
            "seed": script.seed,
        }
        made = await self._send_until_answered(
            request("POST", "/v1/matches", self._tokens[0], new_match, Idempotency_Key=script.seed)
        )
        match_id: str = msgspec.json.decode(made)["id"]
        for token in self._tokens[1 : script.seats]:
            await self._send_until_answered(
                request("POST", f"/v1/matches/{match_id}/seats", token, {}, Idempotency_Key="sit")
            )
        return match_id

    async def _move(self, match_id: str, key: str, token: str, move: object) -> None:
        began = time.monotonic()
        answer = await self._send_until_answered(
            request("POST", f"/v1/matches/{match_id}/moves", token, move, Idempotency_Key=key)
        )
        self._journal.longest_wait_s = max(self._journal.longest_wait_s, time.monotonic() - began)
        seen = msgspec.json.decode(answer, type=Acknowledged)
        seen.key = key
        self._journal.moves.append(seen)

    async def _send_until_answered(self, sent: bytes, success: int = 201) -> bytes:
        """Send the request until it succeeds; retry after 503 and lost connections."""
        while True:
            status, body = await self._try(sent)
            if status == success:
                return body
            if status not in (0, 503):
                self._journal.unexpected.append(f"{status} {body[:300].decode(errors='replace')}")
                raise UnexpectedAnswerError
            await asyncio.sleep(_PAUSE_S)

    async def _try(self, sent: bytes) -> Answer:
        try:
            if self._connection is None:
                self._connection = await HttpConnection.open(self._port)
            answer = await asyncio.wait_for(self._connection.send(sent), _TIMEOUT_S)
        except (OSError, TimeoutError):
            self._journal.lost_connections += 1
            await self._disconnect()
            return 0, b""
        self._journal.statuses[answer[0]] += 1
        return answer

    async def _disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


class ItemAnswer(msgspec.Struct):
    """The answer to one move of a batch."""

    status: int
    answer: Acknowledged | None = None


class BatchAnswer(msgspec.Struct):
    """The answer to a batch."""

    answers: list[ItemAnswer]


@dataclass
class MatchInBatch:
    """A match of a `BatchTable`, with its remaining moves."""

    match: str
    moves: deque[tuple[int, tuple[int, object]]]

    @property
    def seat(self) -> int:
        """The seat that moves next."""
        return self.moves[0][1][0]

    def command(self, prefix: int) -> dict[str, object]:
        """The next move, as a command of a batch."""
        number, (_, move) = self.moves[0]
        return {"match": self.match, "key": f"{prefix}-{number}", "move": move}


class BatchTable(Table):
    """Players of several matches at a time, who send the moves in all of them as one batch."""

    async def _play_until(self, over: Callable[[], bool]) -> None:
        scripts = self._scripts()
        while not over():
            batch = [
                MatchInBatch(await self._create_match(script), deque(enumerate(script.moves)))
                for script in islice(scripts, _BATCH_SIZE)
            ]
            while (left := [one for one in batch if one.moves]) and not over():
                seat = left[0].seat
                await self._move_all(self._tokens[seat], [one for one in left if one.seat == seat])

    async def _move_all(self, token: str, due: Sequence[MatchInBatch]) -> None:
        """Send the next move of each match in one batch; a move answered with 503 is sent again later."""
        commands = [one.command(self._number) for one in due]
        sent = request("POST", "/v1/moves", token, {"commands": commands})
        answers = msgspec.json.decode(await self._send_until_answered(sent, 200), type=BatchAnswer).answers
        for one, command, got in zip(due, commands, answers, strict=True):
            if got.status == 201 and got.answer is not None:
                got.answer.key = str(command["key"])
                self._journal.moves.append(got.answer)
                self._journal.batched += 1
                one.moves.popleft()
            elif got.status != 503:
                self._journal.unexpected.append(f"{got.status} for {command}")
                raise UnexpectedAnswerError
