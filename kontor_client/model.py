"""The answers of the service, as typed objects."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Player:
    """An account; `bot` says whether a program plays."""

    id: str
    name: str
    bot: bool
    token: str = field(repr=False)
    public_key: str | None = field(
        default=None, repr=False, compare=False
    )  # with which it signs its commands


class Match:
    """A match as you may see it; `data` is the whole answer of the service."""

    def __init__(self, data: Json) -> None:
        self.data = data
        self.id: str = data["id"]
        self.status: str = data["status"]  # open, running, finished or aborted
        self.over = self.status in ("finished", "aborted")
        self.version: int = data["version"]  # how many facts have happened
        self.head: str = data["head"]  # the hash of the newest fact
        self.you: int | None = data["you"]  # your seat
        self.your_turn = self.you is not None and self.you in data["to_act"]
        # moves that you can send as they are; and kinds with too many to list, each with a JSON Schema
        legal: list[Json] = data.get("legal_moves", [])  # a brief answer has none, and no view
        self.brief = "legal_moves" not in data
        self.legal_moves: list[Json] = [move for move in legal if "schema" not in move]
        self.move_schemas: list[Json] = [move for move in legal if "schema" in move]
        self.view: Json | None = data.get("view")  # what you may know of the game
        self.result: Json | None = data["result"]  # places and scores of a finished match
        self.receipt: Json | None = data.get("receipt")  # what the service signed with this answer

    def __repr__(self) -> str:
        return f"Match({self.id!r}, {self.status!r}, version={self.version}, you={self.you})"


@dataclass(frozen=True, slots=True)
class Event:
    """One fact of a match, as you may see it."""

    match: str
    version: int
    at: str
    fact: Json

    def __repr__(self) -> str:
        return f"Event({self.match!r}, version={self.version}, {self.fact['type']})"


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One fact of a tournament."""

    tournament: str
    version: int
    at: str
    fact: Json
