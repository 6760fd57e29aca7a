"""Players who do not give up: a move is sent under one key until acknowledged; acknowledgements are kept."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from kontor_games.domain.games import installed_games
from tests.bench.scripts import Script, rehearse
from tests.support.wire import Answer, Wire, request

_MOST_FACTS = 600
_PAUSE_S = 0.1
_PATIENCE_S = 15.0
_FLEET = 4
"""Matches whose moves are sent together."""


class OddAnswerError(Exception):
    """Neither success nor an outage; the journal says what."""


class Receipt(msgspec.Struct):
    """What the service signed with its answer."""

    head: str


class Acknowledged(msgspec.Struct):
    """What an answer says about a move."""

    id: str
    first: int
    version: int
    receipt: Receipt
    key: str = ""


@dataclass
class Journal:
    """All that clients saw."""

    moves: list[Acknowledged] = field(default_factory=list)
    batched: int = 0
    """How many of them were acknowledged in batches."""
    statuses: Counter[int] = field(default_factory=Counter)
    odd: list[str] = field(default_factory=list)
    """Answers that nobody should get."""
    lost_connections: int = 0
    longest_wait_s: float = 0.0
    """The longest that one move took, with all its retries."""


class Table:
    """The players of one lane: they play one rehearsed match after the other, through one connection."""

    def __init__(self, port: int, number: int, journal: Journal) -> None:
        self._port = port
        self._number = number
        self._journal = journal
        self._wire: Wire | None = None
        self._tokens: list[str] = []

    async def play_until(self, over: Callable[[], bool]) -> None:
        """Plays until it is over, or until an answer comes that nobody should get."""
        with suppress(OddAnswerError):
            await self._play_until(over)
        await self._hang_up()

    async def _play_until(self, over: Callable[[], bool]) -> None:
        for script in self._scripts():
            match_id = await self._sit_down(script)
            for number, (seat, move) in enumerate(script.moves):
                if over():
                    return
                await self._move(match_id, f"{self._number}-{number}", self._tokens[seat], move)

    def _scripts(self) -> Iterator[Script]:
        games = list(installed_games().values())
        for number in range(10**6):
            game = games[(self._number + number) % len(games)]
            yield rehearse(
                game, min(game.rules().seat_counts), f"chaos-{self._number}-{number}", most_facts=_MOST_FACTS
            )

    async def _sit_down(self, script: Script) -> str:
        while len(self._tokens) < script.seats:
            body = {"name": f"Player {self._number}.{len(self._tokens)}"}
            key = f"player-{self._number}.{len(self._tokens)}-{time.time_ns()}"
            self._tokens.append(
                msgspec.json.decode(
                    await self._insist(request("POST", "/v1/players", None, body, Idempotency_Key=key))
                )["token"]
            )
        wish = {
            "game": script.game,
            "seats": [{"type": "me"}, *[{"type": "open"}] * (script.seats - 1)],
            "seed": script.seed,
        }
        made = await self._insist(
            request("POST", "/v1/matches", self._tokens[0], wish, Idempotency_Key=script.seed)
        )
        match_id: str = msgspec.json.decode(made)["id"]
        for token in self._tokens[1 : script.seats]:
            await self._insist(
                request("POST", f"/v1/matches/{match_id}/seats", token, {}, Idempotency_Key="sit")
            )
        return match_id

    async def _move(self, match_id: str, key: str, token: str, move: object) -> None:
        began = time.monotonic()
        answer = await self._insist(
            request("POST", f"/v1/matches/{match_id}/moves", token, move, Idempotency_Key=key)
        )
        self._journal.longest_wait_s = max(self._journal.longest_wait_s, time.monotonic() - began)
        seen = msgspec.json.decode(answer, type=Acknowledged)
        seen.key = key
        self._journal.moves.append(seen)

    async def _insist(self, sent: bytes, success: int = 201) -> bytes:
        """Sends until there is an answer that is not about an outage."""
        while True:
            status, body = await self._try(sent)
            if status == success:
                return body
            if status not in (0, 503):
                self._journal.odd.append(f"{status} {body[:300].decode(errors='replace')}")
                raise OddAnswerError
            await asyncio.sleep(_PAUSE_S)

    async def _try(self, sent: bytes) -> Answer:
        try:
            if self._wire is None:
                self._wire = await Wire.open(self._port)
            answer = await asyncio.wait_for(self._wire.ask(sent), _PATIENCE_S)
        except (OSError, TimeoutError):
            self._journal.lost_connections += 1
            await self._hang_up()
            return 0, b""
        self._journal.statuses[answer[0]] += 1
        return answer

    async def _hang_up(self) -> None:
        if self._wire is not None:
            await self._wire.close()
            self._wire = None


class ItemAnswer(msgspec.Struct):
    """What became of one move of a batch."""

    status: int
    answer: Acknowledged | None = None


class BatchAnswer(msgspec.Struct):
    """What became of a batch."""

    answers: list[ItemAnswer]


@dataclass
class Playing:
    """A match of a fleet, with the moves that are left."""

    match: str
    moves: deque[tuple[int, tuple[int, object]]]

    @property
    def seat(self) -> int:
        """Who moves next."""
        return self.moves[0][1][0]

    def command(self, prefix: int) -> dict[str, object]:
        """The next move, as an item of a batch."""
        number, (_, move) = self.moves[0]
        return {"match": self.match, "key": f"{prefix}-{number}", "move": move}


class Fleet(Table):
    """Players of several matches at a time, who send the moves of all of them as one batch."""

    async def _play_until(self, over: Callable[[], bool]) -> None:
        scripts = self._scripts()
        while not over():
            fleet = [
                Playing(await self._sit_down(script), deque(enumerate(script.moves)))
                for script in islice(scripts, _FLEET)
            ]
            while (left := [one for one in fleet if one.moves]) and not over():
                seat = left[0].seat
                await self._move_all(self._tokens[seat], [one for one in left if one.seat == seat])

    async def _move_all(self, token: str, due: Sequence[Playing]) -> None:
        """Send the next move of each match; those without an answer of their own stay the next ones."""
        commands = [one.command(self._number) for one in due]
        sent = request("POST", "/v1/moves", token, {"commands": commands})
        answers = msgspec.json.decode(await self._insist(sent, 200), type=BatchAnswer).answers
        for one, command, got in zip(due, commands, answers, strict=True):
            if got.status == 201 and got.answer is not None:
                got.answer.key = str(command["key"])
                self._journal.moves.append(got.answer)
                self._journal.batched += 1
                one.moves.popleft()
            elif got.status != 503:
                self._journal.odd.append(f"{got.status} for {command}")
                raise OddAnswerError
