"""A player who knows nothing but the API: looks, decides by view and legal moves, moves, waits for others."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Bot, Game
from tests.support.wire import Wire, request

WAIT_S = 10


@dataclass
class Decider:
    """The game's best house bot, fed with what a client gets."""

    game: Game
    seat: int
    name: str
    made: int = 0

    def __post_init__(self) -> None:
        self._rules = self.game.rules()
        self._bot: Bot = [*self.game.bots.values()][-1](self._rules)

    def choose(self, look: dict[str, Any]) -> dict[str, Any]:
        """One of the legal moves of a look, as it is to be sent."""
        legal = [self._rules.move_codec.parse(move) for move in look["legal_moves"] if "schema" not in move]
        draws = Seeded(seed_from(self.name)).draws("client", self.made)
        self.made += 1
        chosen = self._bot.choose(self.seat, lambda: look["view"], legal, draws) or legal[0]
        return dict(self._rules.move_codec.encode(chosen))


@dataclass
class Person:
    """One player at one table, through a connection of their own."""

    wire: Wire
    token: str
    match: str
    seat: int
    decider: Decider
    answers: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def play(self) -> None:
        """Plays to the end."""
        path = f"/v1/matches/{self.match}"
        look = await self.wire.call("GET", path, self.token)
        while look["status"] == "running":
            if self.seat in look["to_act"]:
                look = await self._move(path, look)
            else:
                await self.wire.call(
                    "GET", f"{path}/events?after={look['version']}&limit=1&wait={WAIT_S}", self.token
                )
                look = await self.wire.call("GET", path, self.token)

    async def _move(self, path: str, look: dict[str, Any]) -> dict[str, Any]:
        move, key = self.decider.choose(look), f"{self.seat}.{self.decider.made}"
        sent = request(
            "POST", f"{path}/moves", self.token, move, If_Match=f'"{look["version"]}"', Idempotency_Key=key
        )
        status, body = await self.wire.ask(sent)
        answer: dict[str, Any] = msgspec.json.decode(body)
        if status == 201:
            self.answers.append(answer)
            return answer
        self.refused.append(f"{status} {answer['code']}")
        again: dict[str, Any] = await self.wire.call("GET", path, self.token)
        return again


@dataclass
class Table:
    """A match with its people."""

    game: str
    match: str
    people: list[Person]


async def lay(port: int, games: list[Game], number: int) -> Table:
    """A match of one game after the other: with people only, or with one person and house bots."""
    game = games[number % len(games)]
    seats = min(game.rules().seat_counts)
    with_house = number // len(games) % 2
    people = range(1 if with_house else seats)
    wires = [await Wire.open(port) for _ in people]
    tokens = [
        (await wires[i].call("POST", "/v1/players", None, {"name": f"Player {number}.{i}"}))["token"]
        for i in people
    ]
    others = [{"type": "bot", "bot": [*game.bots][-1]} if with_house else {"type": "open"}] * (seats - 1)
    made = await wires[0].call(
        "POST", "/v1/matches", tokens[0], {"game": game.id, "seats": [{"type": "me"}, *others]}
    )
    for i in people[1:]:
        await wires[i].call("POST", f"/v1/matches/{made['id']}/seats", tokens[i], {"seat": i})
    deciders = [Decider(game, i, f"{number}.{i}") for i in people]
    return Table(
        game.id, made["id"], [Person(wires[i], tokens[i], made["id"], i, deciders[i]) for i in people]
    )


async def play_all(port: int, games: list[Game], matches: int) -> list[Table]:
    """So many matches at once, all to their ends."""
    tables = [await lay(port, games, number) for number in range(matches)]
    await asyncio.gather(*(person.play() for table in tables for person in table.people))
    return tables


async def read_log(wire: Wire, match: str) -> list[dict[str, Any]]:
    """The whole log as everybody may read it, page by page."""
    events: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = await wire.call("GET", f"/v1/matches/{match}/events?after={after}&limit=500")
        events += page["events"]
        after = page["next"]
    return events
