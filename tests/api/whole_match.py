"""Players who use nothing but the API: they read the match, choose a legal move, send it, and wait."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Game
from tests.support.http_connection import HttpConnection, request

WAIT_S = 10


@dataclass
class MoveChooser:
    """Chooses moves with the game's best house bot, from the view and legal moves that a client gets."""

    game: Game
    seat: int
    name: str
    made: int = 0

    def __post_init__(self) -> None:
        self._rules = self.game.rules()
        self._bot: Any = [*self.game.bots.values()][-1](self._rules)

    def choose(self, position: dict[str, Any]) -> dict[str, Any]:
        """One of the legal moves of a position, as JSON."""
        legal = [
            self._rules.move_codec.parse(move) for move in position["legal_moves"] if "schema" not in move
        ]
        draws = Seeded(seed_from(self.name)).draws("client", self.made)
        self.made += 1
        chosen = self._bot.choose(self.seat, lambda: position["view"], legal, draws) or legal[0]
        return dict(self._rules.move_codec.encode(chosen))


@dataclass
class Player:
    """A player on one seat of a match, with their own connection."""

    connection: HttpConnection
    token: str
    match: str
    seat: int
    chooser: MoveChooser
    answers: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def play(self) -> None:
        """Play until the match is over."""
        path = f"/v1/matches/{self.match}"
        position = await self.connection.call("GET", path, self.token)
        while position["status"] == "running":
            if self.seat in position["to_act"]:
                position = await self._move(path, position)
            else:
                await self.connection.call(
                    "GET", f"{path}/events?after={position['version']}&limit=1&wait={WAIT_S}", self.token
                )
                position = await self.connection.call("GET", path, self.token)

    async def _move(self, path: str, position: dict[str, Any]) -> dict[str, Any]:
        move, key = self.chooser.choose(position), f"{self.seat}.{self.chooser.made}"
        sent = request(
            "POST",
            f"{path}/moves",
            self.token,
            move,
            If_Match=f'"{position["version"]}"',
            Idempotency_Key=key,
        )
        status, body = await self.connection.send(sent)
        answer: dict[str, Any] = msgspec.json.decode(body)
        if status == 201:
            self.answers.append(answer)
            return answer
        self.refused.append(f"{status} {answer['code']}")
        again: dict[str, Any] = await self.connection.call("GET", path, self.token)
        return again


@dataclass
class Table:
    """A match with its players."""

    game: str
    match: str
    players: list[Player]


async def open_table(port: int, games: list[Game], number: int) -> Table:
    """Create match `number`: the games take turns, and so do players only and one player with house bots."""
    game = games[number % len(games)]
    seats = min(game.rules().seat_counts)
    with_house = number // len(games) % 2
    players = range(1 if with_house else seats)
    connections = [await HttpConnection.open(port) for _ in players]
    tokens = [
        (await connections[i].call("POST", "/v1/players", None, {"name": f"Player {number}.{i}"}))["token"]
        for i in players
    ]
    others = [{"type": "bot", "bot": [*game.bots][-1]} if with_house else {"type": "open"}] * (seats - 1)
    made = await connections[0].call(
        "POST", "/v1/matches", tokens[0], {"game": game.id, "seats": [{"type": "me"}, *others]}
    )
    for i in players[1:]:
        await connections[i].call("POST", f"/v1/matches/{made['id']}/seats", tokens[i], {"seat": i})
    choosers = [MoveChooser(game, i, f"{number}.{i}") for i in players]
    return Table(
        game.id, made["id"], [Player(connections[i], tokens[i], made["id"], i, choosers[i]) for i in players]
    )


async def play_all(port: int, games: list[Game], matches: int) -> list[Table]:
    """Play this many matches concurrently, all to the end."""
    tables = [await open_table(port, games, number) for number in range(matches)]
    await asyncio.gather(*(player.play() for table in tables for player in table.players))
    return tables


async def read_log(connection: HttpConnection, match: str) -> list[dict[str, Any]]:
    """All public events of a match, read page by page."""
    events: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = await connection.call("GET", f"/v1/matches/{match}/events?after={after}&limit=500")
        events += page["events"]
        after = page["next"]
    return events
