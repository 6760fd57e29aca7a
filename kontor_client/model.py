"""What the service answers, as far as a player needs it; `data` holds the whole answer."""

from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Player:
    """An account."""

    id: str
    name: str
    bot: bool
    token: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match as you may see it."""

    data: Data

    @property
    def id(self) -> str:
        """By which it is asked for."""
        return str(self.data["id"])

    @property
    def status(self) -> str:
        """`open`, `running`, `finished` or `aborted`."""
        return str(self.data["status"])

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("finished", "aborted")

    @property
    def version(self) -> int:
        """How many facts have happened; decide on a version, and say so when you play."""
        return int(self.data["version"])

    @property
    def you(self) -> int | None:
        """Your seat, if you have one."""
        seat: int | None = self.data["you"]
        return seat

    @property
    def your_turn(self) -> bool:
        """Whether the match waits for you."""
        return self.you is not None and self.you in self.data["to_act"]

    @property
    def legal_moves(self) -> list[Data]:
        """The moves you can send as they stand; kinds that are too many to list are in `open_moves`."""
        return [move for move in self.data["legal_moves"] if "schema" not in move]

    @property
    def open_moves(self) -> list[Data]:
        """Kinds of move that you make up yourself, each with its JSON Schema."""
        return [move for move in self.data["legal_moves"] if "schema" in move]

    @property
    def view(self) -> Data | None:
        """What you may know of the game, once it has begun."""
        view: Data | None = self.data["view"]
        return view

    @property
    def result(self) -> Data | None:
        """Places and scores, once the match is finished."""
        result: Data | None = self.data["result"]
        return result

    @property
    def receipt(self) -> Data | None:
        """What the service signed with this answer; keep the last one of a match, it proves what had happened until then."""
        return self.data.get("receipt")


@dataclass(frozen=True, slots=True)
class Event:
    """One fact of a match, as you may see it."""

    match: str
    version: int
    at: str
    fact: Data
