"""Players: who they are to others. The only place where names are stored; facts hold ids alone, so a name can be erased."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from kontor_games.service.errors import NotFoundError
from kontor_games.service.people.names import read_name
from kontor_games.service.people.token_keys import KEY_TABLES, Clock, Made, Request
from kontor_games.service.people.tokens import ADMIN, ORGANISE, PLAY, TOKEN_TABLES, Caller, Tokens
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

PLAYER_TABLES = (
    "CREATE TABLE IF NOT EXISTS players (id TEXT PRIMARY KEY, name TEXT, bot INTEGER NOT NULL, created_at BIGINT NOT NULL)",
    *TOKEN_TABLES,
    *KEY_TABLES,
)
"""Everything about accounts, in an order in which it can be made."""

_TRUSTED_MS = 5000
_REMEMBERED = 10_000
_AT_ONCE = 500
"""Ids in one query: SQLite takes no more than 999 values in its older versions."""


@dataclass(frozen=True, slots=True)
class Player:
    """An account as everybody may see it."""

    id: str
    name: str | None
    """None once the player was erased."""
    bot: bool
    created_at: int


@dataclass(frozen=True, slots=True)
class Registration:
    """A new player, at the one moment at which their first token is shown."""

    player: Player
    token: str
    replayed: bool


class Players:
    """Registers, names, renames and erases players."""

    def __init__(self, database: Database, settings: Settings, clock: Clock, tokens: Tokens | None = None) -> None:
        """Remembers names for a few seconds, since every match shows some.

        Given the process's own `tokens`, an erased player's tokens end there at once; other holders notice within five seconds.
        """
        self._database = database
        self._tokens = tokens or Tokens(database, settings, clock)
        self._requests = self._tokens.requests
        self._clock = clock
        self._known: dict[str, tuple[Player, int]] = {}

    def register(self, name: str, *, bot: bool, key: str | None, body: str) -> Registration:
        """A new player with a token to play and organise; the same call again within a day is given the same answer."""
        name = read_name(name)
        request = self._requests.open("player", "", key, body)
        made = self._requests.made_by(request)
        replayed = made is not None
        if made is None:
            new = Made(str(uuid4()), str(uuid4()))
            made = self._requests.carry_out(request, new, *self._rows(request, new, name, bot=bot))
            replayed = made != new
        # A retry is given the first answer, even if the player took another name since.
        player = replace(self.get(made.player), name=name)
        return Registration(player, self._requests.token_text(request, made), replayed)

    def _rows(self, request: Request, new: Made, name: str, *, bot: bool) -> tuple[Statement, Statement]:
        insert = "INSERT INTO players (id, name, bot, created_at) VALUES (?, ?, ?, ?)"
        token = self._tokens.insertion(request, new, "registration", (PLAY, ORGANISE), None)
        return (insert, (new.player, name, int(bot), self._clock())), token

    def get(self, player: str) -> Player:
        """One player; NotFoundError where there is none."""
        found = self.names([player])
        if player not in found:
            raise NotFoundError("there is no such player")
        return found[player]

    def known(self, player: str) -> bool:
        """Whether there is such a player, who can be invited."""
        found = self.names([player]).get(player)
        return found is not None and found.name is not None

    def names(self, ids: Iterable[str]) -> dict[str, Player]:
        """All of these players that exist, by id; a change elsewhere is noticed within five seconds."""
        now = self._clock()
        found: dict[str, Player] = {}
        missing: list[str] = []
        for one in dict.fromkeys(ids):
            known = self._known.get(one)
            if known is not None and known[1] <= now < known[1] + _TRUSTED_MS:
                found[one] = known[0]
            else:
                missing.append(one)
        for start in range(0, len(missing), _AT_ONCE):
            found |= self._look_up(missing[start : start + _AT_ONCE], now)
        return found

    def _look_up(self, ids: list[str], now: int) -> dict[str, Player]:
        places = ", ".join("?" * len(ids))
        rows = self._database.read(f"SELECT * FROM players WHERE id IN ({places})", ids)  # noqa: S608  # only question marks
        found = {row["id"]: _player_of(row) for row in rows}
        if len(self._known) + len(found) > _REMEMBERED:
            self._known = {}
        self._known.update((id_, (player, now)) for id_, player in found.items())
        return found

    def rename(self, caller: Caller, name: str) -> Player:
        """The caller under another name, in past matches too."""
        name = read_name(name)
        self._database.write(("UPDATE players SET name = ? WHERE id = ? AND name IS NOT NULL", (name, caller.player)))
        self._known.pop(caller.player, None)
        return self.get(caller.player)

    def erase(self, caller: Caller, player: str | None = None) -> None:
        """Removes a player's name and tokens for good; their id stays in the facts. Another player's only with the scope admin."""
        erased = caller.player if player is None else self.get(player).id
        if erased != caller.player:
            caller.require(ADMIN)
        self._database.write(
            ("UPDATE players SET name = NULL WHERE id = ?", (erased,)),
            ("DELETE FROM tokens WHERE player = ?", (erased,)),
            ("DELETE FROM token_requests WHERE player = ?", (erased,)),
        )
        self._known.pop(erased, None)
        self._tokens.forget_player(erased)


def _player_of(row: dict[str, Any]) -> Player:
    return Player(row["id"], row["name"], bool(row["bot"]), row["created_at"])
