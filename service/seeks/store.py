"""The rows of seeks.

A seek leaves the status `waiting` once in each of its turns: pairing, cancelling and expiry all insert the
same row of `seek_turns`, so that only one of them succeeds. So a seek is never paired twice, even by two
processes.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.matchmaking import Opponents
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.blocks import Blocks
from kontor_games.service.store.database import Database, Statement

_NAMESPACE = UUID("6b6f6e74-6f72-5365-8565-6b7300000000")
KEPT_MS = 24 * 3600 * 1000
"""How long an ended seek can be read."""


class SeekTerms(msgspec.Struct, frozen=True):
    """The terms of a seek; only seeks with equal terms are paired."""

    game: str
    seats: int
    options: Plain
    clock: Plain
    rated: bool
    on_timeout: str

    def text(self) -> str:
        """The terms as a text, the same for equal terms."""
        return canonical(msgspec.structs.asdict(self)).decode()


class Seek(msgspec.Struct, frozen=True):
    """A player who is looking for a match."""

    id: str
    player: str
    bot: bool
    terms: SeekTerms
    opponents: Opponents
    request: str
    created_at: int
    expires_at: int
    status: str
    turn: int
    match_id: str | None
    changed_at: int


class SeekStore:
    """The seeks and their tables in the database."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock
        self._blocks = Blocks(database, clock)

    def add(self, call: Call, terms: SeekTerms, opponents: Opponents, lifetime_ms: int) -> tuple[Seek, bool]:
        """Store a seek; the same key gives the same one. Return it, and whether it already existed."""
        seek_id, now = _id_of(call.by, call.key) if call.key else str(uuid4()), self._clock()
        values = [
            *(seek_id, call.by, int(call.caller.bot), terms.game, terms.text(), opponents),
            *(call.stored_digest, now, now + lifetime_ms, "waiting", 1, None, now),
        ]
        existed = False
        try:
            self._database.write(
                ("INSERT INTO seeks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values),
            )
        except IntegrityError:
            existed = True
        [seek] = self._shown("id = ?", seek_id)
        return seek, existed

    def find(self, player: str, key: str | None) -> Seek | None:
        """The seek that a player has created with a key."""
        return None if key is None else self.get(_id_of(player, key))

    def get(self, seek_id: str) -> Seek | None:
        """Return a seek; None if there is none."""
        return next(iter(self._shown("id = ?", seek_id)), None)

    def with_status(self, status: str, game: str | None = None, limit: int = 10_000) -> list[Seek]:
        """Seeks with a status, the oldest first."""
        where, values = ("", []) if game is None else (" AND game = ?", [game])
        rows = self._database.read(
            f"SELECT * FROM seeks WHERE status = ?{where} ORDER BY created_at, id LIMIT ?",  # noqa: S608
            [status, *values, limit],
        )
        return [_seek_of(row) for row in rows]

    def of_player(self, player: str) -> list[Seek]:
        """The stored seeks of a player, the newest first."""
        return self._shown("player = ? ORDER BY created_at DESC, id LIMIT 100", player)

    def _shown(self, which: str, value: str) -> list[Seek]:
        """Return seeks as their players see them: a match is offered as soon as it exists, not before."""
        rows = self._database.read(f"SELECT * FROM seeks WHERE {which}", [value])  # noqa: S608
        seeks = [_seek_of(row) for row in rows]
        offered = sorted({one.match_id for one in seeks if one.status == "offered" and one.match_id})
        existing = {
            row["id"] for row in self._database.read_many("SELECT id FROM matches WHERE id IN ({})", offered)
        }
        return [
            msgspec.structs.replace(one, status="waiting", match_id=None)
            if one.status == "offered" and one.match_id not in existing
            else one
            for one in seeks
        ]

    def count(self, player: str) -> int:
        """The number of waiting or offered seeks of a player."""
        rows = self._database.read(
            "SELECT COUNT(*) AS count FROM seeks WHERE player = ? AND status IN ('waiting', 'offered')",
            [player],
        )
        return int(rows[0]["count"])

    def take(self, seeks: Sequence[Seek], status: str, match_id: str | None = None) -> bool:
        """Give waiting seeks another status, all of them or none; return whether all were still waiting."""
        now = self._clock()
        turns: list[Statement] = [
            ("INSERT INTO seek_turns VALUES (?, ?)", [one.id, one.turn]) for one in seeks
        ]
        update = "UPDATE seeks SET status = ?, match_id = ?, changed_at = ? WHERE id = ? AND turn = ?"
        changes: list[Statement] = [(update, [status, match_id, now, one.id, one.turn]) for one in seeks]
        try:
            self._database.write(*turns, *changes)
        except IntegrityError:
            return False
        return True

    def settle(self, ends: Iterable[tuple[Seek, str]], *more: Statement) -> None:
        """Set the status of offered seeks; seeks that wait again start their next turn."""
        update = (
            "UPDATE seeks SET status = ?, turn = ?, changed_at = ?"
            " WHERE id = ? AND turn = ? AND status = 'offered'"
        )
        now = self._clock()
        changes: list[Statement] = [
            (update, [status, one.turn + (status == "waiting"), now, one.id, one.turn])
            for one, status in ends
        ]
        self._database.write(*changes, *more)

    def avoided(self, players: Iterable[str]) -> dict[str, frozenset[str]]:
        """The players that each player has declined recently, or blocked."""
        players = sorted(set(players))
        rows = self._database.read_many(
            "SELECT player, other, until FROM declined_players WHERE player IN ({})", players
        )
        found = {player: set(others) for player, others in self._blocks.of(players).items()}
        for row in rows:
            if row["until"] > self._clock():
                found.setdefault(row["player"], set()).add(row["other"])
        return {player: frozenset(others) for player, others in found.items()}

    def delete_old(self) -> None:
        """Delete seeks that ended long ago."""
        now = self._clock()
        old = now - KEPT_MS
        self._database.write(
            (
                "DELETE FROM seek_turns WHERE seek IN (SELECT id FROM seeks WHERE changed_at <= ?"
                " AND status NOT IN ('waiting', 'offered'))",
                [old],
            ),
            ("DELETE FROM seeks WHERE changed_at <= ? AND status NOT IN ('waiting', 'offered')", [old]),
            ("DELETE FROM declined_players WHERE until <= ?", [now]),
        )


def _id_of(player: str, key: str) -> str:
    return str(uuid5(_NAMESPACE, f"{player} {key}"))


def _seek_of(row: dict[str, Any]) -> Seek:
    return msgspec.convert({**row, "bot": bool(row["bot"]), "terms": json.loads(row["terms"])}, Seek)
