"""The responses of the service, as typed objects."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Player:
    """An account; `bot` is true if the player is a program."""

    id: str
    name: str
    bot: bool
    token: str = field(repr=False)
    public_key: str | None = field(
        default=None, repr=False, compare=False
    )  # with which it signs its commands


class Match:
    """A match as you may see it; `data` is the whole response of the service."""

    def __init__(self, data: Json) -> None:
        self.data = data
        self.id: str = data["id"]
        self.status: str = data["status"]  # open, running, finished or aborted
        self.over = self.status in ("finished", "aborted")
        self.version: int = data["version"]  # the number of facts so far
        self.head: str = data["head"]  # the hash of the last fact's record
        self.you: int | None = data["you"]  # your seat
        self.your_turn = self.you is not None and self.you in data["to_act"]
        # complete moves, and kinds of moves with too many possibilities to list, each with a JSON Schema
        legal: list[Json] = data.get("legal_moves", [])  # brief responses have no legal moves and no view
        self.brief = "legal_moves" not in data
        self.legal_moves: list[Json] = [move for move in legal if "schema" not in move]
        self.move_schemas: list[Json] = [move for move in legal if "schema" in move]
        self.view: Json | None = data.get("view")  # what you may see of the game
        self.result: Json | None = data["result"]  # places and scores of a finished match
        self.receipt: Json | None = data.get("receipt")  # the signed receipt, in responses to commands
        # sentences about what has happened since your last command, in turns of a stream with `tell`
        self.news: list[str] = []

    def __repr__(self) -> str:
        return f"Match({self.id!r}, {self.status!r}, version={self.version}, you={self.you})"


@dataclass(frozen=True, slots=True)
class Event:
    """One fact of a match, as you may see it."""

    match: str
    version: int
    at: str
    fact: Json
    text: str | None = None  # a sentence about it, if the stream has texts

    def __repr__(self) -> str:
        return f"Event({self.match!r}, version={self.version}, {self.fact['type']})"


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One fact of a tournament."""

    tournament: str
    version: int
    at: str
    fact: Json
